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
  EXPECT_EQ(output_is_correct(OutputRule::Copy, kIn, kIn, kSize, 1, 32), true);
  EXPECT_EQ(output_is_correct(OutputRule::Copy, kIn, bytes({0, 1, 2, 3, 4, 6}), kSize, 1, 32), false);
}

TEST(Check, a_transpose_has_columns_for_rows) {
  EXPECT_EQ(output_is_correct(OutputRule::Transpose, kIn, bytes({0, 3, 1, 4, 2, 5}), kSize, 1, 32), true);
  EXPECT_EQ(output_is_correct(OutputRule::Transpose, kIn, kIn, kSize, 1, 32), false);
}

TEST(Check, turned_tiles_turn_inside_and_keeps_what_has_no_mirror) {
  // Tiles of 2: the left tile 0 1 / 3 4 turns, the ragged right one (2 / 5) has no mirror image for 5.
  EXPECT_EQ(output_is_correct(OutputRule::TurnTiles, kIn, bytes({0, 3, 2, 1, 4, 5}), kSize, 1, 2), true);
  EXPECT_EQ(output_is_correct(OutputRule::TurnTiles, kIn, bytes({0, 1, 2, 3, 4, 5}), kSize, 1, 2), false);
}

TEST(Check, moved_tiles_stay_unturned) {
  // The output has 2 columns and 3 rows. Tile (0,0) stays, of tile (0,1) only element 2 has a place: row 2,
  // column 0.
  EXPECT_EQ(output_is_correct(OutputRule::MoveTiles, kIn, bytes({0, 1, 3, 4, 2, 99}), kSize, 1, 2), true);
  EXPECT_EQ(output_is_correct(OutputRule::MoveTiles, kIn, bytes({0, 3, 1, 4, 2, 99}), kSize, 1, 2), false);
}

/// Whether the check sees each single wrong byte of an output that is right otherwise. 70 x 40: whole tiles
/// and cut ones.
void expect_every_byte_matters(OutputRule check, MatrixSize size, uint32_t tile,
                               const std::vector<std::byte>& in, std::vector<std::byte> right,
                               size_t free_bytes) {
  ASSERT_EQ(output_is_correct(check, in, right, size, 2, tile), true);
  constexpr uint32_t kParts = 3;
  size_t unseen = 0, unseen_by_parts = 0;
  for (std::byte& byte : right) {
    byte ^= std::byte{1};
    unseen += output_is_correct(check, in, right, size, 2, tile) ? 1 : 0;
    uint32_t wrong_parts = 0;
    for (uint32_t part = 0; part < kParts; ++part)
      wrong_parts += output_is_correct(check, in, right, size, 2, tile, {part, kParts}) ? 0 : 1;
    EXPECT_LE(wrong_parts, 1u);
    unseen_by_parts += wrong_parts == 0 ? 1 : 0;
    byte ^= std::byte{1};
  }
  EXPECT_EQ(unseen, free_bytes);
  EXPECT_EQ(unseen_by_parts, free_bytes);
}

TEST(Check, sees_every_wrong_byte_in_whole_and_cut_tiles) {
  constexpr MatrixSize kLarge{70, 40};
  constexpr uint32_t kTile = 16;
  const auto number_at = [](const std::vector<std::byte>& bytes, size_t n) { return bytes.begin() + 2 * n; };
  std::vector<std::byte> in(2 * 70 * 40);
  for (size_t n = 0; n < in.size() / 2; ++n) {
    in[2 * n] = static_cast<std::byte>(n % 256);
    in[2 * n + 1] = static_cast<std::byte>(n / 256);
  }
  std::vector<std::byte> transposed(in.size()), fine = in, coarse(in.size(), std::byte{77});
  size_t without_place = 70 * 40;
  for (size_t row = 0; row < 40; ++row)
    for (size_t column = 0; column < 70; ++column) {
      const auto put = [&](std::vector<std::byte>& out, size_t place) {
        std::copy_n(number_at(in, row * 70 + column), 2,
                    out.begin() + static_cast<std::ptrdiff_t>(2 * place));
      };
      const size_t top = row / kTile * kTile, left = column / kTile * kTile;
      put(transposed, column * 40 + row);
      if (top + column - left < 40 && left + row - top < 70)
        put(fine, (top + column - left) * 70 + left + row - top);
      if (left + row - top < 70 && top + column - left < 40) {
        put(coarse, (left + row - top) * 40 + top + column - left);
        --without_place;
      }
    }
  expect_every_byte_matters(OutputRule::Transpose, kLarge, kTile, in, transposed, 0);
  expect_every_byte_matters(OutputRule::TurnTiles, kLarge, kTile, in, fine, 0);
  expect_every_byte_matters(OutputRule::MoveTiles, kLarge, kTile, in, coarse, 2 * without_place);
}

TEST(Check, wide_elements_are_compared_whole) {
  const auto in = bytes({0, 0, 1, 0}), swapped = bytes({0, 0, 1, 1});
  EXPECT_EQ(output_is_correct(OutputRule::Copy, in, swapped, {2, 1}, 2, 32), false);
  EXPECT_EQ(output_is_correct(OutputRule::Transpose, in, swapped, {2, 1}, 2, 32), false);
  EXPECT_EQ(output_is_correct(OutputRule::Transpose, in, in, {2, 1}, 2, 32), true);
}

TEST(Check, a_wrong_size_is_wrong) {
  EXPECT_EQ(output_is_correct(OutputRule::Copy, kIn, bytes({0}), kSize, 1, 32), false);
}

}  // namespace
}  // namespace lanescope::lesson
