#include "base/lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope {
namespace {

using testing::ElementsAre;

TEST(Lines, are_what_stands_between_line_feeds) {
  EXPECT_THAT(lines_of(""), ElementsAre(""));
  EXPECT_THAT(lines_of("a"), ElementsAre("a"));
  EXPECT_THAT(lines_of("a\n\nb\r\n"), ElementsAre("a", "", "b\r", ""));
}

TEST(Lines, are_trimmed_at_both_ends) {
  EXPECT_EQ(trimmed(" \ta b\r"), "a b");
  EXPECT_EQ(trimmed(" \t"), "");
  EXPECT_EQ(trimmed(""), "");
}

}  // namespace
}  // namespace lanescope
