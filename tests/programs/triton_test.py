"""Eight Triton kernels for sm_80 and sm_90, compiled by tests/tools/triton_kernels.py and run by the program given as
the argument: their results against formulas computed here. Triton is taken from the environment .cache/triton of this
project, or from the Python that LANESCOPE_TRITON_PYTHON names; without it the test is skipped (status 77)."""

import array
import json
import math
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77


def halves(values):
    return struct.pack(f"<{len(values)}e", *values)


def floats(values):
    return array.array("f", values).tobytes()


def philox(seed, counter):
    """The first word of Philox-4x32-10 for this counter. Source: Salmon et al., "Parallel random numbers: as easy as
    1, 2, 3" (2011)."""
    c, key = [counter, 0, 0, 0], [seed & 0xFFFFFFFF, seed >> 32]
    for _ in range(10):
        high0, low0 = divmod(0xD2511F53 * c[0], 1 << 32)
        high1, low1 = divmod(0xCD9E8D57 * c[2], 1 << 32)
        c = [high1 ^ c[1] ^ key[0], low1, high0 ^ c[3] ^ key[1], low0]
        key = [(key[0] + 0x9E3779B9) & 0xFFFFFFFF, (key[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return c[0]


def uniform(word):
    """As Triton maps 32 bits to [0, 1): the magnitude of the signed number, times a little less than 2^-31."""
    signed = word - (1 << 32) if word >= 1 << 31 else word
    return (signed if signed >= 0 else -signed - 1) * 4.6566127342e-10


class Case:
    """Buffers and scalars of a kernel in the order of its parameters, and what its output must be."""

    def __init__(self, grid, arguments, output, expected, tolerance):
        self.grid, self.arguments, self.output = grid, arguments, output
        self.expected, self.tolerance = expected, tolerance


def cases():
    generator = random.Random(7)

    def numbers(count, low=-2.0, high=2.0):
        # Multiples of 1/64 are exact in every type used here.
        return [round(generator.uniform(low, high) * 64) / 64 for _ in range(count)]

    x, y = numbers(1000), numbers(1000)
    zeros = ("zeros", "f32")
    yield "add", Case("4", [x, y, (*zeros, 1000), 1000], 2, [a + b for a, b in zip(x, y)], 0)

    rows, columns = 5, 100
    table = numbers(rows * columns)
    lines = [table[r * columns:(r + 1) * columns] for r in range(rows)]
    soft, normal = [], []
    weight, bias = numbers(columns), numbers(columns)
    for line in lines:
        powers = [math.exp(v - max(line)) for v in line]
        soft += [p / sum(powers) for p in powers]
        mean = sum(line) / columns
        scale = 1 / math.sqrt(sum((v - mean) ** 2 for v in line) / columns + 1e-5)
        normal += [(v - mean) * scale * w + b for v, w, b in zip(line, weight, bias)]
    yield "softmax", Case(str(rows), [table, (*zeros, rows * columns), columns], 1, soft, 1e-6)
    yield "layernorm", Case(str(rows), [table, weight, bias, (*zeros, rows * columns), columns, 1e-5], 3, normal, 1e-5)

    n = 64
    a, b = numbers(n * n), numbers(n * n)
    product = [sum(a[r * n + i] * b[i * n + c] for i in range(n)) for r in range(n) for c in range(n)]
    yield "matmul", Case("1,1", [("f16", a), ("f16", b), (*zeros, n * n), n], 2, product, 1e-4)

    keys = [generator.randrange(1 << 20) for _ in range(1000)]
    counts = [sum(k % 16 == bin for k in keys) for bin in range(16)]
    yield "histogram", Case("8", [("i32", keys), ("zeros", "i32", 16), 1000], 1, counts, 0)

    share, seed = 0.25, 12345
    kept = [v / (1 - share) if uniform(philox(seed, i)) > share else 0.0 for i, v in enumerate(x)]
    yield "dropout", Case("8", [x, (*zeros, 1000), 1000, share, seed], 1, kept, 1e-6)

    square = numbers(n * n)
    turned = [square[c * n + r] for r in range(n) for c in range(n)]
    yield "transpose", Case("2,2", [square, (*zeros, n * n), n], 1, turned, 0)

    width, tokens, scale = 32, 64, 1 / math.sqrt(32)
    q, k, v = numbers(tokens * width), numbers(tokens * width), numbers(tokens * width)
    attended = []
    for t in range(tokens):
        scores = [sum(q[t * width + i] * k[o * width + i] for i in range(width)) * scale for o in range(tokens)]
        powers = [math.exp(s - max(scores)) for s in scores]
        attended += [sum(p * v[o * width + i] for o, p in enumerate(powers)) / sum(powers) for i in range(width)]
    # The probabilities are rounded to halves.
    yield "attention", Case("2", [("f16", q), ("f16", k), ("f16", v), (*zeros, tokens * width), tokens, scale], 3,
                            attended, 4e-3)


def specification(argument, file):
    """The --arg of a value: a list is a buffer of floats."""
    if isinstance(argument, int):
        return f"i32:{argument}"
    if isinstance(argument, float):
        return f"f32:{argument!r}"
    if isinstance(argument, list):
        argument = ("f32", argument)
    if argument[0] == "zeros":
        return f"{argument[1]}[{argument[2]}]:zeros"
    kind, values = argument
    file.write_bytes({"f16": halves, "f32": floats, "i32": lambda v: array.array("i", v).tobytes()}[kind](values))
    return f"{kind}[{len(values)}]:file({file})"


def run(program, ptx, launch, case, folder):
    """What is wrong, in a sentence; empty if nothing is."""
    words = [program, "trace", str(ptx), "--kernel", launch["entry"], "--grid", case.grid, "--block",
             str(launch["threads"]), "--shared", str(launch["shared"]), "--json", str(folder / "report.json")]
    for place, argument in enumerate(case.arguments):
        words += ["--arg", specification(argument, folder / f"argument{place}")]
    # Triton's launcher passes two pointers to memory of its own, which these kernels do not use.
    words += ["--arg", "u64:0", "--arg", "u64:0", "--dump", f"{case.output}={folder / 'output'}"]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        return done.stderr.strip()
    output = array.array("i" if isinstance(case.expected[0], int) else "f")
    output.frombytes((folder / "output").read_bytes())
    if len(output) != len(case.expected):
        return f"{len(output)} results, {len(case.expected)} were expected"
    worst = max(range(len(output)), key=lambda i: abs(output[i] - case.expected[i]))
    if not abs(output[worst] - case.expected[worst]) <= case.tolerance:
        return f"result {worst} is {output[worst]}, {case.expected[worst]} was expected"
    return ""


def main():
    program = sys.argv[1]
    python = os.environ.get("LANESCOPE_TRITON_PYTHON", str(ROOT / ".cache/triton/bin/python"))
    found = pathlib.Path(python).exists() and subprocess.run([python, "-c", "import triton"], capture_output=True)
    if not found or found.returncode != 0:
        print("skipped: Triton is not installed; python3 -m venv .cache/triton && .cache/triton/bin/pip install triton")
        return SKIPPED
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        made = subprocess.run([python, "-B", str(ROOT / "tests/tools/triton_kernels.py"), str(folder)],
                              capture_output=True, text=True)
        if made.returncode != 0:
            print(made.stderr)
            return 1
        launches = json.loads((folder / "kernels.json").read_text())
        wrong = 0
        for kernel, case in cases():
            for arch in ("sm_80", "sm_90"):
                complaint = run(program, folder / f"{kernel}.{arch}.ptx", launches[f"{kernel}.{arch}.ptx"], case, folder)
                print(f"{kernel} {arch}: {complaint or 'right'}")
                wrong += complaint != ""
        print(f"{len(launches) - wrong} of {len(launches)} right")
        return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
