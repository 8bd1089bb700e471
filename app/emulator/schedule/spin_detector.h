// Detects busy-wait loops that make no progress. Method: from an anchor, a basic block, everything that lanes
// compute and read is hashed until they are at the anchor again: a lap. Two equal laps mean that the next is
// equal too, unless another thread writes memory that the lanes read. In a lap that reads a clock, what
// comes from the clock does not count: passing time is no progress (BlockRunner advances the clock far before
// it gives up). Tests:
// tests/unit/emulator/scheduling_test.cpp

#pragma once

#include "ptx/program.h"

#include <bit>
#include <cstdint>
#include <optional>

namespace lanescope::emulator {

/// Basic blocks that poll after which lanes are watched.
inline constexpr uint32_t kPollsBeforeWatch = 64;
/// True if lanes are watched after so many polls: early where they wait for long, and rarely where a loop
/// only looks as if they did.
constexpr bool is_watch_due(uint32_t polls) {
  constexpr uint32_t kFirst = 8;
  return polls % kPollsBeforeWatch == 0 ||
         (polls >= kFirst && polls < kPollsBeforeWatch && std::has_single_bit(polls));
}
/// Checks, or turns, in which lanes polled after which they may wait for others.
inline constexpr uint32_t kPatience = 16;

struct SpinDetector {
  static constexpr uint32_t kMost = 4;  // laps that are compared before the watch ends

  uint32_t anchor = ptx::BasicBlock::kNever;
  uint32_t count = 0;
  uint64_t now = 0;    // hash of this lap
  uint64_t timed = 0;  // hash of the values in it that come from a clock
  bool reads_clock = false;
  std::optional<uint64_t> last = std::nullopt;
  bool watched = false;
  bool at_anchor = false;  // has not left the anchor yet

  void begin(uint32_t block) { *this = {.anchor = block, .watched = true, .at_anchor = true}; }
  void end() { *this = {}; }
  /// One more lap, compared with the last.
  void go_round_again() {
    start();
    at_anchor = true;
  }
  void start() {
    now = timed = 0;
    reads_clock = false;
  }
  /// Detector for lanes that diverge within the lap and leave the anchor to others: their hash is added when
  /// they join.
  SpinDetector without_anchor() const { return {.watched = watched}; }
  /// Adds the hash of lanes that diverged within the lap and join now, and takes their anchor if only they
  /// have one.
  void take(const SpinDetector& part) {
    if (anchor == ptx::BasicBlock::kNever) {
      anchor = part.anchor;
      count = part.count;
      last = part.last;
      at_anchor = part.at_anchor;
    }
    watched = watched || part.watched;
    now += part.now;
    timed += part.timed;
    reads_clock = reads_clock || part.reads_clock;
  }

  /// Ends a lap at the anchor. True if it was like the last.
  bool came_round() {
    if (at_anchor) {
      at_anchor = false;
      return false;
    }
    if (!reads_clock) add(now, timed);
    if (last == now) return true;
    last = now;
    start();
    if (++count == kMost) end();
    return false;
  }

  void add(uint64_t word) { add(now, word); }
  void add_timed(uint64_t word) { add(timed, word); }

 private:
  /// Mixes a word into the hash of the lap.
  static void add(uint64_t& hash, uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
};

}  // namespace lanescope::emulator
