#include "plot/text_width.h"

#include <gtest/gtest.h>

namespace lanescope::plot {
namespace {

constexpr auto kRegular = Label::Face::Regular;

TEST(TextWidth, digits_are_all_as_wide) {
  EXPECT_FLOAT_EQ(text_width("1111", 10, kRegular), text_width("8888", 10, kRegular));
  EXPECT_FLOAT_EQ(text_width("0", 1000, kRegular), 651);
}

TEST(TextWidth, the_monospaced_face_counts_characters_not_bytes) {
  EXPECT_FLOAT_EQ(text_width("étage", 10, Label::Face::Mono), 30);
}

TEST(TextWidth, the_strong_face_is_wider) {
  EXPECT_GT(text_width("banks", 13, Label::Face::Strong), text_width("banks", 13, kRegular));
}

TEST(TextWidth, broken_utf8_does_not_run_off_the_end) {
  EXPECT_GT(text_width("\xe2\x80", 10, kRegular), 0);
  EXPECT_GT(text_width("\xff\xfe", 10, kRegular), 0);
}

TEST(TextWidth, a_shortened_text_fits_and_ends_in_an_ellipsis) {
  const std::string text = "tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];";
  const std::string shorter = shorten(text, 100, 12, Label::Face::Mono);
  EXPECT_EQ(shorter, "tile[threadI…");  // 12 characters and the ellipsis, 7.2 points each: 93.6
  EXPECT_EQ(shorten(text, 1000, 12, Label::Face::Mono), text);
  EXPECT_EQ(shorten(text, 5, 12, Label::Face::Mono), "");
}

TEST(TextWidth, a_text_is_broken_at_spaces) {
  const auto lines = wrap("aa bb cc", text_width("aa bb", 10, Label::Face::Mono), 10, Label::Face::Mono);
  EXPECT_EQ(lines, (std::vector<std::string>{"aa bb", "cc"}));
  EXPECT_EQ(wrap("abcdefgh ij", 12, 10, Label::Face::Mono), (std::vector<std::string>{"abcdefgh", "ij"}));
  EXPECT_TRUE(wrap("", 10, 10, Label::Face::Mono).empty());
}

TEST(TextWidth, a_no_break_space_does_not_break) {
  EXPECT_EQ(wrap("12\u00a0% de", 1, 10, kRegular), (std::vector<std::string>{"12\u00a0%", "de"}));
}

}  // namespace
}  // namespace lanescope::plot
