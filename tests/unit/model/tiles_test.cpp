// Which block accesses which tile: the 4 x 4 grids of the transposes, and boxes computed by hand.

#include "model/tiles.h"

#include "support/trace_builder.h"
#include "support/transpose_trace.h"
#include "support/warp_pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::model {
namespace {

using ::testing::ElementsAre;
using tests::TraceBuilder;
using tests::Transpose;
using tests::transpose_trace;
using trace::global_address;
using trace::Kind;
using Grid = std::vector<std::vector<int>>;

const TileMap& map_of(const std::vector<TileMap>& maps, uint32_t buffer, Kind kind) {
  const auto found = std::ranges::find_if(
      maps, [&](const TileMap& map) { return map.buffer == buffer && map.kind == kind; });
  EXPECT_NE(found, maps.end());
  return *found;
}

/// Block number at each tile position.
Grid grid_of(const TileMap& map) {
  Grid grid(map.matrix_rows / map.tile_rows, std::vector<int>(map.matrix_columns / map.tile_columns, -1));
  for (const TileUse& tile : map.tiles) {
    grid[tile.row / map.tile_rows][tile.column / map.tile_columns] = static_cast<int>(tile.cta.value);
  }
  return grid;
}

TEST(Tiles, blocks_in_row_major_order_read_the_original_matrix_row_by_row) {
  const auto maps = map_tiles(transpose_trace({.padding = 1}));
  EXPECT_EQ(grid_of(map_of(maps, 0, Kind::Load)),
            (Grid{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}, {12, 13, 14, 15}}));
}

TEST(Tiles, and_write_the_transposed_matrix_column_by_column) {
  const auto maps = map_tiles(transpose_trace({.padding = 1}));
  EXPECT_EQ(grid_of(map_of(maps, 1, Kind::Store)),
            (Grid{{0, 4, 8, 12}, {1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15}}));
}

TEST(Tiles, diagonal_order_spreads_consecutive_blocks_over_rows_and_columns) {
  const auto maps = map_tiles(transpose_trace({.padding = 1, .variant = Transpose::Diagonal}));
  EXPECT_EQ(grid_of(map_of(maps, 0, Kind::Load)),
            (Grid{{0, 4, 8, 12}, {13, 1, 5, 9}, {10, 14, 2, 6}, {7, 11, 15, 3}}));
  EXPECT_EQ(grid_of(map_of(maps, 1, Kind::Store)),
            (Grid{{0, 13, 10, 7}, {4, 1, 14, 11}, {8, 5, 2, 15}, {12, 9, 6, 3}}));
}

TEST(Tiles, a_transpose_has_one_map_for_reads_and_one_for_writes) {
  const auto maps = map_tiles(transpose_trace({.width = 96, .height = 64, .padding = 1}));
  ASSERT_EQ(maps.size(), 2u);
  EXPECT_EQ(maps[0].matrix_rows, 64u);
  EXPECT_EQ(maps[0].matrix_columns, 96u);
  EXPECT_EQ(maps[1].matrix_rows, 96u);
  EXPECT_EQ(maps[1].matrix_columns, 64u);
  EXPECT_EQ(maps[0].tile_rows, 32u);
  EXPECT_EQ(maps[0].tile_columns, 32u);
  EXPECT_EQ(maps[0].tiles.size(), 6u);
}

TEST(Tiles, a_tile_at_the_edge_is_clipped) {
  const auto maps = map_tiles(transpose_trace({.width = 40, .height = 33, .padding = 1}));
  const TileMap& input = map_of(maps, 0, Kind::Load);
  ASSERT_EQ(input.tiles.size(), 4u);
  EXPECT_EQ(input.tiles[3].row, 32u);
  EXPECT_EQ(input.tiles[3].rows, 1u);
  EXPECT_EQ(input.tiles[3].column, 32u);
  EXPECT_EQ(input.tiles[3].columns, 8u);
}

