"""A program with a CuTe kernel, taken as it is: which values ldmatrix gives each lane, that the swizzle leaves no bank
conflict, and that the second run takes the PTX from the cache. CUTLASS's headers are taken from .cache/cutlass of this
project, or from the folder that LANESCOPE_CUTLASS_INCLUDE names; without them the test is skipped (status 77)."""

import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77


def expected(lane, index):
    """Operand A of mma.m16n8k16 in f16 (PTX ISA, "Matrix Fragments for mma.m16n8k16"): of 8 values two are neighbors,
    two pairs are 8 rows apart, two of these 8 columns; then 2 tiles of 16 rows and 4 of 16 columns."""
    value, tile = index % 8, index // 8
    row = lane // 4 + 8 * (value // 2 % 2) + 16 * (tile % 2)
    column = 2 * (lane % 4) + value % 2 + 8 * (value // 4) + 16 * (tile // 2)
    return 64 * row + column


def main():
    program = sys.argv[1]
    headers = pathlib.Path(os.environ.get("LANESCOPE_CUTLASS_INCLUDE", ROOT / ".cache/cutlass/include"))
    if not (headers / "cute/tensor.hpp").exists():
        print("skipped: CUTLASS's headers are not here; pip download --no-deps nvidia-cutlass, and unpack its "
              "cutlass_library/source/include to .cache/cutlass/include")
        return SKIPPED
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        words = [program, "trace", str(ROOT / "tests/programs/swizzled_tile.cu"), "-I", str(headers), "--block", "32",
                 "--arg", "f16[32x64]:iota", "--arg", "f16[2048]:zeros", "--dump", f"1={folder / 'out'}",
                 "--json", str(folder / "report")]
        for run in range(2):
            start = time.monotonic()
            done = subprocess.run(words, capture_output=True, text=True)
            seconds = time.monotonic() - start
            if done.returncode != 0:
                print(done.stderr)
                return 1
            print(f"run {run + 1}: {seconds:.2f} s")
        report = json.loads((folder / "report").read_text())
        values = struct.unpack("<2048e", (folder / "out").read_bytes())
    wrong = [f"lane {lane}, value {n}: {values[64 * lane + n]}, {expected(lane, n)} was expected"
             for lane in range(32) for n in range(64) if values[64 * lane + n] != expected(lane, n)]
    loads = [site for site in report["sites"] if site["ptx"].startswith("ldmatrix")]
    if len(loads) != 8 or any(site["wavefronts"] != site["ideal_wavefronts"] for site in loads):
        wrong.append("8 ldmatrix without conflict were expected")
    if seconds > 3:
        wrong.append("the second run was expected to take its PTX from the cache")
    print("\n".join(wrong[:5]) or "right")
    return wrong != []


if __name__ == "__main__":
    sys.exit(main())
