// What kernels of the emulator compute, by hand in C++ for one thread: what the emulator is measured against.
// Compiled with -O3 for this machine. Each works through the same blocks and tiles as its kernel.

#pragma once

#include <cstddef>
#include <cstdint>

namespace lanescope::benchmarks {

void copy_natively(const float* in, float* out, size_t width, size_t height);
/// By tiles of 32 x 32 with a padded row, as kernels/transpose_tiled.cu; width and height are multiples
/// of 32.
void transpose_natively(const float* in, float* out, size_t width, size_t height);
/// tests/kernels/matmul_tiled.cu: n x n, by tiles of 16 x 16.
void multiply_natively(const float* a, const float* b, float* c, size_t n);
/// tests/kernels/reduce_sequential.cu: a sum for every 512 elements, halving.
void reduce_natively(const float* in, float* sums, size_t blocks);
/// tests/kernels/histogram_shared.cu: adds to 256 bins.
void count_natively(const uint8_t* in, uint32_t* bins, size_t count);
/// tests/kernels/stencil_3d.cu
void smooth_natively(const float* in, float* out, size_t width, size_t height, size_t depth);

}  // namespace lanescope::benchmarks
