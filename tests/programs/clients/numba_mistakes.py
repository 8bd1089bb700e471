"""A student's mistakes, one by its name: python numba_mistakes.py NAME. Lanescope must name the line that is marked."""

import sys

import numpy as np
from numba import cuda, float32


@cuda.jit
def out_of_bounds(a):
    i = cuda.grid(1)
    a[i] = 1  # here: out_of_bounds


@cuda.jit
def race(a):
    buffer = cuda.shared.array(64, float32)
    i = cuda.threadIdx.x
    buffer[i] = a[i]
    a[i] = buffer[63 - i]  # here: race


@cuda.jit
def uninitialized(a):
    buffer = cuda.shared.array(64, float32)
    i = cuda.threadIdx.x
    if i < 60:
        buffer[i] = a[i]
    cuda.syncthreads()
    a[i] = buffer[i]  # here: uninitialized


MISTAKES = {"out_of_bounds": (out_of_bounds, 60), "race": (race, 64), "uninitialized": (uninitialized, 64)}
kernel, size = MISTAKES[sys.argv[1]]
a = cuda.to_device(np.zeros(size, np.float32))
kernel[1, 64](a)
cuda.synchronize()
