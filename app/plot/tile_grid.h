// One tile map laid out in a box: where each block's tile is, and its color.
// Tests: tests/unit/plot/block_figure_test.cpp

#pragma once

#include "model/residency.h"
#include "model/tiles.h"
#include "plot/figures.h"
#include "plot/sheet.h"

#include <cstdint>
#include <optional>
#include <string>

namespace lanescope::plot {

/// What all maps of a figure share.
struct TileScene {
  const trace::Trace& trace;
  const model::Device& device;
  model::Wave wave;  // the blocks in flight
  std::optional<CtaId> selected;
  Language language = Language::English;
  MapPart part = {};  // of each map, that is drawn
};

/// Tiles across and down, by the size of the largest tile.
uint64_t tile_columns(const model::TileMap& map);
uint64_t tile_rows(const model::TileMap& map);

/// Whether the device says which partition an address is in; if not, tiles are colored by launch order.
bool has_partitions(const model::Device& device);

/// Partition of the tile's first byte.
uint32_t partition_of(const TileScene& scene, const model::TileMap& map, const model::TileUse& tile);

/// The largest box within `room` for the matrix: square tiles, or stretched by no more than this factor.
Box fit_matrix(const Box& room, const model::TileMap& map, float stretch);

/// Draws the tiles of the part into `box`: numbers where they fit, blocks that are not in flight faded (those
/// of earlier waves less), the selected block outlined. Beyond 64 x 64 tiles an image of cells. Returns the
/// area that can be zoomed.
ZoomArea add_tiles(Sheet& sheet, const Box& box, const model::TileMap& map, const TileScene& scene);

}  // namespace lanescope::plot