/// One access of a block to a matrix of 10 rows x 20 floats.
class OneAccess {
 public:
  explicit OneAccess(trace::Operation operation = tests::global_load(4)) : builder_({1, 1, 1}, {32, 1, 1}) {
    buffer_ = builder_.buffer("m", 10, 20);
    site_ = builder_.site(operation);
    builder_.block(CtaId{0});
  }
  OneAccess& affine(int element, int64_t stride, LaneMask active = kAllLanes) {
    builder_.affine(site_, WarpId{0}, global_address(buffer_, static_cast<uint64_t>(element) * 4), stride * 4,
                    active);
    return *this;
  }
  template <class F>
  OneAccess& listed(F&& element_of) {
    builder_.listed(site_, WarpId{0}, [&](int lane) {
      return global_address(buffer_, static_cast<uint64_t>(element_of(lane)) * 4);
    });
    return *this;
  }
  /// {row, column, rows, columns}
  std::vector<uint64_t> box() {
    const auto maps = map_tiles(builder_.take());
    if (maps.size() != 1 || maps[0].tiles.size() != 1) return {};
    const TileUse& tile = maps[0].tiles[0];
    return {tile.row, tile.column, tile.rows, tile.columns};
  }

 private:
  TraceBuilder builder_;
  uint32_t buffer_ = 0;
  SiteId site_;
};

constexpr LaneMask kTen{0x3ff};

TEST(Tiles, lanes_within_a_row) {
  EXPECT_THAT(OneAccess().affine(45, 1, kTen).box(), ElementsAre(2, 5, 1, 10));
}
TEST(Tiles, lanes_down_a_column) {
  EXPECT_THAT(OneAccess().affine(7, 20, kTen).box(), ElementsAre(0, 7, 10, 1));
}
TEST(Tiles, lanes_up_a_column) {
  EXPECT_THAT(OneAccess().affine(187, -20, kTen).box(), ElementsAre(0, 7, 10, 1));
}
TEST(Tiles, lanes_over_the_end_of_a_row) {
  EXPECT_THAT(OneAccess().affine(35, 1, kTen).box(), ElementsAre(1, 0, 2, 20));
}
TEST(Tiles, lanes_with_gaps_over_several_rows) {
  // Elements 5, 12, 19, 26, ... 68: columns 5, 12, 19, 6, 13, 0, 7, 14, 1, 8.
  EXPECT_THAT(OneAccess().affine(5, 7, kTen).box(), ElementsAre(0, 0, 4, 20));
  // Elements 2 and 23.
  EXPECT_THAT(OneAccess().affine(2, 21, {0x3}).box(), ElementsAre(0, 2, 2, 2));
  // Elements 18 and 39, then 60: columns 18, 19, 0.
  EXPECT_THAT(OneAccess().affine(18, 21, {0x7}).box(), ElementsAre(0, 0, 4, 20));
}
TEST(Tiles, lanes_on_a_diagonal) {
  EXPECT_THAT(OneAccess().listed([](int lane) { return lane % 8 * 21 + 3; }).box(), ElementsAre(0, 3, 8, 8));
}
TEST(Tiles, every_lane_at_one_element) {
  EXPECT_THAT(OneAccess().affine(45, 0).box(), ElementsAre(2, 5, 1, 1));
}
TEST(Tiles, four_floats_per_lane) {
  EXPECT_THAT(OneAccess(tests::global_load(16)).affine(24, 4, {0x3}).box(), ElementsAre(1, 4, 1, 8));
  EXPECT_THAT(OneAccess(tests::global_load(16)).affine(24, 20, {0x3}).box(), ElementsAre(1, 4, 2, 4));
}
TEST(Tiles, several_accesses_grow_one_box) {
  EXPECT_THAT(OneAccess().affine(3, 1, {0x1}).affine(65, 1, {0x3}).box(), ElementsAre(0, 3, 4, 4));
}
TEST(Tiles, only_executing_lanes_count) {
  EXPECT_THAT(OneAccess().affine(40, 1, {0x104}).box(), ElementsAre(2, 2, 1, 7));
}

