// Which part of a matrix each block reads or writes: the block-to-tile mapping, found from the addresses.
// Method: the bounding box, in elements, of a block's accesses to a buffer that has rows. The kernel's index
// computation does not matter. Tests: tests/unit/model/tiles_test.cpp

#pragma once

#include "trace/trace.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lanescope::model {

struct TileUse {
  CtaId cta;
  uint64_t row = 0, column = 0;    // first element accessed
  uint64_t rows = 0, columns = 0;  // extent of the bounding box
};

struct TileMap {
  uint32_t buffer = 0;
  trace::Kind kind = trace::Kind::Load;  // Load or Store
  uint64_t matrix_rows = 0, matrix_columns = 0;
  uint64_t tile_rows = 0, tile_columns = 0;  // extent of the largest box: the size of a tile
  std::vector<TileUse> tiles;                // stored blocks in launch order
};

/// One map for each (buffer with rows, load or store) that the kernel accessed, in order of buffer, loads
/// first. Asynchronous copies count as loads; atomics and reductions as stores.
std::vector<TileMap> map_tiles(const trace::Trace& trace);
/// Adds the maps of blocks after those of `maps`, of the same launch.
void append(std::vector<TileMap>& maps, const std::vector<TileMap>& later);

/// For each element of a buffer, the last block in launch order that accessed it: [row][column], 0 = none,
/// else cta + 1. Drawn by a shader, so it may have millions of cells.
struct ElementMap {
  uint32_t buffer = 0;
  trace::Kind kind = trace::Kind::Load;
  uint32_t rows = 0, columns = 0;
  std::vector<uint32_t> block;  // [row][column]
};
inline constexpr uint64_t kMaximumElements = uint64_t{1} << 28;
/// Whether the buffer has rows, and at most kMaximumElements elements.
bool has_element_map(const trace::Trace& trace, uint32_t buffer);
/// No value where has_element_map() is false.
std::optional<ElementMap> map_elements(const trace::Trace& trace, uint32_t buffer, trace::Kind kind);
/// Marks what blocks after those of the map accessed, of the same launch.
void mark_elements(ElementMap& map, const trace::Trace& later);

}  // namespace lanescope::model
