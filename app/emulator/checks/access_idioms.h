// Idioms of correct kernels whose reads no barrier orders: a guess that a compare-and-swap confirms, a test
// ahead of an atomic maximum, an element that many threads set to one value. Method: only the instructions
// are read; what is not recognized is reported. Tests: tests/unit/emulator/access_idioms_test.cpp

#pragma once

#include "ptx/lower_passes.h"
#include "ptx/program.h"

#include <cstdint>
#include <vector>

namespace lanescope::emulator {

/// Adds kIsStrong to `traits` [site] for plain reads that may see an old value without harm: of an address
/// that a compare-and-swap then updates (the CUDA guide's way to make an atomic of any operation), or whose
/// test decides if the thread updates that address by an atomic minimum, maximum, AND or OR.
void allow_guesses(const ptx::Program& program, std::vector<uint8_t>& traits);

/// [site] True for plain stores to global memory of one value for the whole grid, which a thread makes only
/// after a test of what it overwrites, as in `if (level[v] < 0) level[v] = next;`, if all else that the test
/// decides are such stores.
std::vector<bool> sets_after_tests(const ptx::Program& program);

/// True if the value that the load `n` of the basic block gives is used by nothing but comparisons.
bool is_only_compared(const ptx::Program& program, const ptx::Successors& successors, uint32_t block,
                      uint32_t n);

}  // namespace lanescope::emulator
