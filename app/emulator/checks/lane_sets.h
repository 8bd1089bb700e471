// Sets of the lanes of each warp that take part in an access of a group. Each set is kept once, so that the
// checks compare sets by their numbers. Used by one worker. Tests: tests/unit/emulator/lane_sets_test.cpp

#pragma once

#include "emulator/values/spread.h"
#include "trace/batch_order.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace lanescope::emulator {

struct LaneSet {
  WarpLanes lanes{};
  uint32_t number = 0;   // from 1 on; no other set of a block has it
  uint32_t warps = 0;    // up to the last that has lanes
  bool is_full = false;  // each of these warps has all lanes
};

class LaneSets {
 public:
  /// `instructions`: number of instructions of the program. Each remembers its last set.
  explicit LaneSets(size_t instructions) : known_(instructions) {}

  /// Finds each block's set of lanes in a batch. Null where there is no room for one more set. Sets stay
  /// valid. `order`: of the warps in `lanes`.
  using Parts = std::array<const LaneSet*, SpreadNumbers::kMostWarps>;
  const Parts& parts_of(size_t instruction, const WarpLanes& lanes, trace::BatchOrder order);

 private:
  struct Known {
    WarpLanes lanes{};
    Parts parts{};
  };
  const LaneSet* find(const WarpLanes& lanes);

  std::map<WarpLanes, LaneSet> all_;
  std::vector<std::unique_ptr<Known>> known_;  // [instruction] null at first
};

}  // namespace lanescope::emulator
