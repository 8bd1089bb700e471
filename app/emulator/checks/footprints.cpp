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

std::optional<GranuleRows> rows_of(const std::vector<Footprint::Run>& runs) {
  const Footprint::Run& first = runs.front();
  const int64_t pitch = runs.size() == 1 ? 0 : runs[1].first - first.first;
  for (size_t n = 0; n < runs.size(); ++n)
    if (runs[n].count != first.count || runs[n].first != first.first + static_cast<int64_t>(n) * pitch)
      return std::nullopt;
  return GranuleRows{first.first, first.count, static_cast<uint32_t>(runs.size()), pitch};
}

/// Quotient rounded towards negative infinity; `by` is positive.
constexpr int64_t divide_down(int64_t value, int64_t by) { return value / by - (value % by < 0 ? 1 : 0); }

/// True if two lists of runs have a granule in common. `a` and `b`: what gives the n-th run of each, in
/// rising order.
template <class A, class B>
bool have_common(size_t a_count, A&& a, size_t b_count, B&& b) {
  size_t left = 0;
  size_t right = 0;
  while (left < a_count && right < b_count) {
    const Footprint::Run one = a(left);
    const Footprint::Run other = b(right);
    if (one.first + one.count <= other.first) {
      ++left;
    } else if (other.first + other.count <= one.first) {
      ++right;
    } else {
      return true;
    }
  }
  return false;
}

auto runs_of(const GranuleRows& rows) {
  return [rows](size_t n) {
    return Footprint::Run{rows.first + rows.pitch * static_cast<int64_t>(n), rows.width};
  };
}

auto runs_of(const Footprint& footprint, int64_t origin) {
  return [&footprint, origin](size_t n) {
    return Footprint::Run{footprint.runs[n].first + origin, footprint.runs[n].count};
  };
}

}  // namespace

bool overlap(const GranuleRows& a, const GranuleRows& b) {
  if (a.end() <= b.first || b.end() <= a.first) return false;
  if (a.pitch != 0 && b.pitch != 0 && a.pitch != b.pitch)
    return have_common(a.rows, runs_of(a), b.rows, runs_of(b));
  const int64_t pitch = std::max(a.pitch, b.pitch);
  if (pitch == 0) return true;
  // Row i of `a` and row j of `b` are `distance + (j - i) * pitch` apart. The lowest j - i for which row j
  // ends behind the begin of row i decides: a higher one moves row j further behind row i.
  const int64_t distance = b.first - a.first;
  const int64_t lowest = std::max(divide_down(-distance - b.width, pitch) + 1, 1 - int64_t{a.rows});
  return lowest < b.rows && distance + lowest * pitch < a.width;
}

bool overlap(const GranuleRows& a, const Footprint& b, int64_t origin) {
  if (a.end() <= b.begin() + origin || b.end() + origin <= a.first) return false;
  return have_common(a.rows, runs_of(a), b.runs.size(), runs_of(b, origin));
}

bool overlap(const Footprint& a, const Footprint& b, int64_t distance) {
  if (a.end() <= b.begin() + distance || b.end() + distance <= a.begin()) return false;  // mostly
  return have_common(a.runs.size(), runs_of(a, 0), b.runs.size(), runs_of(b, distance));
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
  made.rows = rows_of(made.runs);
  for (uint32_t n = 0; n < kCellGranules; ++n) {
    Footprint::InCells& cells = made.in_cells[n];
    cells.runs = cell_runs_of(made.runs, n);
    cells.tile = tile_of(cells.runs);
  }
  return made;
}

}  // namespace lanescope::emulator
