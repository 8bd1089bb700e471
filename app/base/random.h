// Random numbers that depend only on a seed and a position, not on the order of calls: splitmix64. Source:
// Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014. Tests:
// tests/unit/base/random_test.cpp

#pragma once

#include <cstdint>

namespace lanescope {

/// The n-th 64 random bits of a seed.
constexpr uint64_t random_at(uint64_t seed, uint64_t n) {
  uint64_t bits = seed + (n + 1) * 0x9e3779b97f4a7c15u;
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
  return bits ^ bits >> 31;
}

}  // namespace lanescope
