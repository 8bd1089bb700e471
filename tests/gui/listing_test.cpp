// Sources cut into colored words, and the source lines of PTX.

#include "view/source/listing.h"

#include <gtest/gtest.h>

namespace lanescope::view {
namespace {

std::string_view word(const ListingLine& line, size_t n) {
  return std::string_view(line.text).substr(line.words[n].begin, line.words[n].end - line.words[n].begin);
}

TEST(Listing, keywords_types_numbers_and_comments_are_distinguished) {
  const auto lines = read_listing("for (int j = 0x1f; ;) // loop\n", Syntax::Cuda);
  ASSERT_EQ(lines.size(), 1u);
  ASSERT_EQ(lines[0].words.size(), 4u);
  EXPECT_EQ(word(lines[0], 0), "for");
  EXPECT_EQ(lines[0].words[0].role, plot::Role::SyntaxKeyword);
  EXPECT_EQ(word(lines[0], 1), "int");
  EXPECT_EQ(lines[0].words[1].role, plot::Role::SyntaxType);
  EXPECT_EQ(word(lines[0], 2), "0x1f");
  EXPECT_EQ(lines[0].words[2].role, plot::Role::SyntaxNumber);
  EXPECT_EQ(word(lines[0], 3), "// loop");
  EXPECT_EQ(lines[0].words[3].role, plot::Role::SyntaxComment);
}

TEST(Listing, a_comment_may_span_lines) {
  const auto lines = read_listing("a /* b\nint c\nd */ int e\n", Syntax::Cuda);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[1].words.size(), 1u);
  EXPECT_EQ(lines[1].words[0].role, plot::Role::SyntaxComment);
  EXPECT_EQ(word(lines[2], 1), "int");
}

TEST(Listing, a_name_that_contains_a_keyword_is_none) {
  EXPECT_TRUE(read_listing("interval + forty", Syntax::Cuda)[0].words.empty());
}

TEST(Listing, a_quote_that_does_not_end_ends_with_its_line) {
  const auto lines = read_listing("\"open\nint x", Syntax::Cuda);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(word(lines[1], 0), "int");
}

TEST(Listing, python_divides_and_comments_otherwise_than_c) {
  const auto lines = read_listing("i = n // 2  # half\n@cuda.jit\ndef f(a):\n", Syntax::Python);
  ASSERT_EQ(lines.size(), 3u);
  ASSERT_EQ(lines[0].words.size(), 2u);
  EXPECT_EQ(word(lines[0], 0), "2");
  EXPECT_EQ(word(lines[0], 1), "# half");
  EXPECT_EQ(word(lines[1], 0), "@cuda");
  EXPECT_EQ(word(lines[2], 0), "def");
}

TEST(Listing, pythons_text_between_three_quotes_may_span_lines) {
  const auto lines = read_listing("\"\"\"a\nfor it's\nb\"\"\" + 1\n", Syntax::Python);
  ASSERT_EQ(lines.size(), 3u);
  ASSERT_EQ(lines[1].words.size(), 1u);
  EXPECT_EQ(lines[1].words[0].role, plot::Role::SyntaxString);
  EXPECT_EQ(word(lines[2], 1), "1");
}

TEST(Listing, files_of_python_and_cells_of_notebooks_are_python) {
  EXPECT_EQ(syntax_of_source("/tmp/ipykernel_7/12.py"), Syntax::Python);
  EXPECT_EQ(syntax_of_source("<ipython-input-3-a1b2>"), Syntax::Python);
  EXPECT_EQ(syntax_of_source("transpose.cu"), Syntax::Cuda);
}

TEST(Listing, tabs_become_spaces) { EXPECT_EQ(read_listing("\tx\ty", Syntax::Ptx)[0].text, "    x   y"); }

TEST(Listing, the_instruction_of_a_ptx_line_is_a_keyword) {
  const auto lines = read_listing("\t@%p1 ld.shared.f32 \t%f1, [%rd5+32];", Syntax::Ptx);
  EXPECT_EQ(word(lines[0], 0), "ld.shared.f32");
  EXPECT_EQ(lines[0].words[0].role, plot::Role::SyntaxKeyword);
  EXPECT_EQ(word(lines[0], 1), "32");
}

constexpr const char* kPtx =
    ".visible .entry f(\n"                                        // 1
    ")\n"                                                         // 2
    "{\n"                                                         // 3
    "\t.reg .b32 %r<3>;\n"                                        // 4
    "\t.loc\t1 7 3\n"                                             // 5
    "\tmov.u32 %r1, %tid.x;\n"                                    // 6
    "\t.loc\t2 4 5, function_name $L__info0, inlined_at 1 9 3\n"  // 7
    "\tadd.s32 %r2, %r1, 1;\n"                                    // 8
    "$L__1:\n"                                                    // 9
    "\t.loc\t2 30 1\n"                                            // 10
    "\tret;\n"                                                    // 11
    "}\n"                                                         // 12
    "\t.file\t1 \"/some/where/kernel.cu\"\n"
    "\t.file\t2 \"tile.h\"\n";

TEST(Listing, instructions_belong_to_the_line_of_the_last_loc) {
  const auto lines = source_lines_of_ptx(kPtx, "kernel.cu");
  ASSERT_GE(lines.size(), 12u);
  EXPECT_EQ(lines[5], 7);
  EXPECT_EQ(lines[3], 0) << "a declaration belongs to no line";
  EXPECT_EQ(lines[8], 0) << "a label belongs to no line";
}

TEST(Listing, an_inlined_instruction_belongs_to_the_line_that_called_it) {
  const auto lines = source_lines_of_ptx(kPtx, "kernel.cu");
  EXPECT_EQ(lines[7], 9);
  EXPECT_EQ(lines[10], 0) << "line 30 is of another file";
}

}  // namespace
}  // namespace lanescope::view
