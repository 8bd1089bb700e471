"""What courses use of Numba's CUDA interface beside kernels: streams, kinds of memory, views, ufuncs, reductions, atomics,
shuffles, constant and dynamic shared memory, a grid that synchronizes, printing, random numbers, exceptions."""

import math
import warnings

import numpy as np
from numba import cuda, float32, vectorize
from numba.cuda.random import create_xoroshiro128p_states, xoroshiro128p_uniform_float32

import checks

warnings.filterwarnings("ignore", message=".*Grid size.*")
COUNT = 1024
values = np.arange(COUNT, dtype=np.float32)


@cuda.jit
def increment(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] += 1


def is_incremented(a):
    return np.array_equal(np.asarray(a), values + 1)


def streams():
    stream = cuda.stream()
    a = cuda.to_device(values, stream=stream)
    increment[4, 256, stream](a)
    result = a.copy_to_host(stream=stream)
    stream.synchronize()
    return is_incremented(result)


def pinned_memory():
    host = cuda.pinned_array(COUNT, np.float32)
    host[:] = values
    with cuda.pinned(values):
        a = cuda.to_device(host)
        increment[4, 256](a)
        return is_incremented(a.copy_to_host())


def memory_of_host_and_device():
    results = []
    for make in (cuda.mapped_array, cuda.managed_array):
        a = make(COUNT, np.float32)
        a[:] = values
        increment[4, 256](a)
        cuda.synchronize()
        results.append(is_incremented(a))
    return all(results)


def arrays_of_the_host_as_arguments():
    a = values.copy()
    increment[4, 256](a)
    return is_incremented(a)


def parts_of_arrays():
    a = cuda.to_device(values)
    increment[2, 256](a[512:])
    every_other = cuda.to_device(values)
    increment[2, 256](every_other[::2])
    expected = values.copy()
    expected[::2] += 1
    return (np.array_equal(a.copy_to_host(), np.concatenate([values[:512], values[512:] + 1]))
            and np.array_equal(every_other.copy_to_host(), expected))


def device_array_like():
    a = cuda.device_array_like(values)
    a[:] = values
    increment[4, 256](a)
    return is_incremented(a.copy_to_host())


def universal_functions():
    @vectorize(["float32(float32, float32)"], target="cuda")
    def add(a, b):
        return a + b
    return np.array_equal(add(values, values), 2 * values)


def reductions():
    @cuda.reduce
    def total(a, b):
        return a + b
    return all(total(np.arange(float(n))) == n * (n - 1) / 2 for n in (100, 1000, 100_000))


def atomics_and_shuffles():
    @cuda.jit
    def add_up(a, out):
        value = a[cuda.grid(1)]
        for distance in (16, 8, 4, 2, 1):
            value += cuda.shfl_down_sync(0xffffffff, value, distance)
        if cuda.laneid == 0:
            cuda.atomic.add(out, 0, value)
    out = np.zeros(1, np.float32)
    add_up[4, 256](values, out)
    return out[0] == values.sum()


def histogram():
    @cuda.jit
    def count(a, bins):
        i = cuda.grid(1)
        if i < a.size:
            cuda.atomic.add(bins, a[i], 1)
    a = np.random.default_rng(7).integers(0, 16, 10_000).astype(np.int32)
    bins = np.zeros(16, np.int32)
    count[40, 256](a, bins)
    return np.array_equal(bins, np.bincount(a, minlength=16))


def constant_memory():
    table = np.arange(16, dtype=np.float32)

    @cuda.jit
    def look_up(out):
        constants = cuda.const.array_like(table)
        i = cuda.grid(1)
        out[i] = constants[i % 16]
    out = np.zeros(COUNT, np.float32)
    look_up[4, 256](out)
    return np.array_equal(out, np.tile(table, COUNT // 16))


def dynamic_shared_memory():
    @cuda.jit
    def reverse_blocks(a):
        buffer = cuda.shared.array(0, float32)
        i = cuda.grid(1)
        buffer[cuda.threadIdx.x] = a[i]
        cuda.syncthreads()
        a[i] = buffer[255 - cuda.threadIdx.x]
    a = cuda.to_device(values)
    reverse_blocks[4, 256, 0, 1024](a)
    return np.array_equal(a.copy_to_host(), values.reshape(4, 256)[:, ::-1].ravel())


def a_grid_that_synchronizes():
    @cuda.jit
    def shift(a, out):
        grid = cuda.cg.this_grid()
        i = cuda.grid(1)
        a[i] += 1
        grid.sync()
        out[i] = a[(i + 300) % a.size]
    a, out = cuda.to_device(values), cuda.device_array(COUNT, np.float32)
    shift[4, 256](a, out)
    return np.array_equal(out.copy_to_host(), np.roll(values + 1, -300))


def printing():
    @cuda.jit
    def say():
        if cuda.grid(1) == 3:
            print("thread", cuda.grid(1))
    say[1, 32]()
    cuda.synchronize()
    return True


def random_numbers():
    @cuda.jit
    def draw(states, out):
        i = cuda.grid(1)
        out[i] = xoroshiro128p_uniform_float32(states, i)
    out = np.zeros(256, np.float32)
    draw[1, 256](create_xoroshiro128p_states(256, seed=1), out)
    return 0.4 < out.mean() < 0.6 and len(set(out)) > 250


def mathematics():
    @cuda.jit
    def compute(a, out):
        i = cuda.grid(1)
        out[i] = math.sin(a[i]) + math.exp(-a[i]) + math.sqrt(a[i])
    out = np.zeros(COUNT, np.float32)
    compute[4, 256](values, out)
    return np.allclose(out, np.sin(values) + np.exp(-values) + np.sqrt(values), rtol=1e-4, atol=1e-5)


def exceptions():
    @cuda.jit(debug=True, opt=False)
    def divide(a):
        a[cuda.grid(1)] = 1 // (a.size - 4)
    try:
        divide[1, 4](np.zeros(4, np.int64))
    except ZeroDivisionError:
        return True
    return False


def facts_of_the_device():
    device = cuda.get_current_device()
    print(device.name, device.compute_capability)
    return (cuda.detect() and device.WARP_SIZE == 32 and device.MULTIPROCESSOR_COUNT > 0
            and cuda.current_context().get_memory_info()[1] > 0)


if __name__ == "__main__":
    # parts_of_arrays before memory_of_host_and_device: once Numba 0.68.1 has compiled a kernel for a mapped array, it passes
    # strided views to that kernel as if they were contiguous.
    checks.run(facts_of_the_device, streams, pinned_memory, parts_of_arrays, memory_of_host_and_device,
               arrays_of_the_host_as_arguments, device_array_like, universal_functions, reductions, atomics_and_shuffles, histogram,
               constant_memory, dynamic_shared_memory, a_grid_that_synchronizes, printing, random_numbers, mathematics,
               exceptions)
