"""Makes assets/recordings/peers/NAME.json of what measure.sh wrote, with the emulator's counts beside the GPU's.

Method: times.json is kept as it is; of ncu's raw page come the counters of metrics.txt, under names of our own; the same kernel in
the same size runs in the emulator. The GPU counts the requests of cp.async among the loads, so loads and copies are added up for
the emulator too; bulk copies pass by the pipe that has these counters.
Usage: keep_peers.py LANESCOPE MEASURED OUT.json DRIVER. Exit status: 0 fine, 1 with one sentence on standard error.
"""

import csv
import json
import pathlib
import re
import subprocess
import sys

L1 = "l1tex__{}_pipe_lsu_mem_global_op_{}.sum"
COUNTS = {
    "read_requests": [L1.format("t_requests", "ld")],
    "read_sectors": [L1.format("t_sectors", "ld")],
    "write_requests": [L1.format("t_requests", "st")],
    "write_sectors": [L1.format("t_sectors", "st")],
    "load_wavefronts": ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"],
    "store_wavefronts": ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"],
    "address_wavefronts": ["memory_l1_wavefronts_shared"],
}
UNITS = {"matrix_product": ("TFLOP/s", 1e12), "fast_as_copy": ("GB/s", 1e9), "radix": ("million keys/s", 1e6)}
LIMITS = {"sm_ghz": "SM Frequency", "compute_percent": "Compute (SM) Throughput", "dram_percent": "DRAM Throughput",
          "l2_percent": "L2 Cache Throughput", "l1_percent": "L1/TEX Cache Throughput", "ipc": "Executed Ipc Active",
          "registers": "Registers Per Thread"}
READS = ("global_load", "global_async_copy")


def measured(file):
    lines = file.read_text().splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith('"ID"'))
    rows = list(csv.DictReader(lines[start:]))[1:]  # the first row holds units
    products = {"naive", "coalesced", "shared_tile", "registers_1d", "registers_2d", "conflict_free", "double_buffered", "warp_tiles",
                "tensor_cores", "tensor_pipeline", "warpgroup"}
    seen = set()
    for row in rows:
        kernel = row["Kernel Name"]
        # Both lessons have a kernel of this name; the product's comes first.
        lesson = "matrix_product" if kernel in products or kernel == "vectorized" and kernel not in seen else "fast_as_copy"
        seen.add(kernel)
        yield lesson, kernel, {name: sum(int(row[metric].replace(",", "")) for metric in metrics) for name, metrics in COUNTS.items()}


def emulated(lanescope, lesson, kernel, size):
    # The presets of the rung, as measure.sh compiled it.
    sets = [f"kernel={kernel}", f"size={size}"] + (["swizzle=xor"] if kernel == "tensor_cores" else [])
    command = [lanescope, "trace", "--lesson", lesson, "--json", "--blocks", "none", "--checks", "none"]
    for one in sets:
        command += ["--set", one]
    totals = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["totals"]

    def total(kinds, count):
        return sum(totals.get(kind, {}).get(count, 0) for kind in kinds)

    return {"read_requests": total(READS, "requests"), "read_sectors": total(READS, "sectors"),
            "write_requests": total(["global_store"], "requests"), "write_sectors": total(["global_store"], "sectors"),
            "load_wavefronts": total(["shared_load"], "wavefronts"), "store_wavefronts": total(["shared_store"], "wavefronts"),
            "address_wavefronts": total(["shared_load", "shared_store", "shared_async_copy", "shared_tensor_load"], "wavefronts")}


def beside(entry):
    """The peer that an entry is compared with: it computes the same from the same types."""
    if entry["lesson"] == "fast_as_copy":
        return "cudaMemcpy, device to device"
    if entry["lesson"] == "radix":
        return "cub::DeviceRadixSort"
    halves = entry["name"].startswith("tensor") or entry["name"] in ("warpgroup", "cublasHgemm", "cublasGemmEx, sums in f32", "mma.sync alone")
    return "cublasHgemm" if halves else "cublasSgemm"


def limits(text):
    """ncu's words on the kernels that it profiled whole, one after another."""
    found = []
    # A kernel's part begins with its name, grid and block.
    for part in re.split(r"(?m)^  (?=\w+ \()", text)[1:]:
        one = {"name": re.match(r"\w+", part)[0]}
        for name, metric in LIMITS.items():
            value = re.search(re.escape(metric) + r"\s+\S+\s+([\d.,]+)$", part, re.M)
            one[name] = float(value[1].replace(",", ""))
        words = " ".join(part.split())
        pipe = re.search(r"(\w+) is the highest-utilized pipeline \(([\d.]+)%\)", words)
        one["pipeline"] = f"{pipe[1]} {pipe[2]} %" if pipe else ""
        one["stalls"] = [f"{cycles} cycles: {why}" for cycles, why in
                         re.findall(r"spends ([\d.]+) cycles being stalled waiting (.*?)\.(?: |$)", words)]
        found.append(one)
    return found


def main():
    if len(sys.argv) != 5:
        sys.exit("usage: keep_peers.py LANESCOPE MEASURED OUT.json DRIVER")
    lanescope, folder, out, driver = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]), sys.argv[4]
    recording = json.loads((folder / "times.json").read_text())
    recording["driver"] = driver
    counts = []
    for file in sorted(folder.glob("counts_*.csv"), key=lambda file: int(file.stem.split("_")[1])):
        size = int(file.stem.split("_")[1])
        for lesson, kernel, gpu in measured(file):
            counts.append({"lesson": lesson, "name": kernel, "size": size, "gpu": gpu,
                           "emulator": emulated(lanescope, lesson, kernel, size)})
    recording["units"] = {lesson: {"name": name, "scale": scale} for lesson, (name, scale) in UNITS.items()}
    recording["limits"] = limits((folder / "limits.txt").read_text())
    entries = [entry | {"beside": beside(entry)} for entry in recording.pop("entries")]
    recording["counts"] = counts
    recording["entries"] = entries
    # A line for each member, and for each element of the lists.
    members = [f"{json.dumps(key)}: " + ("[\n" + ",\n".join(map(json.dumps, value)) + "\n]" if isinstance(value, list) else json.dumps(value))
               for key, value in recording.items()]
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text("{\n" + ",\n".join(members) + "\n}\n")


if __name__ == "__main__":
    main()
