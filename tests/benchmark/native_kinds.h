// What the kernels of tests/benchmark/kinds compute, by hand in C++ for one thread. Compiled with -O3 for
// this machine.

#pragma once

#include <cstddef>
#include <cstdint>

namespace lanescope::benchmarks {

/// Relaxes n elements `rounds` times; the result is that of the kernel's buffer `out` after an odd number.
void relax_natively(const float* in, float* out, size_t n, int rounds);
/// States of `threads` generators, 5 words each, after `rounds` products with the matrix of 160 rows.
void skip_natively(const uint32_t* matrix, uint32_t* states, size_t threads, int rounds);
void sum_natively(const uint32_t* in, uint32_t* total, size_t n);
/// Rows, then columns of every tile of 8 x 8; width and height are multiples of 8.
void transform_natively(const int16_t* in, int16_t* out, size_t width, size_t height);
/// Running sums of every 256 numbers.
void scan_natively(const uint32_t* in, uint32_t* out, size_t n);
/// Sorts every 512 keys by the steps of a bitonic sort, and moves their places with them.
void sort_natively(const uint32_t* in, uint32_t* keys, size_t n);
/// One sum for each of 256 threads of a block, over `rounds` tiles of 256 numbers.
void sum_stages_natively(const uint32_t* in, uint32_t* out, size_t blocks, size_t rounds);
/// A running mean over each row.
void filter_natively(const float* in, float* out, size_t width, size_t height, int radius);

}  // namespace lanescope::benchmarks
