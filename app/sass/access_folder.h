// Accesses of one block, as merged machine instructions make them. Method: an instruction of W bytes aligns
// its address to W, so the accesses that it stands for lie in one window of W bytes for each lane. A warp's
// accesses of the merged sites fold into one while lanes and windows are equal and no byte comes twice. One
// rule covers neighboring sites, iterations of a loop, and parts that are missing.
// Tests: tests/unit/sass/folding_sink_test.cpp

#pragma once

#include "sass/match.h"
#include "trace/access.h"

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace lanescope::sass {

/// One access of a merged machine instruction, by a warp.
struct FoldedAccess {
  uint32_t number = 0;  // that AccessFolder::add() gave its parts
  uint32_t merged = 0;  // index in Match::merged
  SiteId site;          // the first of the merged access
  WarpId warp;          // of the block
  LaneMask lanes;
  MemoryOperation operation;
  std::array<uint64_t, kLanes> addresses{};  // of the lanes that take part, in rising order
};

/// The folded access as one of a warp; borrows its addresses.
trace::WarpAccess view(const FoldedAccess& folded);

class AccessFolder {
 public:
  /// `match` must outlive the folder.
  explicit AccessFolder(const Match& match) : match_(match) {}

  struct Part {
    uint32_t number = 0;     // of the folded access that the access is a part of, from 0
    bool is_uneven = false;  // its lanes are at different places of their windows, or it does not fit
  };
  /// Takes an access of a site that belongs to the merged access `merged`. Appends to `whole` what no later
  /// access can be a part of.
  Part add(const trace::WarpAccess& access, uint32_t merged, std::vector<FoldedAccess>& whole);
  /// Ends the block: appends what is open.
  void end(std::vector<FoldedAccess>& whole);

 private:
  /// Windows of the lanes of a warp that were accessed, not yet all of their bytes.
  struct Window {
    uint32_t number = 0;
    uint32_t lanes = 0;
    std::array<uint64_t, kLanes> address{};  // [lane] of the window; 0 for lanes that take no part
    uint32_t bytes = 0;                      // mask of the window's bytes that were accessed
  };
  /// Windows of one warp and one MergedAccess, those that were opened first come first.
  using Windows = std::vector<Window>;
  static constexpr size_t kMostOpen = 64;

  FoldedAccess part_of(const trace::WarpAccess& access, const MergedAccess& part) const;
  FoldedAccess closed(const Window& window, uint32_t merged, WarpId warp) const;

  const Match& match_;
  std::map<std::pair<uint32_t, uint32_t>, Windows> open_;  // [merged access, warp]
  uint32_t count_ = 0;
};

}  // namespace lanescope::sass
