// Well-formed and broken sequences by hand, from The Unicode Standard, table 3-7.

#include "base/utf8.h"

#include <gtest/gtest.h>

namespace lanescope {
namespace {

constexpr const char* kReplacement = "\xef\xbf\xbd";

TEST(Utf8, well_formed_text_is_unchanged) {
  for (const char* text : {"", "plain", "caf\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xed\x9f\xbf",
                           "\xee\x80\x80", "\xf4\x8f\xbf\xbf"})
    EXPECT_EQ(valid_utf8(text), text);
}

TEST(Utf8, a_byte_of_another_encoding_is_replaced_and_its_neighbors_stay) {
  EXPECT_EQ(valid_utf8("caf\xe9 au lait"), std::string("caf") + kReplacement + " au lait");
}

TEST(Utf8, each_byte_of_a_broken_sequence_is_replaced) {
  const auto replaced = [](int times) {
    std::string text;
    for (int n = 0; n < times; ++n) text += kReplacement;
    return text;
  };
  EXPECT_EQ(valid_utf8("\x80"), replaced(1));
  EXPECT_EQ(valid_utf8("\xe2\x82"), replaced(2)) << "cut short";
  EXPECT_EQ(valid_utf8("\xc0\xaf"), replaced(2)) << "overlong";
  EXPECT_EQ(valid_utf8("\xe0\x9f\xbf"), replaced(3)) << "overlong";
  EXPECT_EQ(valid_utf8("\xed\xa0\x80"), replaced(3)) << "a surrogate";
  EXPECT_EQ(valid_utf8("\xf4\x90\x80\x80"), replaced(4)) << "beyond U+10FFFF";
}

}  // namespace
}  // namespace lanescope
