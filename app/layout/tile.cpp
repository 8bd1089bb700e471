#include "layout/tile.h"

#include <algorithm>
#include <limits>
#include <optional>

#include <fmt/format.h>

namespace lanescope::layout {
namespace {

/// The least stride of terms that have neighbors; none where there is one element only.
std::optional<uint32_t> least_stride(const Mode& mode) {
  std::optional<uint32_t> least;
  for (const Term& term : mode)
    if (term.extent > 1) least = std::min(least.value_or(term.stride), term.stride);
  return least;
}

Result<void> check_fit(const Tile& tile, const PlacedTile& placed) {
  if (const auto* triton = std::get_if<TritonSwizzle>(&tile.arrangement)) {
    const uint64_t period = uint64_t{triton->vec} * triton->max_phase;
    if (placed.line_elements % period != 0)
      return fail(ErrorKind::Usage,
                  fmt::format("{} exchanges groups within {} elements (vec x max_phase), and a line of the "
                              "tile has {}; choose a smaller vec or max_phase",
                              name_of(tile.arrangement), period, placed.line_elements));
  }
  return {};
}

/// Offsets of all coordinates of a mode, in elements.
std::vector<uint32_t> offsets_of(const Mode& mode) {
  std::vector<uint32_t> offsets(extent_of(mode));
  for (uint32_t n = 0; n < offsets.size(); ++n) offsets[n] = offset_in(mode, n);
  return offsets;
}

/// The offset of each element in elements, [line][place].
std::vector<uint32_t> arranged(const Tile& tile, const PlacedTile& placed) {
  const std::vector<uint32_t> slow =
      offsets_of(placed.lines_are_rows ? tile.layout.rows : tile.layout.columns);
  const std::vector<uint32_t> fast =
      offsets_of(placed.lines_are_rows ? tile.layout.columns : tile.layout.rows);
  std::vector<uint32_t> offsets;
  offsets.reserve(slow.size() * fast.size());
  const auto for_each_element = [&](auto&& offset_of) {
    for (uint32_t line = 0; line < slow.size(); ++line)
      for (uint32_t place = 0; place < fast.size(); ++place) offsets.push_back(offset_of(line, place));
  };
  if (const auto* triton = std::get_if<TritonSwizzle>(&tile.arrangement)) {
    for_each_element(
        [&](uint32_t line, uint32_t place) { return slow[line] + fast[apply(*triton, line, place)]; });
  } else if (const auto* swizzle = std::get_if<Swizzle>(&tile.arrangement)) {
    for_each_element(
        [&](uint32_t line, uint32_t place) { return apply(*swizzle, slow[line] + fast[place]); });
  } else if (const auto* padding = std::get_if<Padding>(&tile.arrangement)) {
    for_each_element([&](uint32_t line, uint32_t place) {
      const uint32_t offset = slow[line] + fast[place];
      return offset + offset / placed.pitch_elements * padding->elements;
    });
  } else {
    for_each_element([&](uint32_t line, uint32_t place) { return slow[line] + fast[place]; });
  }
  return offsets;
}

std::string shown(const PlacedTile& placed, uint32_t index) {
  const uint32_t line = index / placed.line_elements, place = index % placed.line_elements;
  return placed.lines_are_rows ? fmt::format("({},{})", line, place) : fmt::format("({},{})", place, line);
}

Result<void> check_distinct(const PlacedTile& placed) {
  constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();
  std::vector<uint32_t> owner(placed.size_bytes / placed.element_bytes, kNone);
  for (uint32_t n = 0; n < placed.offset_bytes.size(); ++n) {
    uint32_t& first = owner[placed.offset_bytes[n] / placed.element_bytes];
    if (first != kNone)
      return fail(ErrorKind::Usage,
                  fmt::format("the elements {} and {} of the tile have the same offset, {} bytes; a tile "
                              "needs a layout with one offset for each element",
                              shown(placed, first), shown(placed, n), placed.offset_bytes[n]));
    first = n;
  }
  return {};
}

}  // namespace

Tile plain(const Tile& tile) {
  Tile same = tile;
  same.arrangement = Plain{};
  return same;
}

Result<PlacedTile> place(const Tile& tile) {
  PlacedTile placed;
  const Mode& rows = tile.layout.rows;
  const Mode& columns = tile.layout.columns;
  const auto row_stride = least_stride(rows), column_stride = least_stride(columns);
  placed.lines_are_rows = !row_stride || (column_stride && *column_stride <= *row_stride);
  const Mode& slow = placed.lines_are_rows ? rows : columns;
  placed.lines = extent_of(slow);
  placed.line_elements = extent_of(placed.lines_are_rows ? columns : rows);
  placed.pitch_elements = std::max(1u, least_stride(slow).value_or(placed.line_elements));
  placed.element_bytes = size_bytes(tile.element);
  TRY_VOID(check_fit(tile, placed));

  placed.offset_bytes = arranged(tile, placed);
  uint64_t elements = uint64_t{*std::ranges::max_element(placed.offset_bytes)} + 1;
  // An array with padded rows has the padding after its last row, too.
  if (const auto* padding = std::get_if<Padding>(&tile.arrangement)) {
    const uint64_t pitch = uint64_t{placed.pitch_elements} + padding->elements;
    elements = (elements + pitch - 1) / pitch * pitch;
  }
  if (elements * placed.element_bytes > kMostElements)
    return fail(ErrorKind::Usage,
                fmt::format("the tile takes {} bytes, and a block has at most {} bytes of shared memory; "
                            "choose a smaller tile",
                            elements * placed.element_bytes, kMostElements));
  placed.size_bytes = static_cast<uint32_t>(elements) * placed.element_bytes;
  for (uint32_t& offset : placed.offset_bytes) offset *= placed.element_bytes;
  TRY_VOID(check_distinct(placed));
  return placed;
}

}  // namespace lanescope::layout
