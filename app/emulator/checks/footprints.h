// Granules of memory that the lanes of a warp group access, as runs. Blocks with the same spread have the
// same runs, so they are kept. Tests: tests/unit/emulator/group_race_test.cpp

#pragma once

#include "emulator/checks/granules.h"
#include "emulator/checks/listed_access.h"
#include "emulator/checks/written_tiles.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace lanescope::emulator {

/// Rows of granules, of one length, at equal distances.
struct GranuleRows {
  int64_t first = 0;
  uint32_t width = 0;  // granules of a row
  uint32_t rows = 0;
  int64_t pitch = 0;  // granules from the start of a row to that of the next, at least `width`; 0: one row

  int64_t end() const { return first + pitch * (rows - 1) + width; }
};

/// True if two sets of rows have a granule in common.
bool overlap(const GranuleRows& a, const GranuleRows& b);

struct Footprint {
  struct Run {
    int64_t first = 0;  // granules after that of lane 0 of warp 0
    uint32_t count = 0;
  };
  std::vector<Run> runs;                           // in rising order, with gaps between them; at least one
  bool is_distinct = false;                        // no two lanes access the same granule
  std::optional<GranuleRows> rows = std::nullopt;  // if the runs are rows

  /// Cells (granules.h) of which the same granules are accessed.
  struct CellRun {
    int64_t first = 0;  // cells after that of lane 0 of warp 0
    uint32_t count = 0;
    uint32_t mask = 0;  // granules of each
  };
  /// The runs as cells.
  struct InCells {
    std::vector<CellRun> runs;
    std::optional<Tile> tile;  // if the runs are one; its first cell counts from that of lane 0 of warp 0
  };
  std::array<InCells, kCellGranules> in_cells;  // [place in its cell of the granule of lane 0 of warp 0]

  int64_t begin() const { return runs.front().first; }
  int64_t end() const { return runs.back().first + runs.back().count; }
};

/// True if rows and a footprint have a granule in common. `origin`: the granule of lane 0 of warp 0 of `b`.
bool overlap(const GranuleRows& a, const Footprint& b, int64_t origin);
/// True if two footprints have a granule in common. `distance`: from the granule of lane 0 of warp 0 of `a`
/// to that of `b`.
bool overlap(const Footprint& a, const Footprint& b, int64_t distance);

class Footprints {
 public:
  /// `shift`: log2 of the bytes of a granule.
  Footprints(uint32_t row_lanes, int shift) : row_lanes_(row_lanes), shift_(shift) {}

  /// Footprint of an access, which stays valid; null where there is no room for one more.
  const Footprint* find(const ListedAccess& access);
  /// Forgets the numbers of spreads. Called before another Spreads numbers the spreads of accesses.
  void forget_numbers() {
    for (const auto& known : all_) known->number = kNoNumber;
  }

 private:
  static constexpr size_t kMost = 32;
  static constexpr uint64_t kNoNumber = ~uint64_t{0};
  struct Known {
    SpreadNumbers numbers;
    uint64_t number = kNoNumber;  // of the spread that had these numbers last
    uint32_t bytes = 0;
    uint32_t warps = 0;
    const LaneSet* lanes = nullptr;
    Footprint footprint;
  };
  Footprint make(const ListedAccess& access) const;

  uint32_t row_lanes_;
  int shift_;
  std::vector<std::unique_ptr<Known>> all_;
};

}  // namespace lanescope::emulator
