"""Time and memory until the first picture of a large saved trace. Method: a gather whose addresses are random is traced, its blocks are
repeated until the file has the size, and each command is run twice; the second time counts.

Usage: measure.py LANESCOPE [MIB] (default: 1024). It needs the compiler and MIB of disk; a screenshot needs no display.
"""

import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import time

SOURCE = """extern "C" __global__ void gather(const int* index, const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 64; ++k) sum += in[index[(i + k * 4096) % n] & 0xfffff];
  out[i] = sum;
}
"""
TRACED = ["--grid", "512", "--block", "256", "--arg", "index=i32[131072]:random(3)", "--arg", "in=f32[1048576]:zeros", "--arg",
          "out=f32[131072]:zeros", "--arg", "i32:131072", "--checks", "none", "--blocks", "all"]
BLOCKS = 512


def repeat(file, wanted_bytes):
    """Repeats the blocks of the trace, with numbers that go on."""
    database = sqlite3.connect(file)
    database.execute("PRAGMA journal_mode = OFF")
    rows = database.execute("SELECT max(rowid) FROM accesses").fetchone()[0]
    times = max(1, round(wanted_bytes / os.path.getsize(file)))
    for n in range(1, times):
        database.execute("INSERT INTO accesses SELECT cta + ?, warp, step, site, active, base, stride, list FROM accesses "
                         "WHERE rowid <= ? ORDER BY rowid", (BLOCKS * n, rows))
    database.execute("UPDATE trace SET value = ? WHERE key = 'grid'", (f"{BLOCKS * times},1,1",))
    database.commit()
    database.close()


def measured(words, folder):
    """(seconds, MiB at most, exit status) of the second run, and of what it started."""
    for _ in range(2):
        began = time.monotonic()
        process = subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.monotonic() - began
        process.returncode = os.waitstatus_to_exitcode(status)
    return seconds, used.ru_maxrss / 1024, process.returncode


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    mebibytes = int(sys.argv[2]) if len(sys.argv) > 2 else 1024
    with tempfile.TemporaryDirectory(prefix="lanescope-large-") as folder:
        (pathlib.Path(folder) / "gather.cu").write_text(SOURCE, encoding="utf-8")
        subprocess.run([program, "trace", "gather.cu", *TRACED, "--save", "large.lane"], cwd=folder, check=True, capture_output=True)
        file = os.path.join(folder, "large.lane")
        repeat(file, mebibytes << 20)
        print(f"large.lane: {os.path.getsize(file) / (1 << 20):.0f} MiB")
        commands = {"plot --figure sectors": [program, "plot", "large.lane", "--figure", "sectors", "-o", "a.svg"],
                    "plot --figure sectors --cta 500": [program, "plot", "large.lane", "--figure", "sectors", "--cta", "500", "-o", "b.svg"],
                    "handout --cta 500": [program, "handout", "large.lane", "--cta", "500", "-o", "d.html"],
                    "screenshot": [program, "screenshot", "large.lane", "-o", "c.png"]}
        for name, words in commands.items():
            seconds, most, status = measured(words, folder)
            print(f"{name}: {seconds:.2f} s, {most:.0f} MiB{'' if status == 0 else f', exit status {status}'}")


if __name__ == "__main__":
    main()
