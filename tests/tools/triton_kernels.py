"""Compiles eight Triton kernels to PTX, with no GPU: python3 tests/tools/triton_kernels.py FOLDER [sm_80 sm_90 ...]

It needs the package triton (PyPI), for example in an environment of its own:
    python3 -m venv .cache/triton && .cache/triton/bin/pip install triton
Writes FOLDER/NAME.sm_XX.ptx, and FOLDER/kernels.json: of each file the kernel's name in the PTX, the architecture, the
threads of a block and the bytes of dynamic shared memory. tests/programs/triton_test.py runs them."""

import json
import os
import pathlib
import sys

os.environ.setdefault("TRITON_CACHE_DIR", str(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".") / "cache"))

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside), mask=inside)


@triton.jit
def softmax(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    values = tl.load(x + row * columns + at, mask=inside, other=-float("inf"))
    powers = tl.exp(values - tl.max(values, axis=0))
    tl.store(out + row * columns + at, powers / tl.sum(powers, axis=0), mask=inside)


@triton.jit
def matmul(a, b, c, n, BLOCK: tl.constexpr, STEP: tl.constexpr):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    columns = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inner = tl.arange(0, STEP)
    total = tl.zeros((BLOCK, BLOCK), dtype=tl.float32)
    for start in range(0, n, STEP):
        left = tl.load(a + rows[:, None] * n + (start + inner)[None, :])
        right = tl.load(b + (start + inner)[:, None] * n + columns[None, :])
        total = tl.dot(left, right, total)
    tl.store(c + rows[:, None] * n + columns[None, :], total)


@triton.jit
def layernorm(x, weight, bias, out, columns, epsilon, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    values = tl.load(x + row * columns + at, mask=inside, other=0.0)
    mean = tl.sum(values, axis=0) / columns
    centered = tl.where(inside, values - mean, 0.0)
    scale = 1 / tl.sqrt(tl.sum(centered * centered, axis=0) / columns + epsilon)
    result = centered * scale * tl.load(weight + at, mask=inside) + tl.load(bias + at, mask=inside)
    tl.store(out + row * columns + at, result, mask=inside)


@triton.jit
def histogram(values, counts, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.atomic_add(counts + tl.load(values + at, mask=inside, other=0) % 16, 1, mask=inside)


@triton.jit
def dropout(x, out, n, share, seed, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    kept = tl.rand(seed, at) > share
    tl.store(out + at, tl.where(kept, tl.load(x + at, mask=inside) / (1 - share), 0.0), mask=inside)


@triton.jit
def transpose(x, out, n, BLOCK: tl.constexpr):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    columns = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    tile = tl.load(x + rows[:, None] * n + columns[None, :])
    tl.store(out + columns[:, None] * n + rows[None, :], tl.trans(tile))


@triton.jit
def attention(q, k, v, out, n, scale, BLOCK: tl.constexpr, WIDTH: tl.constexpr):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inner = tl.arange(0, WIDTH)
    query = tl.load(q + rows[:, None] * WIDTH + inner[None, :])
    highest = tl.full((BLOCK,), -float("inf"), dtype=tl.float32)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    result = tl.zeros((BLOCK, WIDTH), dtype=tl.float32)
    for start in range(0, n, BLOCK):
        others = start + tl.arange(0, BLOCK)
        keys = tl.load(k + others[None, :] * WIDTH + inner[:, None])
        scores = tl.dot(query, keys) * scale
        new_highest = tl.maximum(highest, tl.max(scores, axis=1))
        powers = tl.exp(scores - new_highest[:, None])
        correction = tl.exp(highest - new_highest)
        total = total * correction + tl.sum(powers, axis=1)
        values = tl.load(v + others[:, None] * WIDTH + inner[None, :])
        result = tl.dot(powers.to(tl.float16), values, result * correction[:, None])
        highest = new_highest
    tl.store(out + rows[:, None] * WIDTH + inner[None, :], result / total[:, None])


# Kernel, types of its parameters, constants, warps.
KERNELS = [
    (add, {"x": "*fp32", "y": "*fp32", "out": "*fp32", "n": "i32"}, {"BLOCK": 256}, 4),
    (softmax, {"x": "*fp32", "out": "*fp32", "columns": "i32"}, {"BLOCK": 128}, 4),
    (matmul, {"a": "*fp16", "b": "*fp16", "c": "*fp32", "n": "i32"}, {"BLOCK": 64, "STEP": 32}, 4),
    (layernorm, {"x": "*fp32", "weight": "*fp32", "bias": "*fp32", "out": "*fp32", "columns": "i32", "epsilon": "fp32"},
     {"BLOCK": 128}, 2),
    (histogram, {"values": "*i32", "counts": "*i32", "n": "i32"}, {"BLOCK": 128}, 4),
    (dropout, {"x": "*fp32", "out": "*fp32", "n": "i32", "share": "fp32", "seed": "i32"}, {"BLOCK": 128}, 4),
    (transpose, {"x": "*fp32", "out": "*fp32", "n": "i32"}, {"BLOCK": 32}, 4),
    (attention, {"q": "*fp16", "k": "*fp16", "v": "*fp16", "out": "*fp32", "n": "i32", "scale": "fp32"},
     {"BLOCK": 32, "WIDTH": 32}, 4),
]


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    made = {}
    for arch in sys.argv[2:] or ["sm_80", "sm_90"]:
        target = GPUTarget("cuda", int(arch.removeprefix("sm_")), 32)
        for kernel, types, constants, warps in KERNELS:
            signature = types | {name: "constexpr" for name in constants}
            places = {(list(signature).index(name),): value for name, value in constants.items()}
            # Pointers of a framework are multiples of 16, which lets the compiler use wide accesses.
            aligned = {(n,): [["tt.divisibility", 16]] for n, kind in enumerate(types.values()) if kind[0] == "*"}
            source = ASTSource(fn=kernel, signature=signature, constexprs=places, attrs=aligned)
            compiled = triton.compile(source, target=target, options={"num_warps": warps})
            name = f"{kernel.__name__}.{arch}.ptx"
            (folder / name).write_text(compiled.asm["ptx"])
            made[name] = {"entry": compiled.metadata.name, "arch": arch, "threads": 32 * warps,
                          "shared": compiled.metadata.shared}
    (folder / "kernels.json").write_text(json.dumps(made, indent=1))


if __name__ == "__main__":
    main()
