#include "layout/tile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::layout {
namespace {

using launch::ElementType;
using testing::HasSubstr;

Result<PlacedTile> placed(const char* layout, ElementType element, const Arrangement& arrangement = Plain{}) {
  return place({parse_layout(layout).value(), element, arrangement});
}

TEST(Tile, offsets_are_bytes_of_the_element) {
  const PlacedTile tile = placed("(8,64):(64,1)", ElementType::F16).value();
  EXPECT_TRUE(tile.lines_are_rows);
  EXPECT_EQ(tile.size_bytes, 1024u);
  EXPECT_EQ(tile.at_row_column(3, 5), 2u * (3 * 64 + 5));
}

TEST(Tile, columns_are_the_lines_of_a_column_major_tile) {
  const PlacedTile tile = placed("(32,8):(1,32)", ElementType::F64).value();
  EXPECT_FALSE(tile.lines_are_rows);
  EXPECT_EQ(tile.lines, 8u);
  EXPECT_EQ(tile.line_elements, 32u);
  EXPECT_EQ(tile.rows(), 32u);
  EXPECT_EQ(tile.columns(), 8u);
  EXPECT_EQ(tile.at_row_column(5, 2), 8u * (5 + 2 * 32));
}

TEST(Tile, padding_goes_after_every_row_also_the_last) {
  const PlacedTile tile = placed("(32,32):(32,1)", ElementType::F32, Padding{1}).value();
  EXPECT_EQ(tile.at_row_column(3, 5), 4u * (3 * 33 + 5));
  EXPECT_EQ(tile.size_bytes, 4u * 32 * 33);
}

TEST(Tile, padding_of_core_matrices_goes_after_each_of_their_rows) {
  const PlacedTile tile = placed("((8,2),(8,2)):((8,64),(1,128))", ElementType::F16, Padding{8}).value();
  EXPECT_EQ(tile.pitch_elements, 8u);
  EXPECT_EQ(tile.at_row_column(1, 1), 2u * (16 + 1));
}

TEST(Tile, swizzle_changes_the_offset_in_elements) {
  const PlacedTile tile = placed("(8,64):(64,1)", ElementType::F16, Swizzle{3, 3, 3}).value();
  // Row 1, column 8 is element 72 = 0x48, which goes to 0x40.
  EXPECT_EQ(tile.at_row_column(1, 8), 2u * 0x40);
  EXPECT_EQ(tile.size_bytes, 1024u);
}

TEST(Tile, triton_swizzle_of_a_column_major_tile_exchanges_rows) {
  const PlacedTile tile = placed("(32,8):(1,32)", ElementType::F16, TritonSwizzle{4, 1, 8}).value();
  // Column 3 has phase 3: row 0 is group 0, which goes to group 3.
  EXPECT_EQ(tile.at_row_column(0, 3), 2u * (3 * 32 + 3 * 4));
}

TEST(Tile, what_is_no_tile_gets_one_sentence) {
  const auto refused = [](const Result<PlacedTile>& tile, const char* reason) {
    ASSERT_FALSE(tile);
    EXPECT_EQ(tile.error().kind, ErrorKind::Usage);
    EXPECT_THAT(tile.error().message, HasSubstr(reason));
  };
  refused(placed("(8,8):(8,0)", ElementType::F16), "the elements (0,0) and (0,1)");
  refused(placed("(8,8):(0,0)", ElementType::F16), "have the same offset, 0 bytes");
  refused(placed("(8,8):(7,1)", ElementType::F16), "the elements (0,7) and (1,0)");
  refused(placed("(256,256):(256,1)", ElementType::F64), "takes 524288 bytes");
  refused(placed("(256,256):(256,1)", ElementType::U16, Padding{4096}), "takes 2228224 bytes");
  refused(placed("(8,16):(16,1)", ElementType::F16, TritonSwizzle{8, 1, 8}), "within 64 elements");
}

TEST(Tile, one_element_is_a_tile) {
  const PlacedTile tile = placed("(1,1):(0,0)", ElementType::U8).value();
  EXPECT_EQ(tile.size_bytes, 1u);
  EXPECT_EQ(placed("(1,1):(0,0)", ElementType::U8, Padding{3}).value().size_bytes, 4u);
}

}  // namespace
}  // namespace lanescope::layout
