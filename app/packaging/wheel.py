"""Makes a wheel of an installation: the program as Python's package `lanescope_program`, the module `lanescope`, Jupyter's kernel, and
what a desktop, a shell and `man` look for.

Usage: wheel.py [--tag TAG] INSTALLATION FOLDER. Prints the path of the wheel. Method: a zip in a fixed order with the time of SOURCE_DATE_EPOCH, so
that the same installation makes the same bytes; no build back end. An archive keeps no links, so the names without a version that
belong to libraries are left out: `lanescope run` makes them (app/shell/hosting/hosted_run.cpp). The tag says the oldest glibc, from the
versions that the program and its libraries name; what they load must be in the wheel or on every Linux.
Source: https://packaging.python.org/en/latest/specifications/binary-distribution-format/, PEP 600. Test: tests/packages/wheel_test.py
"""

import argparse
import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import time
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What PEP 600 expects of a system, as far as the program asks for it; libz comes along all the same.
OF_EVERY_LINUX = {"ld-linux-x86-64.so.2", "libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libgcc_s.so.1",
                  "libstdc++.so.6"}
NEWEST_GLIBC = 35  # 2.35: Ubuntu 22.04, Debian 12
NEWEST_GLIBCXX = 30  # 3.4.30: the C++ library of GCC 12, which comes with them
# Where pip puts them: below the environment or the person's ~/.local.
SHARED = ("man", "bash-completion", "zsh", "fish", "applications", "icons", "mime")


class Failure(Exception):
    """What was expected, what was found, and what to do, in a sentence."""


def requirements_of(file):
    """["NAME>=VERSION,<MAJOR + 1"] of a list of pins: an exact version would conflict with those of other packages, as Numba's."""
    lines = [line.split("#")[0].split() for line in file.read_text().splitlines()]
    pins = [words[0].split("==") for words in lines if words]
    return [f"{name}>={version},<{int(version.split('.')[0]) + 1}" for name, version in pins]


def files_of(installation, version):
    """[path in the wheel] of each file, as (mode, bytes)."""
    found = {}

    def add(path, file):
        found[path] = (0o755 if file.stat().st_mode & 0o100 else 0o644, file.read_bytes())

    def add_all(folder, place, keep=lambda path: True):
        for file in folder.rglob("*"):
            path = file.relative_to(folder)
            if file.is_file() and not file.is_symlink() and "__pycache__" not in path.parts and keep(path):
                add(f"{place}/{path}", file)

    data = f"lanescope-{version}.data/data/share"
    for name in ("bin", "lib/lanescope", "share/lanescope"):
        add_all(installation / name, f"lanescope_program/{name}")
    for name in SHARED:
        add_all(installation / "share" / name, f"{data}/{name}")
    add(f"{data}/jupyter/kernels/lanescope/kernel.json", ROOT / "app/packaging/kernel.json")
    add_all(installation / "lib/python3/dist-packages/lanescope", "lanescope")
    add_all(ROOT / "app/python/lanescope_program", "lanescope_program")
    return found


def metadata(installation, version):
    sets = installation / "share/lanescope/third_party"
    lines = ["Metadata-Version: 2.1", "Name: lanescope", f"Version: {version}", "Summary: Shows what a CUDA kernel does to memory",
             "License: MIT", "Requires-Python: >=3.9", "Classifier: Operating System :: POSIX :: Linux",
             *(f"Requires-Dist: {pin}" for pin in requirements_of(sets / "pypi-cuda.txt")), "Provides-Extra: programs",
             *(f'Requires-Dist: {pin}; extra == "programs"' for pin in requirements_of(sets / "pypi-nvcc.txt")), "Provides-Extra: mcp",
             'Requires-Dist: mcp>=2,<3; extra == "mcp"']
    return "\n".join(lines) + """

Lanescope runs CUDA kernels in an emulator, with no GPU, records every address of every warp, and draws banks, sectors, partitions and
blocks. `lanescope` opens the window, `lanescope --help` lists what works without one.
"""


def tag_of(installation):
    """py3-none-manylinux_2_MINOR_x86_64, by what the program and its libraries ask for."""
    glibc, names, wanted = 0, set(), {}
    for path in [installation / "bin/lanescope", *(installation / "lib/lanescope").rglob("lib*.so.*")]:
        said = subprocess.run(["readelf", "-dVW", path], check=True, capture_output=True, text=True).stdout
        names.add(path.name)
        wanted.update((name, path) for name in re.findall(r"\(NEEDED\).*\[(.*)\]", said))
        glibc = max([glibc, *map(int, re.findall(r"Name: GLIBC_2\.(\d+)", said))])
        newest = max([0, *map(int, re.findall(r"Name: GLIBCXX_3\.4\.(\d+)", said))])
        if newest > NEWEST_GLIBCXX:
            raise Failure(f"{path} asks for GLIBCXX_3.4.{newest}, and 3.4.{NEWEST_GLIBCXX} was expected at most; build it with g++ 12")
    for name, path in wanted.items():
        if name not in names | OF_EVERY_LINUX:
            raise Failure(f"{path} loads {name}, which is neither in the wheel nor on every Linux; build with -DLANESCOPE_PORTABLE=ON")
    if glibc > NEWEST_GLIBC:
        raise Failure(f"the program asks for glibc 2.{glibc}, and 2.{NEWEST_GLIBC} was expected at most; build it on Debian 12")
    return f"py3-none-manylinux_2_{glibc}_x86_64"


def make_wheel(installation, folder, version, tag=None, level=9):
    """`tag`: of a wheel for this machine alone, whose libraries are not checked; `level`: of the compression."""
    files = files_of(installation, version)
    tag = tag or tag_of(installation)
    info = f"lanescope-{version}.dist-info"
    last = {"METADATA": metadata(installation, version),
            "WHEEL": f"Wheel-Version: 1.0\nGenerator: lanescope\nRoot-Is-Purelib: false\nTag: {tag}\n",
            "entry_points.txt": "[console_scripts]\nlanescope = lanescope_program:main\n",
            "licenses/copyright": (ROOT / "app/packaging/copyright").read_text()}
    entries = sorted(files.items()) + [(f"{info}/{name}", (0o644, text.encode())) for name, text in last.items()]
    record = "".join(f"{path},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}\n"
                     for path, (_, data) in entries) + f"{info}/RECORD,,\n"
    entries.append((f"{info}/RECORD", (0o644, record.encode())))
    stamp = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", time.time())), 315_532_800))[:6]  # a zip begins in 1980
    wheel = folder / f"lanescope-{version}-{tag}.whl"
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as archive:
        for path, (mode, data) in entries:
            entry = zipfile.ZipInfo(path, stamp)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, (0o100000 | mode) << 16
            archive.writestr(entry, data)
    return wheel


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tag", help="of a wheel for this machine alone, whose libraries are not checked")
    parser.add_argument("installation", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    words = parser.parse_args()
    said = subprocess.run([words.installation / "bin/lanescope", "--version"], check=True, capture_output=True, text=True).stdout
    try:
        print(make_wheel(words.installation, words.folder, said.split()[-1], words.tag))
    except Failure as failure:
        print(f"wheel: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
