"""Runs verbs of the lanescope program for the server: each with limits of time, memory and output, and kept from the other files.

Method: confine.py limits a process and becomes the program, which leads a process group of its own; the group is killed when its time is
over, when the call is cancelled, and when the server ends. Tests: tests/mcp
"""

import contextlib
import dataclasses
import json
import os
import re
import signal
import subprocess
import sys

import anyio

from lanescope import program
from lanescope.program import LanescopeError

CONFINE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "confine.py")
SYSTEM = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache", "/dev/null", "/dev/urandom", "/sys/devices/system/cpu")

SECONDS_OF_FETCH = 600


@dataclasses.dataclass
class Limits:
    """Their defaults: __main__.py."""
    seconds: int      # of the clock, for each run of the program
    memory_mib: int   # of address space, for each process
    file_mib: int     # of each file that a run writes
    output_kib: int   # of standard output, and of standard error, that are read
    source_kib: int   # of a source, and of each header of the folder
    answer_kib: int   # of the text of an answer
    at_once: int      # calls that run; others wait


@dataclasses.dataclass
class Ended:
    status: int      # the exit status; negative: the signal
    output: str
    complaint: str   # what it wrote to standard error


class OutOfTime(LanescopeError):
    """A run was ended by its limit of time."""


class Runner:
    """`root`: the folder that may be read; `has_walls`: whether Landlock keeps the program within it."""

    def __init__(self, limits, root, has_walls=True):
        self.limits, self.root, self.has_walls = limits, root, has_walls
        self.program = os.path.realpath(program.lanescope_program())
        self.compiler = []

    def walls(self, scratch, is_host_code):
        """The places that the program reads and writes; of host code all that the person may."""
        if is_host_code or not self.has_walls:
            return {"read": None, "write": None}
        home = os.path.dirname(os.path.dirname(self.program))
        # Of a wheel the parent folder has NVIDIA's packages (app/shell/paths.h).
        homes = [home, os.path.dirname(home)] if os.path.exists(os.path.join(home, "__init__.py")) else [home]
        cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
        caches = [os.path.join(home, ".cache"), os.path.join(cache, "lanescope")]
        return {"read": [*SYSTEM, *homes, *caches, *self.compiler, self.root, scratch], "write": [scratch, *caches, "/dev/null"]}

    async def prepare(self, scratch):
        """Finds the places of NVIDIA's compiler. An installation fetches it when it is first needed, which the walls would keep it from. What
        fails, the calls say."""
        with open(os.path.join(scratch, "empty.cu"), "w", encoding="utf-8") as file:
            file.write("__global__ void nothing() {}\n")
        with contextlib.suppress(LanescopeError):
            await self.run(["kernels", "empty.cu"], scratch, scratch, is_host_code=True, seconds=SECONDS_OF_FETCH)
            said = await self.run(["doctor"], scratch, scratch, is_host_code=True)
            self.compiler = compiler_places(said.output)

    async def run(self, words, folder, scratch, is_host_code=False, seconds=None):
        """Runs `lanescope WORDS` in `folder` to its end. `scratch`: a folder that it may write; `seconds`: in place of the limit. Errors:
        its time (OutOfTime) or memory was over."""
        limits = {"memory_mib": self.limits.memory_mib, "file_mib": self.limits.file_mib, **self.walls(scratch, is_host_code)}
        command = [sys.executable, "-I", "-S", "-B", CONFINE, json.dumps(limits), self.program, *words]
        environment = {**program.outer_environment(), "TMPDIR": scratch}
        try:
            process = await anyio.open_process(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                               cwd=folder, env=environment, start_new_session=True)
        except OSError as error:
            raise LanescopeError(f"lanescope cannot be started: {error.strerror}") from None
        texts = {"stdout": b"", "stderr": b""}
        most = self.limits.output_kib << 10

        async def read(name, is_read):
            async for part in getattr(process, name):
                texts[name] += part[:most - len(texts[name])]
            is_read.set()

        seconds = seconds or self.limits.seconds
        try:
            with anyio.move_on_after(seconds) as in_time:
                async with anyio.create_task_group() as readers:
                    ends = {name: anyio.Event() for name in texts}
                    for name, is_read in ends.items():
                        readers.start_soon(read, name, is_read)
                    await process.wait()
                    # A process that the program left behind may hold the pipes.
                    with anyio.move_on_after(1):
                        for is_read in ends.values():
                            await is_read.wait()
                    readers.cancel_scope.cancel()
        finally:
            end_group(process.pid)
            if is_host_code:
                end_left_behind(scratch)
            with anyio.CancelScope(shield=True):
                await process.aclose()
        if in_time.cancelled_caught:
            raise OutOfTime(f"`lanescope {words[0]}` did not end within {seconds} s and was stopped: is there an "
                                 "endless loop? Use a smaller grid and smaller buffers, or start the server with a larger --seconds")
        return self.judged(words[0], Ended(process.returncode, *(one.decode(errors="replace") for one in texts.values())))

    def judged(self, verb, ended):
        if ended.status == -signal.SIGXFSZ:
            raise LanescopeError(f"`lanescope {verb}` wrote a file of more than {self.limits.file_mib} MiB and was stopped; use a "
                                 "smaller launch, or start the server with a larger --file-mib")
        if ended.status < 0 or "there is not enough memory" in ended.complaint:
            raise LanescopeError(f"`lanescope {verb}` was ended by the system, mostly for memory: a run has {self.limits.memory_mib} MiB; "
                                 "use a smaller launch, or start the server with a larger --memory-mib")
        return ended


def compiler_places(doctor):
    """The folders of NVRTC and of its headers, as `lanescope doctor` names them. The library's name may be a link."""
    libraries = re.findall(r"^compiler +yes .* in (/.*)$", doctor, re.MULTILINE)
    folders = [os.path.dirname(path) for one in libraries for path in (one, os.path.realpath(one))]
    return folders + re.findall(r"^headers +yes +(/.*)$", doctor, re.MULTILINE)


def end_group(leader):
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def end_left_behind(scratch):
    """Ends what left the group of a program: it has the folder of the call in its environment."""
    for number in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            with open(f"/proc/{number}/environ", "rb") as file:
                is_of_call = f"TMPDIR={scratch}".encode() in file.read().split(b"\0")
            if is_of_call:
                os.kill(int(number), signal.SIGKILL)
