// Differences of a memory instruction from a plain load or store, one bit each, for the checks.

#pragma once

#include <cstdint>

namespace lanescope::emulator {

constexpr uint8_t kIsStrong = 1;  // other threads may access the address at the same time
constexpr uint8_t kIsVolatile = 2;
constexpr uint8_t kAcquires = 4;
constexpr uint8_t kIsFence = 8;      // orders the accesses before it
constexpr uint8_t kOverwrites = 16;  // an exchange with an unused result

}  // namespace lanescope::emulator
