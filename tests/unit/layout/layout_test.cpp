// Values by hand from the definition of shape and stride.
#include "layout/layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::layout {
namespace {

using testing::HasSubstr;

uint32_t offset(const Layout& layout, uint32_t row, uint32_t column) {
  return offset_in(layout.rows, row) + offset_in(layout.columns, column);
}

TEST(Layout, row_major_tile_has_the_stride_of_a_row) {
  const auto layout = parse_layout("(8,64):(64,1)");
  ASSERT_TRUE(layout);
  EXPECT_EQ(extent_of(layout->rows), 8u);
  EXPECT_EQ(extent_of(layout->columns), 64u);
  EXPECT_EQ(offset(*layout, 0, 0), 0u);
  EXPECT_EQ(offset(*layout, 3, 5), 3u * 64 + 5);
  EXPECT_EQ(offset(*layout, 7, 63), 511u);
}

TEST(Layout, without_strides_the_first_mode_is_the_fastest) {
  const auto layout = parse_layout("(8,64)");
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->rows, (Mode{{8, 1}}));
  EXPECT_EQ(layout->columns, (Mode{{64, 8}}));
}

TEST(Layout, nested_mode_splits_its_coordinate_with_the_first_extent_fastest) {
  // Row 11 is (3, 1) of (8,2): 3 * 8 + 1 * 512. Column 9 is (1, 1) of (8,4): 1 * 1 + 1 * 64.
  const auto layout = parse_layout("((8,2),(8,4)):((8,512),(1,64))");
  ASSERT_TRUE(layout);
  EXPECT_EQ(extent_of(layout->rows), 16u);
  EXPECT_EQ(extent_of(layout->columns), 32u);
  EXPECT_EQ(offset(*layout, 11, 9), 3u * 8 + 512 + 1 + 64);
}

TEST(Layout, static_integers_as_cute_prints_them_and_spaces_are_read) {
  const auto layout = parse_layout(" ( _8 , _64 ) : ( _64 , _1 ) ");
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->rows, (Mode{{8, 64}}));
  EXPECT_EQ(layout->columns, (Mode{{64, 1}}));
}

TEST(Layout, wrong_text_gets_one_sentence) {
  const std::pair<std::string, const char*> cases[] = {
      {"", "is empty"},
      {"(", "lacks a number from 0 at its end"},
      {"(8,64", "lacks a ')' at its end"},
      {"(8,64):(64,1) x", "has something unexpected at character 15"},
      {"8:1", "has 1 instead of two modes"},
      {"(8,8,8):(1,8,64)", "has 3 instead of two modes"},
      {"(8,64):(64)", "strides of another form"},
      {"((8,2),4):((1,8,9),16)", "strides of another form"},
      {"(8,64):64", "strides of another form"},
      {"(0,64):(64,1)", "has an extent of 0"},
      {"(-8,64):(64,1)", "lacks a number from 0 at character 2"},
      {"(8,64):(64,-1)", "lacks a number from 0 at character 12"},
      {"(232449,1):(1,1)", "above 232448"},
      {"(99999999999999999999,1):(1,1)", "above 232448"},
      {"(1024,1024):(1024,1)", "more than 232448 elements"},
      {"(232448,232448):(0,0)", "more than 232448 elements"},
      {"(2,2):(232448,1)", "more than 232448 elements"},
      {"(8,64):(64,1", "lacks a ')'"},
      {std::string(200, '('), "is nested more than 8 deep"},
      {std::string(300, '1'), "is longer than 256 characters"},
      {std::string("(8,\0 64)", 8), "lacks a number"},
      {"(1,(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1))", "more than 16 extents"},
  };
  for (const auto& [text, reason] : cases) {
    const auto layout = parse_layout(text);
    ASSERT_FALSE(layout) << text;
    EXPECT_EQ(layout.error().kind, ErrorKind::Usage);
    EXPECT_THAT(layout.error().message, HasSubstr(reason)) << text;
    EXPECT_EQ(layout.error().message.find('\n'), std::string::npos);
  }
}

}  // namespace
}  // namespace lanescope::layout
