"""Fetches what only the page is built with (page.txt) into .cache/third_party/page, for app/page.

Method: pinned, hash-checked files of Debian 13's archive, unpacked and never installed, so that it needs no root and changes nothing of
the system. Emscripten's programs are for any machine and use the system's clang 19; Binaryen's are started by the loader and the C
library that they were built for. What is made: emscripten/ with a configuration of its own, binaryen/, and the sources NAME/ of each
library. app/page holds the lock of the set-up meanwhile. Usage: fetch_page.py PROJECT_ROOT. Exit status: 0 fine, 1 with one sentence on
standard error.
"""

import hashlib
import pathlib
import shutil
import subprocess
import sys
import tarfile
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import fetch

PLACES = ("http://deb.debian.org/debian/pool/main/", "https://snapshot.debian.org/archive/debian/20261101T000000Z/pool/main/")
LLVM = "/usr/lib/llvm-19/bin"
# Emscripten's tests and documents, and its libraries for kinds of programs that the page is none of: 1.2 of 1.7 GB.
LEFT_OUT = ("*/emscripten/test", "*/emscripten/docs", "*/emscripten/media", "*/wasm32-emscripten/lto*", "*/wasm32-emscripten/pic",
            "*san_*.a", "*-asan*.a", "./usr/share/doc", "./usr/share/man")


def download(name, sha256, folder):
    """The file at its hash, from the first place that has it."""
    path = folder / pathlib.PurePosixPath(name).name
    if path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == sha256:
        return path
    reason = ""
    for place in PLACES:
        try:
            with urllib.request.urlopen(place + urllib.request.quote(name), timeout=60) as stream, open(path, "wb") as file:
                shutil.copyfileobj(stream, file, 1 << 20)
        except (OSError, urllib.error.URLError) as error:
            reason = reason or f"{place} cannot be reached ({error})"
            continue
        if hashlib.sha256(path.read_bytes()).hexdigest() == sha256:
            return path
        path.unlink()
        reason = f"the file at {place} does not have the pinned hash"
    raise fetch.Failure(f"could not download {path.name}: {reason}")


def pins_of(list_path):
    """(file below pool/main, SHA-256) of each line."""
    for line in list_path.read_text().splitlines():
        line = line.partition("#")[0].split()
        if line:
            yield line[1], line[0]


def write_configuration(target, place):
    """`place`: where `target` will lie. No cache of its own is made: Debian's package has all libraries built."""
    folder = target / "emscripten"
    (folder / ".emscripten").write_text(
        f"LLVM_ROOT = '{LLVM}'\nBINARYEN_ROOT = '{place}/binaryen'\nNODE_JS = '/usr/bin/node'\nFROZEN_CACHE = True\n")
    (folder / "node_modules").symlink_to("../nodejs")  # its minifier wants acorn


def write_starters(target, place):
    """Binaryen's programs under their names, by the loader that they were linked for."""
    system = f"{place}/binaryen/system"
    (target / "binaryen/bin").mkdir()
    for program in sorted((target / "binaryen/system/bin").iterdir()):
        starter = target / "binaryen/bin" / program.name
        starter.write_text(f'#!/bin/sh\nexec {system}/lib64/ld-linux-x86-64.so.2 --library-path {system}/lib/x86_64-linux-gnu '
                           f'{system}/bin/{program.name} "$@"\n')
        starter.chmod(0o755)


def unpack_package(archive, folder):
    """Without dpkg's database: the files alone."""
    members = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(archive)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    subprocess.run(["tar", "-x", "-C", str(folder), "--no-same-owner", *(f"--exclude={pattern}" for pattern in LEFT_OUT)], check=True,
                   stdin=members.stdout)
    if members.wait() != 0:
        raise fetch.Failure(f"could not unpack {archive.name}: dpkg-deb ended with {members.returncode}")


def unpack_source(archive, folder):
    """The archive's files without its first folder."""
    with tarfile.open(archive) as tar:
        for member in tar:
            inside = member.name.removeprefix("./").partition("/")[2]
            if member.isfile() and inside and ".." not in pathlib.PurePosixPath(inside).parts:
                fetch.write(tar.extractfile(member), folder / inside)


def unpack(archives, target):
    packages = target / "packages"
    packages.mkdir()
    for archive in archives:
        if archive.suffix == ".deb":
            unpack_package(archive, packages)
        else:
            unpack_source(archive, target / archive.name.partition("_")[0])
    share = packages / "usr/share"
    (share / "emscripten").rename(target / "emscripten")
    (share / "nodejs").rename(target / "nodejs")
    system = target / "binaryen/system"
    system.mkdir(parents=True)
    for name in ("lib", "lib64"):
        (packages / "usr" / name).rename(system / name)
    (system / "bin").mkdir()
    for program in sorted((packages / "usr/bin").glob("wasm*")):
        program.rename(system / "bin" / program.name)
    shutil.rmtree(packages)


def make_page(root, cache):
    """CACHE/third_party/page, unless it is there and was made from the same pins and this script."""
    pins = root / "third_party/page.txt"
    place = cache / "third_party/page"
    mark = hashlib.sha256(pins.read_bytes() + pathlib.Path(__file__).read_bytes()).hexdigest()
    if (place / ".pins").is_file() and (place / ".pins").read_text() == mark:
        return
    fetch.say("fetching Emscripten and the sources of page.txt from Debian: 250 MB")
    part, downloads = place.with_name("page.part"), cache / "downloads/page"
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    downloads.mkdir(parents=True, exist_ok=True)
    archives = [download(name, sha256, downloads) for name, sha256 in pins_of(pins)]
    try:
        unpack(archives, part)
    except (OSError, subprocess.CalledProcessError, tarfile.TarError) as error:
        raise fetch.Failure(f"could not unpack what page.txt names: {error}") from error
    write_configuration(part, place)
    write_starters(part, place)
    (part / ".pins").write_text(mark)
    shutil.rmtree(place, ignore_errors=True)
    part.rename(place)
    shutil.rmtree(downloads, ignore_errors=True)


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    try:
        make_page(root, root / ".cache")
    except fetch.Failure as failure:
        fetch.say(str(failure))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
