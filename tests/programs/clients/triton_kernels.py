"""Triton's kernels launched by Triton itself: a sum, a softmax, products of matrices in float and half (tl.dot), and an
attention that keeps its scores on the chip. Each result is compared with NumPy's."""

import numpy as np
import triton
import triton.language as tl

import checks
from triton_tensors import Tensor, zeros

random = np.random.default_rng(7)


@triton.jit
def add(x, y, out, count, BLOCK: tl.constexpr):
    places = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = places < count
    tl.store(out + places, tl.load(x + places, mask=inside) + tl.load(y + places, mask=inside), mask=inside)


@triton.jit
def softmax(x, out, columns, BLOCK: tl.constexpr):
    places = tl.arange(0, BLOCK)
    begin = tl.program_id(0) * columns
    values = tl.load(x + begin + places, mask=places < columns, other=-float("inf"))
    powers = tl.exp(values - tl.max(values, axis=0))
    tl.store(out + begin + places, powers / tl.sum(powers, axis=0), mask=places < columns)


@triton.jit
def multiply(a, b, c, size, BLOCK: tl.constexpr, DEPTH: tl.constexpr):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    columns = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    depth = tl.arange(0, DEPTH)
    total = tl.zeros((BLOCK, BLOCK), tl.float32)
    for k in range(0, size, DEPTH):
        left = tl.load(a + rows[:, None] * size + (k + depth)[None, :])
        right = tl.load(b + (k + depth)[:, None] * size + columns[None, :])
        total = tl.dot(left, right, total, input_precision="ieee")
    tl.store(c + rows[:, None] * size + columns[None, :], total)


@triton.jit
def attend(q, k, v, out, tokens, scale, BLOCK: tl.constexpr, WIDTH: tl.constexpr):
    """softmax(q k^T) v for BLOCK queries, with a running maximum and sum (Dao et al., "FlashAttention", 2022)."""
    queries = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    width = tl.arange(0, WIDTH)
    query = tl.load(q + queries[:, None] * WIDTH + width[None, :])
    highest = tl.full((BLOCK,), -float("inf"), tl.float32)
    total = tl.zeros((BLOCK,), tl.float32)
    result = tl.zeros((BLOCK, WIDTH), tl.float32)
    for begin in range(0, tokens, BLOCK):
        others = begin + tl.arange(0, BLOCK)
        key = tl.load(k + others[None, :] * WIDTH + width[:, None])
        value = tl.load(v + others[:, None] * WIDTH + width[None, :])
        scores = tl.dot(query, key) * scale
        now_highest = tl.maximum(highest, tl.max(scores, axis=1))
        powers = tl.exp(scores - now_highest[:, None])
        shrink = tl.exp(highest - now_highest)
        total = total * shrink + tl.sum(powers, axis=1)
        result = result * shrink[:, None] + tl.dot(powers.to(tl.float16), value)
        highest = now_highest
    tl.store(out + queries[:, None] * WIDTH + width[None, :], result / total[:, None])


def sum_of_vectors():
    count = 4000  # the last block is not full
    x, y = random.random((2, count), np.float32)
    out = zeros(count)
    add[(triton.cdiv(count, 1024),)](Tensor(x), Tensor(y), out, count, BLOCK=1024)
    return np.array_equal(out.numpy(), x + y)


def softmax_of_rows():
    x = random.random((64, 100), np.float32)
    out = zeros(64, 100)
    softmax[(64,)](Tensor(x), out, 100, BLOCK=128)
    powers = np.exp(x - x.max(axis=1, keepdims=True))
    return np.allclose(out.numpy(), powers / powers.sum(axis=1, keepdims=True), rtol=1e-5)


def products_of_matrices():
    size = 128
    a, b = random.random((2, size, size), np.float32)
    out = zeros(size, size)
    multiply[(size // 32, size // 32)](Tensor(a), Tensor(b), out, size, BLOCK=32, DEPTH=32)
    in_float = np.allclose(out.numpy(), a @ b, rtol=1e-4)
    a, b = a.astype(np.float16), b.astype(np.float16)
    out = zeros(size, size)
    multiply[(size // 64, size // 64)](Tensor(a), Tensor(b), out, size, BLOCK=64, DEPTH=32)
    return in_float and np.allclose(out.numpy(), a.astype(np.float32) @ b.astype(np.float32), rtol=1e-3)


def fused_attention():
    tokens, width = 128, 32
    scale = width ** -0.5
    q, k, v = random.standard_normal((3, tokens, width), np.float32).astype(np.float16)
    out = zeros(tokens, width)
    attend[(tokens // 64,)](Tensor(q), Tensor(k), Tensor(v), out, tokens, scale, BLOCK=64, WIDTH=width)
    scores = q.astype(np.float32) @ k.astype(np.float32).T * scale
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    expected = powers / powers.sum(axis=1, keepdims=True) @ v.astype(np.float32)
    return np.allclose(out.numpy(), expected, atol=4e-3)  # the probabilities are rounded to halves


if __name__ == "__main__":
    checks.run(sum_of_vectors, softmax_of_rows, products_of_matrices, fused_attention)
