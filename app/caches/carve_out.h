// Shared memory that the driver sets aside on each multiprocessor, and what is left for the L1. MODEL:
// measured on an H200 and an H100 for 23 sizes of a block and 677 amounts of shared memory, 15,571 of 15,571;
// NVIDIA documents the sizes and not the choice. Source: tests/data/caches/README.md. Tests:
// tests/unit/caches/carve_out_test.cpp

#pragma once

#include "model/residency.h"

#include <cstdint>

namespace lanescope::caches {

/// KiB of shared memory of a multiprocessor, of an H100 8, 16, 32, 64, 100, 132, 164, 196 or 228. MODEL: the
/// driver chooses for other devices as for an H100, among the sizes that they have.
uint32_t carve_out_kib(const model::BlockNeeds& needs, const model::Device& device);

/// Lines of 128 bytes that the L1 holds beside a carve-out.
uint32_t lines_beside(uint32_t carve_out_kib, const model::CacheParameters& device);

}  // namespace lanescope::caches
