// Marks in comments of source lines, and the lines without them.

#include "lesson/source_mark.h"

#include <gtest/gtest.h>

namespace lanescope::lesson {
namespace {

TEST(SourceMark, is_the_word_after_the_sign) {
  EXPECT_EQ(mark_of("x = a[i];  // @read"), "read");
  EXPECT_EQ(mark_of("x = a[i];  // @read the neighbor"), "read");
  EXPECT_EQ(mark_of("x = a[i];  // the neighbor"), "");
  EXPECT_EQ(mark_of(""), "");
}

TEST(SourceMark, lines_are_shown_without_marks_and_keep_their_numbers) {
  EXPECT_EQ(without_marks("x = a[i];  // @read\ny = 1;\n"), "x = a[i];\ny = 1;\n");
  EXPECT_EQ(without_marks("x = a[i];  // @read the neighbor\n// @turn\nz;"),
            "x = a[i];  // the neighbor\n\nz;");
  EXPECT_EQ(without_marks("// mail me @home\n"), "// mail me @home\n");
  EXPECT_EQ(without_marks("\n\n"), "\n\n");
  EXPECT_EQ(without_marks(""), "");
}

}  // namespace
}  // namespace lanescope::lesson
