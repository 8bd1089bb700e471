#include "lesson/check.h"

#include <algorithm>
#include <cstring>

namespace lanescope::lesson {
namespace {

using Place = std::optional<std::pair<uint64_t, uint64_t>>;

/// Whether each element of `in` stands in `out` where `target(row, column)` says; no target: it need not.
/// Walks the matrix in tiles, because a transpose walked by rows misses the cache on every element of the
/// other side.
template <class Element, class Target>
bool every_element_arrived(std::span<const std::byte> in, std::span<const std::byte> out, MatrixSize size,
                           uint64_t out_columns, Target target) {
  constexpr uint64_t kTile = 32;
  const auto equal = [&](uint64_t from, uint64_t to) {
    return std::memcmp(in.data() + from * sizeof(Element), out.data() + to * sizeof(Element),
                       sizeof(Element)) == 0;
  };
  for (uint64_t top = 0; top < size.height; top += kTile)
    for (uint64_t left = 0; left < size.width; left += kTile)
      for (uint64_t row = top; row < std::min<uint64_t>(top + kTile, size.height); ++row)
        for (uint64_t column = left; column < std::min<uint64_t>(left + kTile, size.width); ++column) {
          const Place place = target(row, column);
          if (place && !equal(row * size.width + column, place->first * out_columns + place->second))
            return false;
        }
  return true;
}

template <class Target>
bool every_element_arrived(std::span<const std::byte> in, std::span<const std::byte> out, MatrixSize size,
                           uint64_t out_columns, uint32_t element_bytes, Target target) {
  struct Sixteen {
    std::byte bytes[16];
  };
  switch (element_bytes) {
    case 1:
      return every_element_arrived<uint8_t>(in, out, size, out_columns, target);
    case 2:
      return every_element_arrived<uint16_t>(in, out, size, out_columns, target);
    case 4:
      return every_element_arrived<uint32_t>(in, out, size, out_columns, target);
    case 8:
      return every_element_arrived<uint64_t>(in, out, size, out_columns, target);
    case 16:
      return every_element_arrived<Sixteen>(in, out, size, out_columns, target);
    default:
      return false;
  }
}

}  // namespace

std::optional<bool> output_is_correct(std::string_view check, std::span<const std::byte> in,
                                      std::span<const std::byte> out, MatrixSize size, uint32_t element_bytes,
                                      uint32_t tile) {
  const uint64_t expected = uint64_t{size.width} * size.height * element_bytes;
  if (in.size() != expected || out.size() != expected) return false;

  if (check == "copy") return std::ranges::equal(in, out);
  if (check == "transpose")
    return every_element_arrived(in, out, size, size.height, element_bytes,
                                 [](uint64_t row, uint64_t column) -> Place { return {{column, row}}; });
  if (check == "fine_grained")
    return every_element_arrived(
        in, out, size, size.width, element_bytes, [&](uint64_t row, uint64_t column) -> Place {
          const uint64_t top = row / tile * tile, left = column / tile * tile;
          const uint64_t to_row = top + (column - left), to_column = left + (row - top);
          if (to_row >= size.height || to_column >= size.width) return {{row, column}};
          return {{to_row, to_column}};
        });
  if (check == "coarse_grained")
    return every_element_arrived(
        in, out, size, size.height, element_bytes, [&](uint64_t row, uint64_t column) -> Place {
          const uint64_t top = row / tile * tile, left = column / tile * tile;
          const uint64_t to_row = left + (row - top), to_column = top + (column - left);
          if (to_row >= size.width || to_column >= size.height) return {};
          return {{to_row, to_column}};
        });
  return {};
}

}  // namespace lanescope::lesson
