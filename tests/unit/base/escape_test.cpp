#include "base/escape.h"

#include <gtest/gtest.h>

namespace lanescope {
namespace {

/// Names of files, and what NVRTC 13.0 writes for them.
TEST(Escape, names_are_those_that_nvrtc_wrote) {
  for (const auto& [name, written] :
       {std::pair{"a b.cu", "a b.cu"}, std::pair{"a\"b.cu", "a\\\"b.cu"}, std::pair{"a\\b.cu", "a\\\\b.cu"},
        std::pair{"a\tb.cu", "a\\tb.cu"}, std::pair{"a\nb.cu", "a\\nb.cu"},
        std::pair{"r\303\251duction.cu", "r\\303\\251duction.cu"}}) {
    EXPECT_EQ(unescaped(written), name);
    EXPECT_EQ(escaped(name), written);
  }
}

TEST(Escape, other_backslashes_are_kept) {
  for (const char* text : {"C:\\Users\\x.cu", "\\", "\\8", "\\777", "\\30"}) EXPECT_EQ(unescaped(text), text);
}

TEST(Escape, a_terminal_is_given_no_control_characters) {
  EXPECT_EQ(without_control_characters("\033[31mred\a"), "^[[31mred^G");
  EXPECT_EQ(without_control_characters("a\tb\nc \303\251"), "a\tb\nc \303\251");
  EXPECT_EQ(without_control_characters("\177\302\233"
                                       "2J"),
            "^??2J");
}

}  // namespace
}  // namespace lanescope
