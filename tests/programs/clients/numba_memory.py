"""The kernels of a course on memory, with Numba: strided and coalesced sums, rows and columns, a transpose without shared
memory, with it, and without bank conflicts. Sizes are those of a class; each result is compared with NumPy's."""

import numpy as np
from numba import cuda, float32, int32

import checks


@cuda.jit
def add(a, b, out, stride):
    i = cuda.grid(1)
    out[i] = a[stride * i] + b[stride * i]


@cuda.jit
def sum_of_rows(matrix, sums):
    row = cuda.grid(1)
    total = 0.0
    for column in range(matrix.shape[1]):
        total += matrix[row, column]
    sums[row] = total


@cuda.jit
def sum_of_columns(matrix, sums):
    column = cuda.grid(1)
    total = 0.0
    for row in range(matrix.shape[0]):
        total += matrix[row, column]
    sums[column] = total


@cuda.jit
def number_threads(places):
    x, y = cuda.grid(2)
    places[x, y] = x + y / 10


@cuda.jit
def add_matrices(a, b, out, rows_first):
    x, y = cuda.grid(2)
    if rows_first:
        out[y, x] = a[y, x] + b[y, x]
    else:
        out[x, y] = a[x, y] + b[x, y]


@cuda.jit
def reverse(values, reversed_values):
    buffer = cuda.shared.array(4, int32)
    i = cuda.grid(1)
    buffer[i] = values[i]
    cuda.syncthreads()
    reversed_values[i] = buffer[3 - i]


@cuda.jit
def transpose(a, out):
    x, y = cuda.grid(2)
    out[x, y] = a[y, x]


@cuda.jit
def transpose_tile(a, out):
    tile = cuda.shared.array((32, 32), float32)
    x, y = cuda.grid(2)
    tile[cuda.threadIdx.y, cuda.threadIdx.x] = a[y, x]
    cuda.syncthreads()
    column = cuda.blockDim.y * cuda.blockIdx.y + cuda.threadIdx.x
    row = cuda.blockDim.x * cuda.blockIdx.x + cuda.threadIdx.y
    out[row, column] = tile[cuda.threadIdx.x, cuda.threadIdx.y]


@cuda.jit
def transpose_padded_tile(a, out):
    tile = cuda.shared.array((32, 33), float32)
    x, y = cuda.grid(2)
    tile[cuda.threadIdx.y, cuda.threadIdx.x] = a[y, x]
    cuda.syncthreads()
    column = cuda.blockDim.y * cuda.blockIdx.y + cuda.threadIdx.x
    row = cuda.blockDim.x * cuda.blockIdx.x + cuda.threadIdx.y
    out[row, column] = tile[cuda.threadIdx.x, cuda.threadIdx.y]


random = np.random.default_rng(7)


def sums_with_and_without_stride():
    count, stride = 1 << 18, 16
    a = random.random(stride * count, np.float32)
    d_a, d_out = cuda.to_device(a), cuda.device_array(count, np.float32)
    add[count // 1024, 1024](d_a, d_a, d_out, 1)
    dense = np.array_equal(d_out.copy_to_host(), 2 * a[:count])
    add[count // 1024, 1024](d_a, d_a, d_out, stride)
    return dense and np.array_equal(d_out.copy_to_host(), 2 * a[::stride])


def rows_and_columns():
    matrix = np.ones((1024, 1024), np.float32)
    matrix[3] = 9
    d_matrix, d_sums = cuda.to_device(matrix), cuda.device_array(1024, np.float32)
    sum_of_rows[4, 256](d_matrix, d_sums)
    rows = np.array_equal(d_sums.copy_to_host(), matrix.sum(axis=1))
    sum_of_columns[4, 256](d_matrix, d_sums)
    return rows and np.array_equal(d_sums.copy_to_host(), matrix.sum(axis=0))


def threads_of_a_grid_in_two_dimensions():
    places = cuda.to_device(np.zeros((4, 4)))
    number_threads[(2, 2), (2, 2)](places)
    return np.allclose(places.copy_to_host(), np.arange(4)[:, None] + np.arange(4) / 10)


def matrix_sums():
    a = np.arange(1 << 20, dtype=np.float32).reshape(1024, 1024)
    d_a = cuda.to_device(a)
    results = []
    for rows_first in (True, False):
        d_out = cuda.to_device(np.zeros_like(a))
        add_matrices[(32, 32), (32, 32)](d_a, d_a, d_out, rows_first)
        results.append(np.array_equal(d_out.copy_to_host(), a + a))
    return all(results)


def four_values_reversed():
    out = cuda.device_array(4, np.int32)
    reverse[1, 4](cuda.to_device(np.arange(4, dtype=np.int32)), out)
    return list(out.copy_to_host()) == [3, 2, 1, 0]


def transposes():
    a = random.random((2048, 2048), np.float32)
    d_a = cuda.to_device(a)
    results = []
    for kernel in (transpose, transpose_tile, transpose_padded_tile):
        d_out = cuda.to_device(np.zeros_like(a))
        kernel[(64, 64), (32, 32)](d_a, d_out)
        results.append(np.array_equal(d_out.copy_to_host(), a.T))
    return all(results)


def times_by_events():
    begin, end = cuda.event(), cuda.event()
    values = cuda.to_device(np.zeros((4, 4)))
    begin.record()
    number_threads[(2, 2), (2, 2)](values)
    end.record()
    end.synchronize()
    return 0 <= cuda.event_elapsed_time(begin, end) < 10_000


if __name__ == "__main__":
    checks.run(sums_with_and_without_stride, rows_and_columns, threads_of_a_grid_in_two_dimensions, matrix_sums,
               four_values_reversed, transposes, times_by_events)
