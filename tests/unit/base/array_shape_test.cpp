#include "base/array_shape.h"

#include <gtest/gtest.h>

namespace lanescope {
namespace {

TEST(ArrayShape, names_the_element_that_has_a_byte) {
  const ArrayShape tile{{32, 33}, 4};
  EXPECT_EQ(element_at("tile", tile, 0), "tile[0][0]");
  EXPECT_EQ(element_at("tile", tile, 64), "tile[0][16]");
  EXPECT_EQ(element_at("tile", tile, 4 * 32), "tile[0][32]");  // the padding
  EXPECT_EQ(element_at("tile", tile, 4 * 33), "tile[1][0]");
  EXPECT_EQ(element_at("tile", tile, 4 * (31 * 33 + 32) + 3), "tile[31][32]");  // its last byte
  EXPECT_EQ(element_at("tile", tile, 4 * 32 * 33), "tile[32][0]");              // beyond
}

TEST(ArrayShape, has_any_number_of_dimensions) {
  EXPECT_EQ(element_at("sums", {{8}, 8}, 24), "sums[3]");
  EXPECT_EQ(element_at("s", {{}, 2}, 10), "s[5]");
  EXPECT_EQ(element_at("stages", {{2, 4, 8}, 4}, 4 * (1 * 32 + 3 * 8 + 5)), "stages[1][3][5]");
  EXPECT_EQ(element_at("tile", {{0, 33}, 4}, 4 * 40), "tile[1][7]");  // the first extent is not needed
}

TEST(ArrayShape, that_is_not_known_names_nothing) {
  EXPECT_EQ(element_at("tile", {}, 64), "");
  EXPECT_EQ(place_at("", 64, "'tile'"), "offset 64 of 'tile'");
  EXPECT_EQ(place_at("tile[0][16]", 64, "'tile'"), "tile[0][16], byte 64 of 'tile'");
}

}  // namespace
}  // namespace lanescope
