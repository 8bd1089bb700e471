// Shared memory that the driver sets aside on each multiprocessor, and what is left for the L1. MODEL:
// measured on an H200 and an H100 for 23 sizes of a block and 677 amounts of shared memory, 15,571 of 15,571;
// NVIDIA documents the sizes and not the choice. Source: tests/data/caches/README.md. Tests:
// tests/unit/caches/carve_out_test.cpp

#pragma once

#include "model/residency.h"

#include <cstdint>

namespace lanescope::caches {

/// KiB of shared memory of a multiprocessor: 8, 16, 32, 64, 100, 132, 164, 196 or 228.
uint32_t carve_out_kib(const model::BlockNeeds& needs);

/// Lines of 128 bytes that the L1 holds beside a carve-out.
constexpr uint32_t lines_beside(uint32_t carve_out_kib) { return 2048 - 56 - 8 * carve_out_kib; }

}  // namespace lanescope::caches
