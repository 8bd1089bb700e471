// Values by hand from the two formulas.
#include "layout/swizzle.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::layout {
namespace {

using testing::HasSubstr;

TEST(Swizzle, three_three_three_xors_bits_3_to_5_with_bits_6_to_8) {
  const Swizzle swizzle{3, 3, 3};
  EXPECT_EQ(apply(swizzle, 0x00), 0x00u);
  EXPECT_EQ(apply(swizzle, 0x48), 0x40u);    // 001 001 000: 001 ^ 001 = 000
  EXPECT_EQ(apply(swizzle, 0x40), 0x48u);    // 001 000 000: 000 ^ 001 = 001
  EXPECT_EQ(apply(swizzle, 0x1ff), 0x1c7u);  // 111 111 111: 111 ^ 111 = 000
  EXPECT_EQ(apply(swizzle, 0x3f), 0x3fu);    // the upper bits are 0
  EXPECT_EQ(apply(swizzle, 0x200), 0x200u);  // above the swizzle's bits
}

TEST(Swizzle, negative_shift_changes_the_upper_bits) {
  // Swizzle<2,0,-2>: bits 0 and 1 go into bits 2 and 3.
  const Swizzle swizzle{2, 0, -2};
  EXPECT_EQ(apply(swizzle, 0b0001), 0b0101u);
  EXPECT_EQ(apply(swizzle, 0b0111), 0b1011u);
  EXPECT_EQ(apply(swizzle, 0b1100), 0b1100u);
}

TEST(Swizzle, moves_every_offset_to_another_one) {
  for (const Swizzle swizzle : {Swizzle{3, 3, 3}, Swizzle{2, 0, -3}, Swizzle{5, 0, 5}, Swizzle{0, 0, 0}}) {
    std::set<uint32_t> seen;
    for (uint32_t offset = 0; offset < 4096; ++offset) seen.insert(apply(swizzle, offset));
    EXPECT_EQ(seen.size(), 4096u);
    EXPECT_EQ(*seen.rbegin(), 4095u);
  }
}

TEST(Swizzle, triton_exchanges_groups_of_a_line_by_its_phase) {
  // vec 2, per_phase 2, max_phase 4: lines 2 and 3 have phase 1, so group 0 and 1 change places.
  const TritonSwizzle swizzle{2, 2, 4};
  EXPECT_EQ(apply(swizzle, 0, 5), 5u);
  EXPECT_EQ(apply(swizzle, 1, 5), 5u);
  EXPECT_EQ(apply(swizzle, 2, 0), 2u);
  EXPECT_EQ(apply(swizzle, 2, 1), 3u);
  EXPECT_EQ(apply(swizzle, 3, 2), 0u);
  EXPECT_EQ(apply(swizzle, 6, 7), 1u);  // phase 3: group 3 ^ 3 = 0
  EXPECT_EQ(apply(swizzle, 8, 7), 7u);  // phase 0 again
}

TEST(Swizzle, numbers_that_make_no_sense_get_one_sentence) {
  const auto refused = [](const auto& result, const char* reason) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, ErrorKind::Usage);
    EXPECT_THAT(result.error().message, HasSubstr(reason));
  };
  for (const char* text : {"", "3", "3,3", "3,3,3,3", "3,3,x", "3;3;3", "99999999999,1,1", "3,3,3 "})
    refused(parse_swizzle(text), "a swizzle is B,M,S");
  for (const char* text :
       {"-1,0,0", "0,-1,0", "9,0,9", "17,0,17", "2147483647,2147483647,2147483647", "1,1,-2147483648"})
    refused(parse_swizzle(text), "B + M + |S| at most 16");
  refused(parse_swizzle("3,3,2"), "at least B");
  for (const char* text : {"", "8,1", "0,1,8", "8,1,3", "8,1,-8", "8192,1,1"})
    refused(parse_triton(text), "VEC,PER_PHASE,MAX_PHASE");
  for (const char* text : {"", "-1", "5000", "1,2", "8 bytes"}) refused(parse_padding(text), "a padding is");
}

TEST(Swizzle, text_gives_the_numbers_back) {
  EXPECT_EQ(parse_swizzle("3,4,-3").value(), (Swizzle{3, 4, -3}));
  EXPECT_EQ(parse_triton("8,2,4").value(), (TritonSwizzle{8, 2, 4}));
  EXPECT_EQ(parse_padding("0").value(), Padding{0});
  EXPECT_EQ(name_of(Swizzle{3, 4, -3}), "Swizzle<3,4,-3>");
}

}  // namespace
}  // namespace lanescope::layout
