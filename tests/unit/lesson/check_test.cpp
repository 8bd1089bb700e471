#include "lesson/check.h"

#include <gtest/gtest.h>

namespace lanescope::lesson {
namespace {

std::vector<std::byte> bytes(std::initializer_list<int> values) {
  std::vector<std::byte> out;
  for (const int value : values) out.push_back(static_cast<std::byte>(value));
  return out;
}

// A matrix of 3 columns and 2 rows:  0 1 2 / 3 4 5
const std::vector<std::byte> kIn = bytes({0, 1, 2, 3, 4, 5});
constexpr MatrixSize kSize{3, 2};

TEST(Check, a_copy_is_equal) {
  EXPECT_EQ(output_is_correct("copy", kIn, kIn, kSize, 1, 32), true);
  EXPECT_EQ(output_is_correct("copy", kIn, bytes({0, 1, 2, 3, 4, 6}), kSize, 1, 32), false);
}

TEST(Check, a_transpose_has_columns_for_rows) {
  EXPECT_EQ(output_is_correct("transpose", kIn, bytes({0, 3, 1, 4, 2, 5}), kSize, 1, 32), true);
  EXPECT_EQ(output_is_correct("transpose", kIn, kIn, kSize, 1, 32), false);
}

TEST(Check, fine_grained_turns_inside_the_tile_and_keeps_what_has_no_mirror) {
  // Tiles of 2: the left tile 0 1 / 3 4 turns, the ragged right one (2 / 5) has no mirror image for 5.
  EXPECT_EQ(output_is_correct("fine_grained", kIn, bytes({0, 3, 2, 1, 4, 5}), kSize, 1, 2), true);
  EXPECT_EQ(output_is_correct("fine_grained", kIn, bytes({0, 1, 2, 3, 4, 5}), kSize, 1, 2), false);
}

TEST(Check, coarse_grained_moves_the_tile_unturned) {
  // The output has 2 columns and 3 rows. Tile (0,0) stays, of tile (0,1) only element 2 has a place: row 2,
  // column 0.
  EXPECT_EQ(output_is_correct("coarse_grained", kIn, bytes({0, 1, 3, 4, 2, 99}), kSize, 1, 2), true);
  EXPECT_EQ(output_is_correct("coarse_grained", kIn, bytes({0, 3, 1, 4, 2, 99}), kSize, 1, 2), false);
}

TEST(Check, wide_elements_are_compared_whole) {
  const auto in = bytes({0, 0, 1, 0}), swapped = bytes({0, 0, 1, 1});
  EXPECT_EQ(output_is_correct("copy", in, swapped, {2, 1}, 2, 32), false);
  EXPECT_EQ(output_is_correct("transpose", in, swapped, {2, 1}, 2, 32), false);
  EXPECT_EQ(output_is_correct("transpose", in, in, {2, 1}, 2, 32), true);
}

TEST(Check, a_wrong_size_is_wrong_and_an_unknown_check_is_no_answer) {
  EXPECT_EQ(output_is_correct("copy", kIn, bytes({0}), kSize, 1, 32), false);
  EXPECT_EQ(output_is_correct("rotate", kIn, kIn, kSize, 1, 32), std::nullopt);
}

}  // namespace
}  // namespace lanescope::lesson
