#include "layout/search.h"

#include <gtest/gtest.h>

namespace lanescope::layout {
namespace {

using launch::ElementType;

Found found(const char* layout, ElementType element, std::initializer_list<const char*> names) {
  std::vector<Access> accesses;
  for (const char* name : names) accesses.push_back(find_access(name).value());
  return search({parse_layout(layout).value(), element, Plain{}}, accesses).value();
}

TEST(LayoutSearch, eight_rows_of_128_bytes_need_three_bits_or_16_bytes) {
  const Found both = found("(8,64):(64,1)", ElementType::F16, {"st.row.16", "ldmatrix.x4"});
  EXPECT_FALSE(both.plain_serves);
  ASSERT_TRUE(both.swizzle);
  EXPECT_EQ(both.swizzle->arrangement, Arrangement(Swizzle{3, 3, 3}));
  EXPECT_EQ(both.swizzle->size_bytes, both.plain_bytes);
  ASSERT_TRUE(both.padding);
  EXPECT_EQ(both.padding->arrangement, Arrangement(Padding{8}));
  EXPECT_EQ(both.padding->size_bytes, both.plain_bytes + 8 * 16);
}

TEST(LayoutSearch, square_tile_of_floats_needs_one_float_or_five_bits) {
  const Found columns = found("(32,32):(32,1)", ElementType::F32, {"ld.row.4", "ld.column.4"});
  ASSERT_TRUE(columns.swizzle);
  EXPECT_EQ(columns.swizzle->arrangement, Arrangement(Swizzle{5, 0, 5}));
  ASSERT_TRUE(columns.padding);
  EXPECT_EQ(columns.padding->arrangement, Arrangement(Padding{1}));
}

TEST(LayoutSearch, nothing_is_needed_where_the_plain_layout_serves) {
  EXPECT_TRUE(found("(8,64):(64,1)", ElementType::F16, {"st.row.16"}).plain_serves);
}

TEST(LayoutSearch, none_serves_where_units_of_16_bytes_stay_together_and_columns_take_4) {
  const Found none = found("(32,32):(32,1)", ElementType::F32, {"st.row.16", "ld.column.4"});
  EXPECT_FALSE(none.plain_serves);
  EXPECT_FALSE(none.swizzle);
  EXPECT_FALSE(none.padding);
  ASSERT_TRUE(none.best);
  EXPECT_GT(none.best->excess, 0u);
}

TEST(LayoutSearch, without_a_possible_access_there_is_no_best) {
  EXPECT_FALSE(found("(4,64):(64,1)", ElementType::F16, {"ldmatrix.x4"}).best);
}

}  // namespace
}  // namespace lanescope::layout
