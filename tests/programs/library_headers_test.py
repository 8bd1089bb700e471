#!/usr/bin/env python3
"""Holds Lanescope's headers of cuBLAS, cuRAND and cuFFT against NVIDIA's: library_headers_test.py COMPILER

Each enumerator has NVIDIA's value, and each function NVIDIA's parameters: after NVIDIA's header, the same compilation
declares ours again, which a compiler of C++ refuses where they differ. Skipped (77) where no toolkit has NVIDIA's headers.
Standard library only."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
OURS = ROOT / "app/driver/libraries/include"
HEADERS = ("cublas_api.h", "cublasLt.h", "curand.h", "cufft.h", "cufftXt.h")
SKIPPED = 77


def folder_of(header):
    """The include folder of the toolkit that has the header; none if there is none."""
    homes = [os.environ.get(name, "") for name in ("CUDA_HOME", "CUDA_PATH")]
    homes += sorted(map(str, pathlib.Path("/usr/local").glob("cuda*")), reverse=True)
    return next((pathlib.Path(home, "include") for home in homes if home and pathlib.Path(home, "include", header).exists()), None)


def enumerators(text):
    """name -> value of all enums."""
    found = {}
    for body in re.findall(r"\benum\s*\w*\s*\{([^}]*)\}", text):
        value = -1
        for one in filter(None, (each.strip() for each in body.split(","))):
            name, _, given = map(str.strip, one.partition("="))
            value = int(given, 0) if given else value + 1
            found[name] = value
    return found


def main():
    compiler = sys.argv[1]
    checked = 0
    for header in HEADERS:
        theirs, ours = folder_of(header), OURS / header
        if theirs is None or not ours.exists():
            continue
        text = re.sub(r"/\*.*?\*/|//[^\n]*", "", ours.read_text(encoding="utf-8"), flags=re.S)
        values = enumerators(text)
        assert values or "enum" not in text, f"{header}: no enumerators were found"
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "both.cpp")
            source.write_text(
                f"#include <{theirs}/{header}>\n#define LANESCOPE_FUNCTIONS_ALONE\n#include \"{ours}\"\n"
                + "".join(f'static_assert({name} == {value}, "{name}");\n' for name, value in values.items()), encoding="utf-8")
            done = subprocess.run([compiler, "-fsyntax-only", "-std=c++17", f"-I{theirs}", f"-I{OURS}", str(source)], capture_output=True,
                                  text=True, check=False)
        if done.returncode != 0:
            sys.exit(done.stderr[:4000])
        checked += 1
        print(f"{header}: {len(values)} values, and the functions' parameters, are those of {theirs}")
    if checked == 0:
        print("skipped: no CUDA toolkit here has NVIDIA's headers; install one, or set CUDA_HOME")
        sys.exit(SKIPPED)


if __name__ == "__main__":
    main()
