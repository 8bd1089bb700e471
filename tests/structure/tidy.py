"""clang-tidy 19 finds nothing in one folder of app/ (.clang-tidy says what it looks for).

Method: the files and their flags come from the build's compile_commands.json. A file that was clean is not checked
again while none of its inputs changed: its command, the checks, this tool, and every header that the compiler
read for it (ninja keeps that list; headers of the system count by size and date). Clean results are kept as empty files
named after that content in .cache/tidy, so branches can be changed to and fro.
Usage: tidy.py BUILD_FOLDER FOLDER_OF_APP. Exit status: 0 clean, 1 with findings, 77 where clang-tidy-19 is missing.
"""

import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOISE = re.compile(r"\d+ warnings? (generated|treated)|^Suppressed|^Use -header-filter|^Use -system-headers")

# The build is g++'s: clang ignores the flags, pragmas and precompiled headers that it does not support, and what the library's own
# std::stable_sort uses.
FOR_CLANG = tuple(f"--extra-arg=-Wno-{name}" for name in
                  ("unknown-warning-option", "unknown-pragmas", "deprecated-declarations", "ignored-gch"))


INCLUDED = re.compile(r'^#include "(.+)"$', re.MULTILINE)


def commands_of(build):
    """The build's compile commands, one for each file: those that are compiled as one have the same."""
    entries = []
    for entry in json.loads((build / "compile_commands.json").read_text()):
        file = pathlib.Path(entry["file"])
        parts = INCLUDED.findall(file.read_text()) if "Unity" in file.parts and file.is_file() else [entry["file"]]
        entries += [{**entry, "file": part, "command": entry["command"].replace(f" -c {file}", f" -c {part}")}
                    for part in parts]
    return entries


def read_by_object(build):
    """object -> files that the compiler read for it, as ninja noted them."""
    text = subprocess.run(["ninja", "-C", str(build), "-t", "deps"], capture_output=True, text=True).stdout
    found, current = {}, []
    for line in text.splitlines():
        if line.startswith(" "):
            current.append(line.strip())
        elif line.endswith("(VALID)"):
            current = found[line.split(":")[0]] = []
        else:
            current = []
    return found


def mark_of(path):
    """Our own files count by content, all others by size and date."""
    if path.is_relative_to(ROOT / "app"):
        return hashlib.sha256(path.read_bytes()).hexdigest()
    status = path.stat()
    return f"{status.st_size} {status.st_mtime_ns}"


def content_key(entry, build, read, version):
    """None where ninja has no dependencies of the file: then it is checked every time."""
    if not read:
        return None
    parts = [version, entry["command"], (ROOT / ".clang-tidy").read_text()]
    for name in sorted(set(read)):
        path = (build / name).resolve()
        if not path.is_file():
            return None
        parts.append(f"{path} {mark_of(path)}")
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def main():
    build, folder = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    tool = shutil.which("clang-tidy-19")
    if not tool:
        print("clang-tidy-19 is not installed; tests/run installs it")
        return 77
    version = subprocess.run([tool, "--version"], capture_output=True, text=True).stdout
    clean = ROOT / ".cache/tidy"
    clean.mkdir(parents=True, exist_ok=True)
    read = read_by_object(build)
    entries = {}
    for entry in commands_of(build):
        file = pathlib.Path(entry["file"])
        if file.suffix == ".cpp" and file.is_relative_to(ROOT / "app" / folder):  # the checks are those of C++
            entries.setdefault(entry["file"], entry)  # a file that is compiled twice is looked at once
    commands = clean / folder  # CTest runs this for several folders at the same time
    commands.mkdir(exist_ok=True)
    (commands / "compile_commands.json").write_text(json.dumps(list(entries.values())))
    unclean = looked_at = 0
    for file, entry in sorted(entries.items()):
        made = re.search(r" -o (\S+)", entry["command"])
        key = content_key(entry, build, read.get(made[1]) if made else None, version)
        if key and (clean / key).exists():
            continue
        looked_at += 1
        done = subprocess.run([tool, "-p", str(commands), "--quiet", *FOR_CLANG, file], capture_output=True, text=True)
        if done.returncode == 0:
            if key:
                (clean / key).touch()
            continue
        unclean += 1
        print("\n".join(line for line in (done.stdout + done.stderr).splitlines() if not NOISE.search(line)))
    print(f"app/{folder}: {len(entries)} files, {looked_at} looked at, {unclean} with findings")
    return 1 if unclean else 0


if __name__ == "__main__":
    sys.exit(main())
