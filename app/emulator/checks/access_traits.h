// Traits of a program's memory instructions for the checks: differences from plain loads and stores. Method:
// only the instructions are read, in the order in which they are written. Tests:
// tests/unit/emulator/{race,uninitialized}_test.cpp

#pragma once

#include "ptx/program.h"

#include <cstdint>
#include <vector>

namespace lanescope::emulator {

constexpr uint8_t kIsStrong = 1;  // other threads may access the address at the same time
constexpr uint8_t kIsVolatile = 2;
constexpr uint8_t kAcquires = 4;
constexpr uint8_t kIsFence = 8;      // orders the accesses before it
constexpr uint8_t kOverwrites = 16;  // an exchange with an unused result

struct AccessTraits {
  std::vector<uint8_t> bits;  // [site]; 0: a plain access
  // [site] Loads whose value is used by nothing but selections, perhaps through arithmetic: the compiler may
  // have moved such a load before the condition under which the source reads.
  std::vector<bool> is_ahead;
  bool signals = false;  // there are atomics, volatile accesses and the like
  // Barrier steps, in rising order, for which this holds: a thread that skips the barrier has to read shared
  // memory before it exits, in code that also follows the barrier.
  std::vector<uint32_t> barriers_before_reads;
  // Results of atomics on global memory are used, so that threads may wait for each other.
  bool hands_over = false;
};
AccessTraits access_traits(const ptx::Program& program);

/// True if two memory steps access the same variable or pointer at the same offset, as far as the steps
/// before them show.
bool have_one_place(const ptx::Program& program, uint32_t step, uint32_t other);

}  // namespace lanescope::emulator
