"""Makes h200.csv in the folder OUTPUT (tests/data/layouts) from a run of run_layouts.sh: the rows of manifest.csv with Nsight
Compute's counters. usage: keep_layouts.py FOLDER NCU_CSV OUTPUT. FOLDER is what write_layouts wrote."""
import csv
import pathlib
import sys

PIPE = "l1tex__data_pipe_lsu_wavefronts_mem_shared"
COUNTERS = {"wavefronts": f"{PIPE}.sum", "load_wavefronts": f"{PIPE}_op_ld.sum", "store_wavefronts": f"{PIPE}_op_st.sum",
            "atomic_wavefronts": f"{PIPE}_op_atom.sum", "address_wavefronts": "memory_l1_wavefronts_shared",
            "ideal_wavefronts": "memory_l1_wavefronts_shared_ideal"}


def main(folder, ncu, output):
    with open(folder / "manifest.csv", newline="") as file:
        cases = list(csv.DictReader(file))
    lines = ncu.read_text().splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith('"ID"'))
    rows = list(csv.DictReader(lines[start:]))[1:]  # the first row holds units
    if [row["Kernel Name"] for row in rows] != [case["kernel"] for case in cases]:
        sys.exit(f"{ncu} does not hold the kernels of manifest.csv in their order; record again")
    kept = ("case", "layout", "element", "swizzle", "triton", "padding", "access")
    with open(output / "h200.csv", "w", newline="") as file:
        table = csv.writer(file, delimiter=";", lineterminator="\n")
        table.writerow((*kept, *COUNTERS))
        for case, row in zip(cases, rows):
            table.writerow((*(case[name] for name in kept),
                            *(int(row[metric].replace(",", "") or 0) for metric in COUNTERS.values())))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        raise SystemExit(__doc__)
    main(*map(pathlib.Path, sys.argv[1:]))
