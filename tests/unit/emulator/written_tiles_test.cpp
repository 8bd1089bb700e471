// Tiles of one shape that blocks write side by side.

#include "emulator/checks/written_tiles.h"

#include <vector>

#include <gtest/gtest.h>

namespace lanescope::emulator {
namespace {

/// Of 2 rows of 4 cells; a row of all is 12 cells.
Tile tile_at(uint64_t first) { return {.first = first, .width = 4, .rows = 2, .pitch = 12}; }

TEST(WrittenTiles, a_tile_is_claimed_once) {
  WrittenTiles tiles;
  EXPECT_EQ(tiles.state(), WrittenTiles::State::Unused);
  tiles.begin(tile_at(0), 48);
  ASSERT_EQ(tiles.state(), WrittenTiles::State::InTiles);
  EXPECT_TRUE(tiles.claim(tile_at(4), 1));
  EXPECT_FALSE(tiles.claim(tile_at(4), 2));
  EXPECT_FALSE(tiles.claim(tile_at(4), 1));
  EXPECT_TRUE(tiles.claim(tile_at(8), 2));
  EXPECT_TRUE(tiles.claim(tile_at(24), 3)) << "two rows below";
  tiles.release(tile_at(4), 2);
  EXPECT_FALSE(tiles.claim(tile_at(4), 3)) << "only its ticket releases it";
  tiles.release(tile_at(4), 1);
  EXPECT_TRUE(tiles.claim(tile_at(4), 3));
}

TEST(WrittenTiles, what_is_not_beside_the_others_is_not_claimed) {
  WrittenTiles tiles;
  tiles.begin(tile_at(0), 48);
  EXPECT_FALSE(tiles.claim(tile_at(2), 1)) << "across two columns";
  EXPECT_FALSE(tiles.claim(tile_at(12), 1)) << "across two rows of tiles";
  EXPECT_FALSE(tiles.claim(tile_at(48), 1)) << "after the buffer";
  EXPECT_FALSE(tiles.claim({.first = 0, .width = 2, .rows = 2, .pitch = 12}, 1));
  EXPECT_FALSE(tiles.claim({.first = 0, .width = 4, .rows = 1, .pitch = 12}, 1));
  EXPECT_FALSE(tiles.claim({.first = 0, .width = 4, .rows = 2, .pitch = 16}, 1));
}

TEST(WrittenTiles, its_rows_are_those_of_the_claimed_tiles) {
  struct Row {
    uint64_t first = 0;
    uint32_t cells = 0;
    uint32_t ticket = 0;
    bool operator==(const Row&) const = default;
  };
  const auto rows_of = [](const WrittenTiles& tiles) {
    std::vector<Row> rows;
    tiles.for_each_row(
        [&](uint64_t first, uint32_t cells, uint32_t ticket) { rows.push_back({first, cells, ticket}); });
    return rows;
  };
  WrittenTiles tiles;
  EXPECT_EQ(rows_of(tiles), (std::vector<Row>{}));
  tiles.begin(tile_at(0), 40);  // the last row of tiles is not whole
  EXPECT_TRUE(tiles.claim(tile_at(24), 7));
  EXPECT_TRUE(tiles.claim(tile_at(4), 9));
  EXPECT_EQ(rows_of(tiles), (std::vector<Row>{{4, 4, 9}, {16, 4, 9}, {24, 4, 7}, {36, 4, 7}}));
  tiles.use_cells();
  EXPECT_EQ(tiles.state(), WrittenTiles::State::InCells);
  EXPECT_EQ(rows_of(tiles), (std::vector<Row>{}));
}

TEST(WrittenTiles, tiles_that_do_not_fill_a_row_are_left_to_the_cells) {
  WrittenTiles tiles;
  tiles.begin({.first = 0, .width = 4, .rows = 2, .pitch = 10}, 40);
  EXPECT_EQ(tiles.state(), WrittenTiles::State::InCells);
}

TEST(WrittenTiles, small_tiles_are_left_to_the_cells) {
  WrittenTiles tiles;
  tiles.begin({.first = 0, .width = 1, .rows = 3, .pitch = 10}, 40);
  EXPECT_EQ(tiles.state(), WrittenTiles::State::InCells);
}

}  // namespace
}  // namespace lanescope::emulator
