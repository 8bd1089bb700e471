"""clang-format 19 would change nothing in our C++ and CUDA files.

Golden inputs and data are not ours to lay out, .def tables are laid out by hand.
Exit status: 0 clean, 1 with the places, 77 where clang-format-19 is not installed.
"""

import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("app", "kernels", "tests")
NOT_OURS = ("tests/golden", "tests/data")


def main():
    tool = shutil.which("clang-format-19")
    if not tool:
        print("clang-format-19 is not installed; tests/run installs it")
        return 77
    files = [str(path) for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*"))
             if path.suffix in (".cpp", ".h", ".cu", ".cuh")
             and not str(path.relative_to(ROOT)).startswith(NOT_OURS)]
    done = subprocess.run([tool, "--dry-run", "-Werror", *files], cwd=ROOT)
    print(f"{len(files)} files looked at")
    if done.returncode != 0:
        print("to mend them: clang-format-19 -i FILE")
    return 1 if done.returncode != 0 else 0


if __name__ == "__main__":
    sys.exit(main())
