"""Each file of app/ compiles by itself: in the build several are compiled as one, which hides an include that is missing.

Method: the compiler checks the syntax alone, with the flags and the precompiled header of the build. A file that was right is
not checked again while none of its inputs changed (tidy.py): .cache/alone has an empty file named after their content.
Usage: alone.py BUILD_FOLDER. Exit status: 0 clean, 1 with the compiler's errors.
"""

import concurrent.futures
import os
import pathlib
import re
import shlex
import subprocess
import sys

from tidy import ROOT, commands_of, content_key, read_by_object


def object_of(entry):
    """Of all files that are compiled together."""
    made = re.search(r" -o (\S+)", entry["command"])
    return made[1] if made else ""


def syntax_command(command):
    """The command without what it writes, its launcher and its warnings."""
    words = [word for word in shlex.split(command) if not word.startswith("-W") and not word.endswith("/ccache")]
    output = words.index("-o")
    return words[:output] + words[output + 2:] + ["-w", "-fsyntax-only"]


def is_right(entry, key, clean):
    done = subprocess.run(syntax_command(entry["command"]), cwd=entry["directory"], capture_output=True, text=True)
    if done.returncode == 0 and key:
        (clean / key).touch()
    if done.returncode != 0:
        print(done.stderr)
    return done.returncode == 0


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    clean = ROOT / ".cache/alone"
    clean.mkdir(parents=True, exist_ok=True)
    read = read_by_object(build)
    together = {}
    for entry in commands_of(build):
        if "/Unity/" in object_of(entry) and pathlib.Path(entry["file"]).is_relative_to(ROOT / "app"):
            together.setdefault(entry["file"], entry)  # one for each instruction set is enough
    changed = []
    for entry in together.values():
        key = content_key(entry, build, read.get(object_of(entry)), "syntax")
        if not key or not (clean / key).exists():
            changed.append((entry, key))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
        wrong = sum(not right for right in threads.map(lambda one: is_right(*one, clean), changed))
    print(f"{len(together)} files, {len(changed)} looked at, {wrong} that do not compile by themselves")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
