#include "launch/buffer_text.h"

#include "launch/argument_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::launch {
namespace {

using testing::HasSubstr;

Launch with(std::initializer_list<std::string_view> specs) {
  Launch launch;
  for (const auto spec : specs) EXPECT_TRUE(add_argument(launch, spec)) << spec;
  return launch;
}

std::string text_of(std::string_view spec, std::string_view part) {
  const Launch launch = with({spec});
  const auto found = find_buffer_part(launch, part);
  EXPECT_TRUE(found) << part;
  if (!found) return {};
  const Buffer& buffer = launch.buffers[found->buffer];
  return buffer_text(buffer, *buffer.initial, found->range);
}

TEST(BufferText, a_short_vector_is_shown_whole) {
  EXPECT_EQ(text_of("a=f32[4]:iota", "a"), "a f32[4]\n[0:4] 0 1 2 3\n");
}

TEST(BufferText, of_a_long_vector_both_ends_are_shown) {
  EXPECT_EQ(text_of("a=i32[100]:iota", "a"),
            "a i32[100]\n[0:100]   0   1   2   3   4   5   6   7 ...  92  93  94  95  96  97  98  99\n");
}

TEST(BufferText, a_matrix_has_a_line_for_each_row) {
  EXPECT_EQ(text_of("a=u8[3x2]:iota", "a"), "a u8[3x2]\n[0] 0 1\n[1] 2 3\n[2] 4 5\n");
  EXPECT_EQ(text_of("a=u8[3x2]:iota", "a[1:]"), "a u8[3x2]\n[1] 2 3\n[2] 4 5\n");
  EXPECT_EQ(text_of("a=u8[3x2]:iota", "a[1]"), "a u8[3x2]\n[1] 2 3\n");
  EXPECT_THAT(text_of("a=u8[40x2]:zeros", "a"), HasSubstr("[7] 0 0\n  ...\n[32] 0 0\n"));
}

TEST(BufferText, three_dimensions_have_two_numbers_for_each_row) {
  EXPECT_EQ(text_of("a=u8[2x2x2]:iota", "a"),
            "a u8[2x2x2]\n[0][0] 0 1\n[0][1] 2 3\n[1][0] 4 5\n[1][1] 6 7\n");
}

TEST(BufferText, a_part_of_a_vector) {
  EXPECT_EQ(text_of("a=f16[8]:iota", "a[2:4]"), "a f16[8]\n[2:4] 2 3\n");
  EXPECT_EQ(text_of("a=f64[8]:fill(0.5)", "0[7:]"), "a f64[8]\n[7:8] 0.5\n");
  EXPECT_EQ(text_of("a=f32[8]:iota", "a[100:200]"), "a f32[8]\n[8:8]\n");
}

TEST(BufferText, what_names_no_buffer_is_refused) {
  const Launch launch = with({"a=f32[8]:iota", "n=i32:4"});
  for (const auto* part :
       {"b", "", "1", "2", "a[", "a]", "a[]", "a[x]", "a[3:2]", "a[3:3]", "a[18446744073709551615]"})
    EXPECT_EQ(find_buffer_part(launch, part).error().kind, ErrorKind::Usage) << part;
}

}  // namespace
}  // namespace lanescope::launch
