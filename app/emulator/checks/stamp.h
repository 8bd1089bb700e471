// The last access to a granule of memory, in 32 bits: what the checks keep for every granule. Method:
// accesses of a block are numbered in the order of their execution, across its warps, and numbers rise from
// block to block; so "was written by this block" and "happened before the last barrier" are comparisons with
// a number, and nothing is cleared at a barrier or between blocks. Tests: tests/unit/emulator/race_test.cpp

#pragma once

#include <cstdint>

namespace lanescope::emulator {

using Stamp = uint32_t;

inline constexpr Stamp kLaneOfStamp = 31;
inline constexpr int kWarpShift = 5;
inline constexpr Stamp kWarpOfStamp = 31 << kWarpShift;
inline constexpr Stamp kStrong = 1 << 10;        // atomic, volatile, relaxed, ...
inline constexpr Stamp kSeveralLanes = 1 << 11;  // other lanes of the warp too
inline constexpr int kNumberShift = 12;

constexpr Stamp make_stamp(uint32_t number, uint32_t warp) {
  return number << kNumberShift | warp << kWarpShift;
}
constexpr uint32_t number_of(Stamp stamp) { return stamp >> kNumberShift; }
constexpr uint32_t warp_of(Stamp stamp) { return (stamp & kWarpOfStamp) >> kWarpShift; }
constexpr uint32_t lane_of(Stamp stamp) { return stamp & kLaneOfStamp; }

/// Number in the stamp of a granule that an asynchronous copy is on its way to. No access has a higher
/// number, so all accesses to the granule get a closer look.
inline constexpr Stamp kUnderWay = ~Stamp{0} >> kNumberShift;
constexpr Stamp under_way_stamp(uint32_t thread) {
  return make_stamp(kUnderWay, 0) | kSeveralLanes | (thread & (kWarpOfStamp | kLaneOfStamp));
}
constexpr bool is_under_way(Stamp stamp) { return number_of(stamp) == kUnderWay; }
constexpr uint32_t thread_of(Stamp stamp) { return stamp & (kWarpOfStamp | kLaneOfStamp); }

/// Stamp after a renumbering: numbers from `birth` on, those of the block, become 1; stamps of earlier blocks
/// become 0.
constexpr Stamp renumbered(Stamp stamp, uint32_t birth) {
  if (is_under_way(stamp)) return stamp;
  return number_of(stamp) < birth ? 0 : make_stamp(1, 0) | (stamp & (make_stamp(1, 0) - 1));
}

/// The last accesses to a run of granules: pointers to the stamps of the first.
struct Cells {
  Stamp* written = nullptr;
  Stamp* read = nullptr;      // the first warp that read since the last barrier, or the last before it
  Stamp* read_too = nullptr;  // the last other warp that read
};

/// Effect of an access on a granule, as far as races go.
enum class Doing : uint8_t { Reading, Writing, Updating };

/// A numbered access: its instruction, and the lanes that made it.
struct NumberedAccess {
  uint32_t step = 0;  // in Program::steps
  uint32_t mask = 0;
};

/// Limits of stamps, from which on an access is not known to have happened before what a warp does now.
struct Limits {
  Stamp of_other_warps = 0;
  Stamp of_own_lanes = 0;
  Stamp of_block = 0;  // lower stamps are of earlier blocks
};

}  // namespace lanescope::emulator
