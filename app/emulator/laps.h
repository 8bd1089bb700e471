// Whether lanes go round in a circle for ever. Method: from an anchor, a block of the program, everything
// that they compute and read is hashed until they are at the anchor again: a lap. Two laps alike mean that
// the next is like them too, unless somebody else writes what they read. Tests:
// tests/unit/emulator/scheduling_test.cpp

#pragma once

#include "ptx/program.h"

#include <cstdint>
#include <optional>

namespace lanescope::emulator {

struct Laps {
  static constexpr uint32_t kMost = 4;  // that are compared before the watch ends

  uint32_t anchor = ptx::Block::kNever;
  uint32_t count = 0;
  uint64_t now = 0;  // hash of this lap
  std::optional<uint64_t> last = std::nullopt;
  bool watched = false;
  bool at_anchor = false;  // has not left it yet

  void begin(uint32_t block) { *this = {.anchor = block, .watched = true, .at_anchor = true}; }
  void end() { *this = {}; }
  /// One more lap, compared with the last.
  void go_round_again() {
    now = 0;
    at_anchor = true;
  }

  /// At the anchor: whether this lap was like the last.
  bool came_round() {
    if (at_anchor) {
      at_anchor = false;
      return false;
    }
    if (last == now) return true;
    last = now;
    now = 0;
    if (++count == kMost) end();
    return false;
  }

  /// Mixes a word into the hash of the lap.
  void add(uint64_t word) {
    now = (now ^ word) * 0x9e3779b97f4a7c15u;
    now ^= now >> 29;
  }
};

}  // namespace lanescope::emulator
