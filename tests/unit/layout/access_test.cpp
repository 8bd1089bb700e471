// Wavefronts by hand: 32 banks of 4 bytes, ldmatrix one wavefront for each matrix at best.
#include "layout/access.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::layout {
namespace {

using launch::ElementType;
using testing::HasSubstr;

Result<AccessCost> cost(const char* layout, ElementType element, const char* access,
                        const Arrangement& arrangement = Plain{}) {
  return cost_of(place({parse_layout(layout).value(), element, arrangement}).value(),
                 find_access(access).value());
}

TEST(LayoutAccess, ldmatrix_of_eight_rows_of_128_bytes_takes_32_wavefronts_and_4_with_a_swizzle) {
  // 8 rows of each matrix are 128 bytes apart: 8 wavefronts for a matrix, 32 for a request. 8 x 64 halves
  // have 8 matrices, so 2 requests.
  EXPECT_EQ(cost("(8,64):(64,1)", ElementType::F16, "ldmatrix.x4").value(), (AccessCost{2, 64, 8, 32}));
  EXPECT_EQ(cost("(8,64):(64,1)", ElementType::F16, "ldmatrix.x4", Swizzle{3, 3, 3}).value(),
            (AccessCost{2, 8, 8, 4}));
  EXPECT_EQ(cost("(8,64):(64,1)", ElementType::F16, "ldmatrix.x4.trans", Swizzle{3, 3, 3}).value(),
            (AccessCost{2, 8, 8, 4}));
  EXPECT_EQ(cost("(8,64):(64,1)", ElementType::F16, "stmatrix.x1").value(), (AccessCost{8, 64, 8, 8}));
}

TEST(LayoutAccess, triton_swizzle_of_eight_phases_equals_swizzle_3_3_3) {
  EXPECT_EQ(cost("(8,64):(64,1)", ElementType::F16, "ldmatrix.x4", TritonSwizzle{8, 1, 8}).value(),
            (AccessCost{2, 8, 8, 4}));
}

TEST(LayoutAccess, column_of_floats_takes_32_wavefronts_and_one_with_padding) {
  EXPECT_EQ(cost("(32,32):(32,1)", ElementType::F32, "ld.column.4").value(), (AccessCost{32, 1024, 32, 32}));
  EXPECT_EQ(cost("(32,32):(32,1)", ElementType::F32, "ld.column.4", Padding{1}).value(),
            (AccessCost{32, 32, 32, 1}));
  EXPECT_EQ(cost("(32,32):(32,1)", ElementType::F32, "ld.row.4").value(), (AccessCost{32, 32, 32, 1}));
}

TEST(LayoutAccess, rows_by_16_bytes_take_4_wavefronts) {
  EXPECT_EQ(cost("(8,64):(64,1)", ElementType::F16, "st.row.16").value(), (AccessCost{2, 8, 8, 4}));
  EXPECT_EQ(cost("(8,64):(64,1)", ElementType::F16, "st.row.16", Swizzle{3, 3, 3}).value(),
            (AccessCost{2, 8, 8, 4}));
}

TEST(LayoutAccess, rows_of_a_column_major_tile_are_what_lanes_go_along) {
  EXPECT_EQ(cost("(32,32):(1,32)", ElementType::F32, "ld.column.4").value(), (AccessCost{32, 32, 32, 1}));
  EXPECT_EQ(cost("(32,32):(1,32)", ElementType::F32, "ld.row.4").value(), (AccessCost{32, 1024, 32, 32}));
  EXPECT_EQ(cost("(32,32):(1,32)", ElementType::F32, "cp.async.16").value(), (AccessCost{8, 32, 32, 4}));
}

TEST(LayoutAccess, fragment_takes_eight_rows_of_four_units) {
  // Rows of 128 bytes: lanes l and l + 4 are in the same bank, 8 wavefronts. With 4 more floats in each row
  // the 8 rows begin in banks 0, 4, ..., 28.
  EXPECT_EQ(cost("(8,32):(32,1)", ElementType::F32, "ld.fragment.4").value(), (AccessCost{8, 64, 8, 8}));
  EXPECT_EQ(cost("(8,32):(32,1)", ElementType::F32, "ld.fragment.4", Padding{4}).value(),
            (AccessCost{8, 8, 8, 1}));
}

TEST(LayoutAccess, last_request_has_the_lanes_that_are_left) {
  const PlacedTile tile = place({parse_layout("(5,10):(10,1)").value(), ElementType::F32, Plain{}}).value();
  const auto requests = requests_of(tile, find_access("ld.row.4").value());
  ASSERT_TRUE(requests);
  ASSERT_EQ(requests->size(), 2u);
  EXPECT_EQ(requests->back().active.count(), 18);
  EXPECT_EQ(requests->back().line[17], 4u);
  EXPECT_EQ(requests->back().place[17], 9u);
}

TEST(LayoutAccess, every_access_takes_each_byte_of_the_tile_once) {
  const PlacedTile tile = place({parse_layout("(16,64):(64,1)").value(), ElementType::U8, Plain{}}).value();
  size_t possible = 0;
  for (const Access& access : accesses()) {
    const auto requests = requests_of(tile, access);
    if (!requests) continue;
    ++possible;
    std::vector<int> taken(tile.size_bytes);
    for (const Request& request : *requests)
      for_each_lane(request.active, [&](int lane) {
        EXPECT_EQ(request.offset_bytes[lane], tile.at(request.line[lane], request.place[lane]));
        for (unsigned n = 0; n < access.unit_bytes; ++n) ++taken[request.offset_bytes[lane] + n];
      });
    EXPECT_EQ(taken, std::vector<int>(tile.size_bytes, 1)) << access.name;
  }
  EXPECT_EQ(possible, accesses().size());
}

TEST(LayoutAccess, fast_count_equals_the_count_with_its_detail) {
  for (const Access& access : accesses()) {
    const PlacedTile tile =
        place({parse_layout("(16,64):(64,1)").value(), ElementType::U8, Swizzle{2, 4, 2}}).value();
    const auto requests = requests_of(tile, access);
    ASSERT_TRUE(requests) << access.name;
    uint64_t wavefronts = 0;
    for (const Request& request : *requests) wavefronts += banks_of(request, access).wavefronts;
    EXPECT_EQ(wavefronts, cost_of(tile, access).value().wavefronts) << access.name;
  }
}

TEST(LayoutAccess, what_is_impossible_gets_one_sentence) {
  const auto refused = [](const Result<AccessCost>& result, const char* reason) {
    ASSERT_FALSE(result);
    EXPECT_THAT(result.error().message, HasSubstr(reason));
  };
  refused(cost("(8,64):(64,1)", ElementType::F16, "ldmatrix.x4", Padding{1}),
          "ldmatrix.x4 takes 16 bytes at a multiple of 16, and element (1,0) lies at byte 130");
  refused(cost("(8,64):(64,1)", ElementType::F16, "ldmatrix.x4", Swizzle{1, 1, -1}),
          "takes 16 contiguous bytes, and element (0,2) at byte 12 does not follow element (0,1) at byte 2");
  refused(cost("(8,64):(64,1)", ElementType::F64, "ld.row.4"), "and an element has 8");
  refused(cost("(8,63):(63,1)", ElementType::F16, "ld.row.4"), "a line of the tile has 63");
  refused(cost("(4,64):(64,1)", ElementType::F16, "ldmatrix.x1"), "does not divide");
  refused(cost("(8,8):(8,1)", ElementType::F16, "ldmatrix.x4"), "takes 4 matrices of 8 lines");
  EXPECT_FALSE(find_access("ldmatrix.x3"));
}

}  // namespace
}  // namespace lanescope::layout
