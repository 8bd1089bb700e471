// Spreads of the blocks of a batch, for the checks, which look at each block by itself: how the warps of a
// block differ from its first warp. Each spread is kept once, so that the checks of different blocks compare
// their numbers. Used by one worker. Tests: tests/unit/emulator/spreads_of_blocks_test.cpp

#pragma once

#include "emulator/values/spread.h"
#include "trace/batch_order.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace lanescope::emulator {

class SpreadsOfBlocks {
 public:
  /// `instructions`: number of instructions of the program; each remembers its last spread. `warps`: number
  /// of warps of a block.
  SpreadsOfBlocks(size_t instructions, uint32_t warps, uint32_t row_lanes)
      : instructions_(instructions), all_(0, warps, row_lanes) {}

  /// Finds the spread of each block; null where there is no room for it. `order`: of the warps in `spread`.
  using Parts = std::array<const Spread*, SpreadNumbers::kMostWarps>;
  const Parts& parts_of(size_t instruction, const Spread& spread, trace::BatchOrder order);

  /// Makes room if at least half of it is taken. Called before a block or batch begins.
  void begin_block();
  /// Protects the spreads that exist now from begin_block().
  void keep_all() { all_.keep_all(); }

 private:
  struct Known {
    std::optional<uint64_t> of;  // number of the spread
    Parts parts{};
  };

  size_t instructions_;
  Spreads all_;
  std::vector<Known> known_;  // [instruction]; empty at first
};

}  // namespace lanescope::emulator
