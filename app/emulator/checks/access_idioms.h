// Idioms of correct kernels whose reads no barrier orders: a guess that a compare-and-swap confirms, a test
// ahead of an atomic maximum, an element that many threads set to one value. Method: only the instructions
// are read; what is not recognized is reported. Tests: tests/unit/emulator/access_idioms_test.cpp

#pragma once

#include "ptx/lower_passes.h"
#include "ptx/program.h"

#include <cstdint>
#include <vector>

namespace lanescope::emulator {

/// Control flow of a program, which must outlive it.
struct ControlFlow {
  explicit ControlFlow(const ptx::Program&);

  const ptx::Program& program;
  ptx::Successors successors;
  std::vector<uint32_t> ways_in;   // [basic block] ends of basic blocks, and calls, from which it is entered
  std::vector<uint32_t> block_of;  // [step]
};

/// Adds kIsStrong to `traits` [site] for plain reads that may see an old value without harm: of an address
/// that a compare-and-swap then updates (the CUDA guide's way to make an atomic of any operation), or whose
/// test decides if the thread updates that address by an atomic minimum, maximum, AND or OR.
void allow_guesses(const ControlFlow&, std::vector<uint8_t>& traits);

/// [site] True for plain stores to global memory of one value for the whole grid, which a thread makes only
/// after a test of what it overwrites, as in `if (level[v] < 0) level[v] = next;`, if all else that the test
/// decides are such stores.
std::vector<bool> sets_after_tests(const ControlFlow&);

/// True if the value that the load `n` gives is used by nothing but comparisons in its basic block.
bool is_only_compared(const ControlFlow&, uint32_t n);

}  // namespace lanescope::emulator
