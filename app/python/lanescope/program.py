"""The run that this process belongs to: its launches, the folder that they are kept in, and the lanescope program.

Method: `lanescope run` names itself in the environment; the libcuda.so.1 of this process is Lanescope's and hands out
the launches since it was last asked (app/driver/client/report.h). Tests: tests/programs/module_test.py
"""

import ctypes
import json
import os
import shutil
import subprocess
import tempfile

SOCKETS = ("LANESCOPE_DRIVER_SOCKET", "LANESCOPE_FORWARD_SOCKET")  # of the emulator, of `--producer gpu`
NOT_HOSTED = ("this Python was not started by Lanescope: start Jupyter with `lanescope run -- jupyter lab`, or run "
              "`lanescope run --kernel-spec` once and choose the kernel \"Python 3 (Lanescope)\"")
NOT_KEPT = ("no launch was kept: figures and the window need `lanescope run --save auto -- jupyter lab`, which keeps the "
            "first launch of each kernel and shape")


class LanescopeError(RuntimeError):
    """What was expected, what was found, and what to do, in a sentence."""


def is_hosted():
    return any(os.environ.get(name) for name in SOCKETS)


def library():
    """Lanescope's libcuda.so.1."""
    if not is_hosted():
        raise LanescopeError(NOT_HOSTED)
    try:
        driver = ctypes.CDLL("libcuda.so.1")
        driver.lanescopeLaunches.argtypes = []
        driver.lanescopeLaunches.restype = ctypes.c_void_p
        driver.lanescopeFree.argtypes = [ctypes.c_void_p]
        driver.lanescopeFree.restype = None
        return driver
    except (OSError, AttributeError) as error:
        raise LanescopeError(f"the libcuda.so.1 of this process is not Lanescope's ({error}): LD_LIBRARY_PATH was "
                             "changed after `lanescope run`") from None


def take_launches():
    """Records of this process's launches since the last call, oldest first (run.json of `lanescope run`)."""
    driver = library()
    text = driver.lanescopeLaunches()
    if not text:
        raise LanescopeError("`lanescope run` does not answer: it has ended; start Jupyter or the kernel again")
    try:
        content = ctypes.string_at(text)
    finally:
        driver.lanescopeFree(text)
    return json.loads(content) if content else []


class Latest:
    """The records that last() gives, and the folder of the run."""

    def __init__(self):
        self.records, self.folder = [], None

    def take(self):
        """The new launches, which become the latest ones."""
        self.records = take_launches()
        kept = [record["path"] for record in self.records if record.get("path")]
        self.folder = os.path.dirname(kept[-1]) if kept else self.folder
        return self.records

    def update(self):
        """The new launches, or if there are none those before."""
        before = self.records
        self.records = self.take() or before
        return self.records


latest = Latest()


def last():
    """The records of the launches of the last cell with %%lanescope, or of those since; the same ones again if there
    were none. A record has kernel, grid, block, sectors, ideal_sectors, wavefronts, ideal_wavefronts, findings, ..."""
    return [dict(record) for record in latest.update()]


def outer_environment():
    """The environment without what `lanescope run` put into it: the window must not take this run's driver for a GPU."""
    own = [folder + "/" for folder in os.environ.get("LANESCOPE_LIBRARIES", "").split(":") if folder]
    environment = {name: value for name, value in os.environ.items() if name not in SOCKETS}
    for name in ("LD_LIBRARY_PATH", "PATH"):
        kept = [entry for entry in environment.get(name, "").split(":")
                if entry and not (entry + "/").startswith(tuple(own))]
        environment.pop(name, None)
        if kept:
            environment[name] = ":".join(kept)
    return environment


def lanescope_program():
    """The path of the program of this run; else of the one on the PATH, else of the one of the wheel."""
    path = os.environ.get("LANESCOPE_PROGRAM") or shutil.which("lanescope")
    if path:
        return os.path.abspath(path)
    try:
        from lanescope_program import PROGRAM
        return PROGRAM
    except ImportError:
        raise LanescopeError("the program lanescope was not found: put it on the PATH, or its path into the variable "
                             "LANESCOPE_PROGRAM") from None


def run_lanescope(*words, seconds=60, folder=None, output=subprocess.DEVNULL):
    """Runs the lanescope program to its end, in `folder`, its stdout into the file `output`. Returns its exit status and
    what it wrote to stderr."""
    try:
        done = subprocess.run([lanescope_program(), *words], stdin=subprocess.DEVNULL, stdout=output,
                              stderr=subprocess.PIPE, text=True, errors="replace", timeout=seconds,
                              cwd=folder, env=outer_environment())
    except (OSError, subprocess.TimeoutExpired) as error:
        raise LanescopeError(f"`lanescope {words[0]}` gave no answer: {error}") from None
    return done.returncode, done.stderr.strip()


def open_window():
    """Opens Lanescope's window on the launches of this run."""
    if not is_hosted():
        raise LanescopeError(NOT_HOSTED)
    latest.update()
    folder = latest.folder
    if folder is None:
        raise LanescopeError(NOT_KEPT)
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        raise LanescopeError(f"this machine has no display: copy the folder {folder} to one that has, and run "
                             "`lanescope open FOLDER` there")
    start_window(folder)


def start_window(folder):
    """The window outlives this process, so what it says goes to a file."""
    with tempfile.TemporaryFile("w+") as said:
        window = subprocess.Popen([lanescope_program(), "open", folder], stdin=subprocess.DEVNULL, stdout=said, stderr=said,
                                  start_new_session=True, env=outer_environment())
        try:
            status = window.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return
        if status != 0:
            said.seek(0)
            raise LanescopeError(f"the window did not open: {said.read().strip()}")
