// The accesses of a padded 32 x 32 tile transpose of floats, blocks of 32 x 8 threads, as its index
// expressions say: for the tests of models and figures, which must not wait for a producer.

#pragma once

#include "support/trace_builder.h"

namespace lanescope::tests {

enum class BlockOrder { RowMajor, Diagonal };

struct TransposeShape {
  uint32_t width = 128;   // columns of the input
  uint32_t height = 128;  // rows of the input
  BlockOrder order = BlockOrder::RowMajor;
  uint32_t first_blocks = 0xffffffffu;  // how many blocks are kept
};

/// Buffer 0 is the input, 1 the output; sites 0 to 3 load the input, store and load the tile, store the
/// output.
inline trace::Trace transpose_trace(const TransposeShape& shape) {
  constexpr uint32_t kTile = 32;
  constexpr uint32_t kRowsPerStep = 8;
  constexpr uint32_t kPitchBytes = (kTile + 1) * 4;
  const Dim3 grid{(shape.width + kTile - 1) / kTile, (shape.height + kTile - 1) / kTile, 1};
  TraceBuilder builder(grid, {kTile, kRowsPerStep, 1}, kTile * kPitchBytes);
  const uint32_t input = builder.buffer("in", shape.height, shape.width);
  const uint32_t output = builder.buffer("out", shape.width, shape.height);
  using trace::Kind;
  using trace::Space;
  const SiteId load = builder.site({Space::Global, Kind::Load, 4}, 10, "tile[y][x] = in[y * width + x];");
  const SiteId fill = builder.site({Space::Shared, Kind::Store, 4}, 10, "tile[y][x] = in[y * width + x];");
  const SiteId read = builder.site({Space::Shared, Kind::Load, 4}, 12, "out[y * height + x] = tile[x][y];");
  const SiteId store = builder.site({Space::Global, Kind::Store, 4}, 12, "out[y * height + x] = tile[x][y];");

  for (uint32_t bid = 0; bid < grid.x * grid.y && bid < shape.first_blocks; ++bid) {
    builder.block(CtaId{bid});
    uint32_t tile_x = bid % grid.x;
    uint32_t tile_y = bid / grid.x;
    if (shape.order == BlockOrder::Diagonal) {  // any shape, as the paper's second form
      tile_y = bid % grid.y;
      tile_x = (bid / grid.y + tile_y) % grid.x;
    }
    // Row `row` of a tile that starts at (y, x) of a matrix of `rows` x `columns`: the lanes inside.
    const auto row_access = [&](SiteId site, uint32_t buffer, uint32_t warp, uint32_t y, uint32_t x,
                                uint32_t rows, uint32_t columns) {
      if (y >= rows || x >= columns) return;
      const uint32_t inside = std::min(kTile, columns - x);
      const LaneMask active{kAllLanes.bits >> (kTile - inside)};
      builder.affine(site, WarpId{warp}, trace::global_address(buffer, (uint64_t{y} * columns + x) * 4), 4,
                     active);
    };
    for (uint32_t warp = 0; warp < kRowsPerStep; ++warp) {
      for (uint32_t row = warp; row < kTile; row += kRowsPerStep) {
        row_access(load, input, warp, tile_y * kTile + row, tile_x * kTile, shape.height, shape.width);
        builder.affine(fill, WarpId{warp}, row * kPitchBytes, 4);
      }
      for (uint32_t row = warp; row < kTile; row += kRowsPerStep) {
        builder.affine(read, WarpId{warp}, row * 4, kPitchBytes);
        row_access(store, output, warp, tile_x * kTile + row, tile_y * kTile, shape.width, shape.height);
      }
    }
  }
  return builder.take();
}

}  // namespace lanescope::tests
