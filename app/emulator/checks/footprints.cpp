#include "emulator/checks/footprints.h"

#include <algorithm>
#include <cstring>

namespace lanescope::emulator {
namespace {

std::vector<Footprint::CellRun> cell_runs_of(const std::vector<Footprint::Run>& runs, uint32_t in_cell) {
  std::vector<Footprint::CellRun> cells;
  for (const Footprint::Run& run : runs) {
    const int64_t begin = in_cell + run.first;
    const int64_t end = begin + run.count;
    for (int64_t at = begin; at < end;) {
      const int64_t cell = at >> kCellShift;
      const int64_t start = cell << kCellShift;
      const int64_t whole = at == start ? (end - at) >> kCellShift : 0;
      const int64_t count = std::max<int64_t>(whole, 1);
      const int64_t next = std::min(end, start + (count << kCellShift));
      const uint32_t mask =
          whole != 0 ? kAllOfCell : kAllOfCell >> (kCellGranules - (next - at)) << (at - start);
      cells.push_back({cell, static_cast<uint32_t>(count), mask});
      at = next;
    }
  }
  return cells;
}

std::optional<Tile> tile_of(const std::vector<Footprint::CellRun>& runs) {
  const Footprint::CellRun& first = runs.front();
  // A single row fits any pitch.
  const int64_t pitch = runs.size() == 1 ? int64_t{first.count} : runs[1].first - first.first;
  for (size_t n = 0; n < runs.size(); ++n) {
    const Footprint::CellRun& run = runs[n];
    if (run.mask != kAllOfCell || run.count != first.count ||
        run.first != first.first + static_cast<int64_t>(n) * pitch)
      return std::nullopt;
  }
  return Tile{.first = static_cast<uint64_t>(first.first),
              .width = first.count,
              .rows = static_cast<uint32_t>(runs.size()),
              .pitch = static_cast<uint64_t>(pitch)};
}

}  // namespace

bool overlap(const Footprint& a, const Footprint& b, int64_t distance) {
  if (a.end() <= b.begin() + distance || b.end() + distance <= a.begin()) return false;  // mostly
  auto left = a.runs.begin();
  auto right = b.runs.begin();
  while (left != a.runs.end() && right != b.runs.end()) {
    const int64_t right_first = right->first + distance;
    if (left->first + left->count <= right_first) {
      ++left;
    } else if (right_first + right->count <= left->first) {
      ++right;
    } else {
      return true;
    }
  }
  return false;
}

const Footprint* Footprints::find(const ListedAccess& access) {
  const SpreadNumbers& numbers = *access.spread;
  const uint64_t number = access.spread->number;
  for (const auto& known : all_) {
    if (known->bytes != access.bytes || known->warps != access.warps || known->lanes != access.lanes)
      continue;
    if (known->number != number && std::memcmp(&known->numbers, &numbers, sizeof numbers) != 0) continue;
    known->number = number;
    return &known->footprint;
  }
  if (all_.size() == kMost) return nullptr;
  all_.push_back(std::make_unique<Known>(Known{.numbers = numbers,
                                               .number = number,
                                               .bytes = access.bytes,
                                               .warps = access.warps,
                                               .lanes = access.lanes,
                                               .footprint = make(access)}));
  return &all_.back()->footprint;
}

Footprint Footprints::make(const ListedAccess& access) const {
  std::vector<int64_t> granules;
  for_each_lane_of(access, row_lanes_, [&](uint32_t, uint32_t, uint64_t address) {
    const int64_t first = static_cast<int64_t>(address - access.first) >> shift_;
    for (int64_t n = 0; n < access.bytes >> shift_; ++n) granules.push_back(first + n);
  });
  std::ranges::sort(granules);
  Footprint made;
  made.is_distinct = std::ranges::adjacent_find(granules) == granules.end();
  for (const int64_t granule : granules) {
    if (!made.runs.empty() && granule <= made.runs.back().first + made.runs.back().count) {
      made.runs.back().count = static_cast<uint32_t>(granule - made.runs.back().first + 1);
    } else {
      made.runs.push_back({granule, 1});
    }
  }
  for (uint32_t n = 0; n < kCellGranules; ++n) {
    Footprint::InCells& cells = made.in_cells[n];
    cells.runs = cell_runs_of(made.runs, n);
    cells.tile = tile_of(cells.runs);
  }
  return made;
}

}  // namespace lanescope::emulator
