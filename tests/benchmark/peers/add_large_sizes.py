#!/usr/bin/env python3
"""Adds the times of sizes that `lanescope record` leaves out to a recording: those of peers/NAME.json, made on the same GPU.

Method: of each kernel text of NAME.lessons.json that measure.sh built with the same macros, the times in every size that the text does
not have. Bytes grow with the square of the size. The driver's copies go to the recording's copies.
Usage: add_large_sizes.py PEERS.json RECORDING.json. Exit status: 0 fine, 1 with one sentence on standard error.
"""

import json
import pathlib
import sys

# The macros of a kernel that measure.sh compiles without -D, as its source defines them.
DEFAULTS = {"hints": ["READ=1", "WRITE=1"], "bulk": ["ORDER=1"], "ordered": ["ORDER=1"], "conflict_free": ["HALVES=1", "PADDING=4"],
            "double_buffered": ["PADDING=4"], "tensor_cores": ["SWIZZLE=1"]}
BYTES_OF_256 = {"matrix_product": (786432, 393216), "fast_as_copy": (524288,)}  # in floats, in halves
COPY = "cudaMemcpy, device to device"


def times_of(number_of_bytes, entry):
    order = ("minimum", "lower_quartile", "median", "upper_quartile")
    return [number_of_bytes] + [float(f"{entry[cache][part] * 1e-6:.6g}") for cache in ("cold", "warm") for part in order]


def kernel_and_macros(entry):
    kernel, _, macros = entry["name"].partition(" ")
    return kernel, sorted(macros.split(",")) if macros else DEFAULTS.get(kernel, [])


def add(peers, recording):
    for entry in peers["entries"]:
        size = str(entry["size"])
        if entry["name"] == COPY:
            of_one = entry["size"] ** 2 * 4
            recording["copies"].setdefault(str(of_one), times_of(2 * of_one, entry))
        if entry["peer"] or entry["lesson"] not in BYTES_OF_256:
            continue
        kernel, macros = kernel_and_macros(entry)
        for text in recording["texts"].values():
            small = text["sizes"].get("256")
            if text["kernel"] == kernel and text["defines"] == macros and small and small[0] in BYTES_OF_256[entry["lesson"]]:
                text["sizes"].setdefault(size, times_of(small[0] * (entry["size"] // 256) ** 2, entry))


def lines_of(table):
    return "{" + ", ".join(f"{json.dumps(key)}: {json.dumps(table[key])}" for key in sorted(table, key=int)) + "}"


def write(recording, file):
    """With a line for each key and text, as `lanescope record` writes it."""
    lines = []
    for key, value in recording.items():
        if key == "copies":
            lines.append(f'"copies": {lines_of(value)}')
        elif key != "texts":
            lines.append(f"{json.dumps(key)}: {json.dumps(value)}")
    texts = []
    for key, text in recording["texts"].items():
        counts = {size: json.dumps(values, separators=(",", ":")) for size, values in text.get("counts", {}).items()}
        line = (f'{json.dumps(key)}: {{"kernel": {json.dumps(text["kernel"])}, '
                f'"defines": {json.dumps(text["defines"], separators=(",", ":"))}, "sizes": {lines_of(text["sizes"])}')
        if counts:
            line += ', "counts": {' + ", ".join(f'"{size}": {counts[size]}' for size in sorted(counts, key=int)) + "}"
        texts.append(line + "}")
    lines.append('"texts": {\n' + ",\n".join(texts) + "\n}")
    file.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def main():
    if len(sys.argv) != 3:
        sys.exit("add_large_sizes.py: two files were expected, PEERS.json and RECORDING.json")
    peers = json.loads(pathlib.Path(sys.argv[1]).read_text())
    file = pathlib.Path(sys.argv[2])
    recording = json.loads(file.read_text())
    for key in ("gpu", "driver", "cuda"):
        if peers[key] != recording[key]:
            sys.exit(f"add_large_sizes.py: both files must be of one {key}; they have {peers[key]} and {recording[key]}")
    add(peers, recording)
    write(recording, file)


if __name__ == "__main__":
    main()
