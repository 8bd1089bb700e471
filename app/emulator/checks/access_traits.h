// Traits of a program's memory instructions for the checks: differences from plain loads and stores. Method:
// only the instructions are read, in the order in which they are written. Tests:
// tests/unit/emulator/{race,uninitialized}_test.cpp

#pragma once

#include "emulator/checks/access_bits.h"
#include "ptx/program.h"

#include <cstdint>
#include <vector>

namespace lanescope::emulator {

struct AccessTraits {
  std::vector<uint8_t> bits;  // [site]; 0: a plain access
  // [site] Loads whose value is used by nothing but selections, perhaps through arithmetic: the compiler may
  // have moved such a load before the condition under which the source reads.
  std::vector<bool> is_ahead;
  // [site] Stores of access_idioms.h: sets_after_tests(); loads of is_only_compared().
  std::vector<bool> is_set_after_test;
  std::vector<bool> is_only_compared;
  bool signals = false;  // there are atomics, volatile accesses and the like
  // Barrier steps, in rising order, for which this holds: a thread that skips the barrier has to read shared
  // memory before it exits, in code that also follows the barrier.
  std::vector<uint32_t> barriers_before_reads;
  // Results of atomics on global memory are used, so that threads may wait for each other.
  bool hands_over = false;
};
AccessTraits access_traits(const ptx::Program& program);

}  // namespace lanescope::emulator
