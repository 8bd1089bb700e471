"""Makes tests/data/h200 from what a GPU run brought back (tests/data/h200/README.md has the whole way).

Method: outputs.csv (hashes of every buffer) and gpu.json are taken as they are; the counters are taken from Nsight Compute's
raw page, a row per launch in the order of kernels.toml, under names of our own; buffers of kernels that state a bound in
kernels.toml are kept as bytes too, compressed.
Usage: keep_recording.py PROJECT OUTPUTS NCU_CSV. Exit status: 0 fine, 1 with one sentence on standard error.
"""

import csv
import gzip
import pathlib
import shutil
import sys
import tomllib

COUNTERS = {
    **{f"{space}_{kind}_{what}": f"l1tex__t_{what}_pipe_lsu_mem_{space}_op_{op}.sum"
       for space, kinds in (("global", ("ld", "st", "atom", "red")), ("local", ("ld", "st")))
       for op, kind in (("ld", "load"), ("st", "store"), ("atom", "atomic"), ("red", "reduction")) if op in kinds
       for what in ("requests", "sectors")},
    **{f"shared_{kind}_wavefronts": f"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{op}.sum"
       for op, kind in (("ld", "load"), ("st", "store"), ("atom", "atomic"))},
    "shared_address_wavefronts": "memory_l1_wavefronts_shared",
    "shared_ideal_wavefronts": "memory_l1_wavefronts_shared_ideal",
    "global_theoretical_sectors": "memory_l2_theoretical_sectors_global",
}


def title(kernel):
    return ".".join(filter(None, (kernel["name"], kernel.get("run"))))


def keep_counters(kernels, ncu, place):
    lines = ncu.read_text().splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith('"ID"'))
    rows = list(csv.DictReader(lines[start:]))[1:]  # the first row holds units
    if [row["Kernel Name"] for row in rows] != [kernel["name"] for kernel in kernels]:
        sys.exit(f"{ncu} does not hold the launches of kernels.toml in their order; record again")
    with open(place, "w") as file:
        print("kernel", *COUNTERS, sep=",", file=file)
        for kernel, row in zip(kernels, rows):
            # A metric that a launch has nothing to say about is empty.
            print(title(kernel), *(int(row[metric].replace(",", "") or 0) for metric in COUNTERS.values()),
                  sep=",", file=file)


def keep_bytes(kernels, outputs, place):
    for old in place.glob("*.gz"):
        old.unlink()
    for kernel in kernels:
        if "largest_ulp" in kernel or "largest_absolute" in kernel:
            buffers = [argument for argument in kernel["arguments"] if "[" in argument]
            for number, argument in enumerate(buffers):
                if ":zeros" in argument:  # the others are inputs
                    stem = f"{title(kernel)}.{number}"
                    # No time stamp: the same bytes make the same file.
                    (place / f"{stem}.gz").write_bytes(gzip.compress((outputs / f"{stem}.bin").read_bytes(), 9, mtime=0))


def main():
    project, outputs, ncu = map(pathlib.Path, sys.argv[1:4])
    kernels = tomllib.loads((project / "tests/kernels/kernels.toml").read_text())["kernel"]
    place = project / "tests/data/h200"
    place.mkdir(exist_ok=True)
    for name in ("outputs.csv", "gpu.json"):
        shutil.copy(outputs / name, place / name)
    keep_counters(kernels, ncu, place / "counters.csv")
    keep_bytes(kernels, outputs, place)


if __name__ == "__main__":
    main()
