// Source lines of PTX lines, in text that may be broken.

#include "ptx/source_place.h"

#include <gtest/gtest.h>

namespace lanescope::ptx {
namespace {

constexpr std::string_view kText =
    ".version 8.0\n"           // line 1
    ".visible .entry a() {\n"  // 2
    "\t.loc\t1 7 3\n"          // 3
    "\ttex.2d.nonsense;\n"     // 4
    "\t.loc 2 99 1\n"          // 5
    "\tadd;\n"                 // 6
    "}\n"                      // 7
    ".visible .entry b() {\n"  // 8
    "\tret;\n"                 // 9
    "}\n"                      // 10
    ".file 1 \"kernels/a.cu\"\n"
    ".file\t2 \"tools.h\", 1700000000, 42\n";

TEST(SourcePlace, the_last_loc_before_a_line_names_its_source) {
  EXPECT_EQ(source_place_of(kText, 4), (Location{"kernels/a.cu", 7}));
  EXPECT_EQ(source_place_of(kText, 6), (Location{"tools.h", 99}));
}

TEST(SourcePlace, there_is_none_before_the_first_loc_of_a_function) {
  EXPECT_FALSE(source_place_of(kText, 2));
  EXPECT_FALSE(source_place_of(kText, 9));
}

TEST(SourcePlace, broken_text_has_none) {
  for (const char* text : {"", ".loc", ".loc 1", ".loc 1 5", ".loc x y\n.file 1 \"a",
                           ".loc 1 0\n.file 1 \"a\"", ".loc 99999999999999 5\n.file 1 \"a\""})
    EXPECT_FALSE(source_place_of(text, 1)) << text;
}

}  // namespace
}  // namespace lanescope::ptx
