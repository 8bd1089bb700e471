// Cycles that a request of a warp takes in the two stages of the L1 of an H200. Method: the tag stage looks
// up one line of each of four partitions in a cycle; the data stage reads or writes one word of each of 32
// banks in a cycle, for 32, 16 or 8 lanes at a time with up to 4, 8 or 16 bytes of each. MODEL: NVIDIA
// documents neither; measured: tests/data/l1_stages.csv.gz, 314 of 314 patterns of loads that hit. Shared
// memory has the same data stage. Tests: tests/unit/caches/l1_stages_test.cpp

#pragma once

#include "caches/line_requests.h"

#include <cstdint>
#include <span>

namespace lanescope::caches {

/// Cycles of the tag stage for the lines of a request.
uint32_t tag_cycles_of(std::span<const TouchedLine> lines);

/// Cycles of the data stage for the lines of lanes that it serves together.
uint32_t data_cycles_of(std::span<const TouchedLine> lines);

/// Counts the cycles of the data stage of a request, whose bytes are added lane by lane.
class DataStage {
 public:
  void begin(uint32_t bytes_of_lane) {
    lanes_together_ = bytes_of_lane <= 4 ? kLanes : bytes_of_lane == 8 ? kLanes / 2 : kLanes / 4;
    group_ = 0;
    cycles_ = 0;
    lines_.clear();
  }
  /// Lanes rise.
  void add(int lane, uint64_t address, uint32_t bytes) {
    if (lanes_together_ == kLanes) return;
    if (lane / lanes_together_ != group_) {
      cycles_ += data_cycles_of(lines_.lines());
      lines_.clear();
      group_ = lane / lanes_together_;
    }
    lines_.add(address, bytes);
  }
  /// `lines`: of all lanes.
  uint32_t cycles(std::span<const TouchedLine> lines) const {
    return cycles_ + data_cycles_of(lanes_together_ == kLanes ? lines : lines_.lines());
  }

 private:
  int lanes_together_ = kLanes;
  LineRequests lines_;  // of the group, where not all lanes go together
  int group_ = 0;
  uint32_t cycles_ = 0;  // of the groups before it
};

}  // namespace lanescope::caches