TEST(Tiles, buffers_without_rows_and_wild_addresses_have_no_map) {
  TraceBuilder builder({1, 1, 1}, {32, 1, 1});
  const uint32_t buffer = builder.buffer("list", 100, 0);
  const SiteId site = builder.site(tests::global_load(4));
  builder.block(CtaId{0});
  builder.affine(site, WarpId{0}, global_address(buffer, 0), 4);
  builder.affine(site, WarpId{0}, 64, 4);
  builder.affine(site, WarpId{0}, global_address(77, 0), 4);
  EXPECT_TRUE(map_tiles(builder.take()).empty());
}

TEST(Tiles, shared_memory_has_no_map) {
  TraceBuilder builder({1, 1, 1}, {32, 1, 1});
  builder.buffer("m", 10, 20);
  const SiteId site = builder.site(tests::shared_load(4));
  builder.block(CtaId{0});
  builder.affine(site, WarpId{0}, global_address(0, 0), 4);
  EXPECT_TRUE(map_tiles(builder.take()).empty());
}

TEST(Elements, each_element_belongs_to_the_block_that_accessed_it) {
  const auto map = map_elements(transpose_trace({.width = 64, .height = 96, .padding = 1}), 1, Kind::Store)
                       .value_or(ElementMap{});
  EXPECT_EQ(map.rows, 64u);
  EXPECT_EQ(map.columns, 96u);
  ASSERT_EQ(map.block.size(), 64u * 96);
  for (uint32_t row = 0; row < 64; ++row) {
    for (uint32_t column = 0; column < 96; ++column) {
      ASSERT_EQ(map.block[row * 96 + column], 1 + row / 32 + 2 * (column / 32)) << row << ' ' << column;
    }
  }
}

TEST(Tiles, parts_one_after_the_other_make_the_maps_of_the_whole) {
  const trace::Trace whole = transpose_trace({.width = 96, .height = 64, .padding = 1});
  trace::Trace first = whole, later = whole;
  first.blocks.resize(1);
  later.blocks.erase(later.blocks.begin());
  std::vector<TileMap> maps = map_tiles(first);
  append(maps, map_tiles(later));
  const std::vector<TileMap> wanted = map_tiles(whole);
  ASSERT_EQ(maps.size(), wanted.size());
  for (size_t n = 0; n < maps.size(); ++n) {
    EXPECT_EQ(maps[n].kind, wanted[n].kind);
    EXPECT_EQ(maps[n].tile_rows, wanted[n].tile_rows);
    EXPECT_EQ(grid_of(maps[n]), grid_of(wanted[n]));
  }
  std::vector<TileMap> stores, loads = wanted;
  stores.assign(1, wanted[1]);
  loads.resize(1);
  append(stores, loads);
  EXPECT_EQ(stores.front().kind, Kind::Load) << "loads are first, whichever came first";

  auto elements = map_elements(first, 1, Kind::Store).value_or(ElementMap{});
  mark_elements(elements, later);
  EXPECT_EQ(elements.block, map_elements(whole, 1, Kind::Store)->block);
}

TEST(Elements, the_last_block_in_launch_order_wins_and_0_means_none) {
  TraceBuilder builder({2, 1, 1}, {32, 1, 1});
  const uint32_t buffer = builder.buffer("m", 2, 4);
  const SiteId site = builder.site(tests::global_store(8));
  for (const uint32_t cta : {0u, 1u}) {
    builder.block(CtaId{cta});
    builder.affine(site, WarpId{0}, global_address(buffer, cta * 4), 8, {0x3});
  }
  const auto map = map_elements(builder.take(), buffer, Kind::Store).value_or(ElementMap{});
  EXPECT_THAT(map.block, ElementsAre(1, 2, 2, 2, 2, 0, 0, 0));
}

TEST(Elements, a_buffer_without_rows_or_of_too_many_elements_has_no_map) {
  TraceBuilder builder({1, 1, 1}, {32, 1, 1});
  builder.buffer("list", 100, 0);
  builder.buffer("huge", uint64_t{1} << 20, uint64_t{1} << 20);
  const trace::Trace trace = builder.take();
  EXPECT_FALSE(map_elements(trace, 0, Kind::Load).has_value());
  EXPECT_FALSE(map_elements(trace, 1, Kind::Load).has_value());
  EXPECT_FALSE(map_elements(trace, 2, Kind::Load).has_value());
}

}  // namespace
}  // namespace lanescope::model
