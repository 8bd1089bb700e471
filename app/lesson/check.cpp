#include "lesson/check.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace lanescope::lesson {
namespace {

/// What becomes of the tiles of a matrix: a transpose turns them and moves them.
struct Way {
  bool moves_tiles =
      false;  // tile (i, j) goes to (j, i), and the output has as many columns as the input has rows
  bool turns_tiles = false;  // element (r, c) of a tile goes to its (c, r)
  bool stays_without_place =
      false;  // an element whose place is outside stays where it is; else it is not checked
};

struct Matrix {
  const std::byte* bytes;
  uint64_t rows, columns;
};

/// Larger tiles are compared element by element.
constexpr uint64_t kMostTile = 32;

template <class Element>
const std::byte* at(const Matrix& matrix, uint64_t row, uint64_t column) {
  return matrix.bytes + (row * matrix.columns + column) * sizeof(Element);
}

/// A whole tile, turned on the way: both matrices are walked by rows, since columns of a large one miss the
/// cache on every element.
template <class Element>
bool whole_tile_arrived(const Matrix& in, const Matrix& out, Way way, uint64_t top, uint64_t left,
                        uint64_t tile) {
  const size_t row_bytes = static_cast<size_t>(tile) * sizeof(Element);
  Element turned[kMostTile][kMostTile];
  for (uint64_t row = 0; row < tile; ++row) {
    const std::byte* from = at<Element>(in, top + row, left);
    if (!way.turns_tiles)
      std::memcpy(turned[row], from, row_bytes);
    else
      for (uint64_t column = 0; column < tile; ++column)
        std::memcpy(&turned[column][row], from + column * sizeof(Element), sizeof(Element));
  }
  if (way.moves_tiles) std::swap(top, left);
  for (uint64_t row = 0; row < tile; ++row)
    if (std::memcmp(turned[row], at<Element>(out, top + row, left), row_bytes) != 0) return false;
  return true;
}

/// A tile that the matrix's edge cuts, or a large one.
template <class Element>
bool cut_tile_arrived(const Matrix& in, const Matrix& out, Way way, uint64_t top, uint64_t left,
                      uint64_t tile) {
  for (uint64_t row = top; row < std::min(top + tile, in.rows); ++row)
    for (uint64_t column = left; column < std::min(left + tile, in.columns); ++column) {
      uint64_t down = row - top, right = column - left;
      if (way.turns_tiles) std::swap(down, right);
      uint64_t to_row = (way.moves_tiles ? left : top) + down,
               to_column = (way.moves_tiles ? top : left) + right;
      if (to_row >= out.rows || to_column >= out.columns) {
        if (!way.stays_without_place) continue;
        to_row = row, to_column = column;
      }
      if (std::memcmp(at<Element>(in, row, column), at<Element>(out, to_row, to_column), sizeof(Element)) !=
          0)
        return false;
    }
  return true;
}

/// First and end of the part's share of so many.
std::pair<uint64_t, uint64_t> share_of(InputPart part, uint64_t count) {
  return {count * part.number / part.count, count * (part.number + uint64_t{1}) / part.count};
}

template <class Element>
bool every_element_arrived(const Matrix& in, const Matrix& out, Way way, uint64_t tile, InputPart part) {
  const auto [first, end] = share_of(part, (in.rows + tile - 1) / tile);
  for (uint64_t top = first * tile; top < std::min(end * tile, in.rows); top += tile)
    for (uint64_t left = 0; left < in.columns; left += tile) {
      const bool whole = top + tile <= in.rows && left + tile <= in.columns && tile <= kMostTile;
      if (!(whole ? whole_tile_arrived<Element> : cut_tile_arrived<Element>)(in, out, way, top, left, tile))
        return false;
    }
  return true;
}

bool every_element_arrived(const Matrix& in, const Matrix& out, Way way, uint32_t element_bytes,
                           uint64_t tile, InputPart part) {
  struct Sixteen {
    std::byte bytes[16];
  };
  switch (element_bytes) {
    case 1:
      return every_element_arrived<uint8_t>(in, out, way, tile, part);
    case 2:
      return every_element_arrived<uint16_t>(in, out, way, tile, part);
    case 4:
      return every_element_arrived<uint32_t>(in, out, way, tile, part);
    case 8:
      return every_element_arrived<uint64_t>(in, out, way, tile, part);
    case 16:
      return every_element_arrived<Sixteen>(in, out, way, tile, part);
    default:
      return false;
  }
}

}  // namespace

bool output_is_correct(OutputRule rule, std::span<const std::byte> in, std::span<const std::byte> out,
                       MatrixSize size, uint32_t element_bytes, uint32_t tile, InputPart part) {
  const uint64_t expected = uint64_t{size.width} * size.height * element_bytes;
  if (in.size() != expected || out.size() != expected || tile == 0) return false;
  const Matrix from{in.data(), size.height, size.width};
  const Matrix same{out.data(), size.height, size.width}, turned{out.data(), size.width, size.height};
  switch (rule) {
    case OutputRule::Copy: {
      const auto [first, end] = share_of(part, expected);
      const auto begin = static_cast<size_t>(first), count = static_cast<size_t>(end - first);
      return std::ranges::equal(in.subspan(begin, count), out.subspan(begin, count));
    }
    case OutputRule::Transpose:
      return every_element_arrived(from, turned, {.moves_tiles = true, .turns_tiles = true}, element_bytes,
                                   kMostTile, part);
    case OutputRule::TurnTiles:
      return every_element_arrived(from, same, {.turns_tiles = true, .stays_without_place = true},
                                   element_bytes, tile, part);
    case OutputRule::MoveTiles:
      return every_element_arrived(from, turned, {.moves_tiles = true}, element_bytes, tile, part);
  }
  return false;
}

}  // namespace lanescope::lesson
