// Allocated memory that is uninitialized, recognized by its content. Method: it begins as a pattern, whose
// words depend on their offset, so that any write or copy there initializes it, and no store has to be noted.
// A word of the pattern is NaN as a float, and as the upper half of a double; as an integer it is positive
// and large. A word that holds it by chance is one of 2^32: in a large buffer the next or the previous word
// has to hold it too. Tests: tests/unit/emulator/fresh_memory_test.cpp

#pragma once

#include "emulator/memory/region.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace lanescope::emulator {

inline constexpr uint64_t kFreshPageBytes = 4096;

constexpr uint32_t fresh_word(uint32_t key, uint64_t word) {
  uint32_t bits = static_cast<uint32_t>(word) * 0x9e3779b1 + static_cast<uint32_t>(word >> 32) + key;
  bits = (bits ^ bits >> 15) * 0x85ebca6b;
  bits ^= bits >> 13;
  return 0x7ff80002 | (bits & 0x0003fffc);
}

/// True if the word may be one of a pattern.
constexpr bool looks_fresh(uint32_t word) { return (word & 0xfffc0003) == 0x7ff80002; }

/// Writes the pattern to the whole words of [offset, offset + bytes), where both are multiples of 4.
inline void write_pattern(const Region& region, uint32_t key, uint64_t offset, uint64_t bytes) {
  for (uint64_t at = offset; at + sizeof(uint32_t) <= offset + bytes; at += sizeof(uint32_t)) {
    const uint32_t word = fresh_word(key, at / sizeof(uint32_t));
    std::memcpy(region.data + at, &word, sizeof word);
  }
}

/// True if all of [offset, offset + bytes) still holds the pattern.
inline bool is_fresh(const Region& region, uint32_t key, uint64_t offset, uint32_t bytes) {
  constexpr uint64_t kSmallBytes = uint64_t{64} << 10;
  const uint64_t words = region.size_bytes / sizeof(uint32_t);
  const uint64_t first = offset / sizeof(uint32_t), last = (offset + bytes - 1) / sizeof(uint32_t);
  const auto holds = [&](uint64_t word) {
    uint32_t value = 0;
    if (word < words) std::memcpy(&value, region.data + word * sizeof value, sizeof value);
    return word < words && value == fresh_word(key, word);
  };
  for (uint64_t word = first; word <= last; ++word)
    if (!holds(word)) return false;
  if (last > first || region.size_bytes <= kSmallBytes) return true;
  return holds(first + 1) || (first > 0 && holds(first - 1));
}

}  // namespace lanescope::emulator
