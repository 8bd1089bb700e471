#include "export/trace_table.h"

#include "base/lane_mask.h"
#include "support/trace_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::exporting {
namespace {

using testing::HasSubstr;
using trace::Kind;
using trace::Space;

/// One warp: a coalesced load in line 4; a shared store with a stride of 4 words in line 5, so 4 of its 32
/// words are in each bank that it uses: 4 wavefronts for 1; a store with a stride of 128 bytes in line 6,
/// unrolled twice: 32 sectors for 4, twice.
trace::Trace small_trace() {
  tests::TraceBuilder builder({2, 1, 1}, {32, 1, 1});
  const uint32_t out = builder.buffer("out", 1 << 16, 0);
  const SiteId load = builder.site({Space::Global, Kind::Load, 4}, 4, "float x = in[i];");
  const SiteId put = builder.site({Space::Shared, Kind::Store, 4}, 5, "tile[4 * t] = x;");
  const SiteId first = builder.site({Space::Global, Kind::Store, 4}, 6, "out[32 * i] = x;");
  const SiteId second = builder.site({Space::Global, Kind::Store, 4}, 6, "out[32 * i] = x;");
  builder.block({0});
  builder.affine(load, {0}, trace::global_address(out, 0), 4);
  builder.affine(put, {0}, 0, 16);
  builder.affine(first, {0}, trace::global_address(out, 0), 128);
  builder.affine(second, {0}, trace::global_address(out, 4096), 128);
  return builder.take();
}

constexpr const char* kText = "line 1\n  first_of(in);\nline 3\n";

TEST(TraceTable, has_a_row_for_each_line_the_most_wasteful_first) {
  // Waste: line 6 (64 - 8) * 32 = 1792 bytes, line 5 (4 - 1) * 128 = 384: 52.7 and 11.3 of 64 eighths.
  EXPECT_THAT(
      trace_table(small_trace(), {"by_hand.cu", kText}, {}),
      HasSubstr(
          "line  access        requests  cost              ideal  waste                       source\n"
          "   6  global store         2    64  sectors         8  ██████▋  8x uncoalesced     out[32 * i] "
          "= x;\n"
          "   5  shared store         1     4  wavefronts      1  █▌       4x bank conflicts  tile[4 * t] "
          "= x;\n"
          "   4  global load          1     4  sectors         4           ideal              float x = "
          "in[i];\n"));
}

TEST(TraceTable, has_a_row_for_each_instruction_where_asked) {
  const std::string text = trace_table(small_trace(), {"by_hand.cu", kText}, {.rows = TableRows::Sites});
  EXPECT_LT(text.find("float x"), text.find("tile[")) << text;
  EXPECT_LT(text.find("out[32"), text.rfind("out[32")) << text;
}

TEST(TraceTable, counts_a_function_of_a_header_for_the_line_that_calls_it) {
  trace::Trace trace = small_trace();
  trace.sites[0].source.file = "folder/tools.h";
  trace.sites[0].source.line = 90;
  EXPECT_THAT(trace_table(trace, {"by_hand.cu", kText}, {}), HasSubstr("tools.h:90  global load"));
  trace.sites[0].called_from = {{"folder/tools.h", 7}, {"by_hand.cu", 2}};
  EXPECT_THAT(trace_table(trace, {"by_hand.cu", kText}, {}),
              AllOf(HasSubstr("   2  global load "), HasSubstr("first_of(in); (in tools.h)\n")));
}

// 32 floats from byte 20 of a sector on: 5 sectors for 4.
TEST(TraceTable, says_where_in_a_sector_neighbors_begin) {
  tests::TraceBuilder builder({1, 1, 1}, {32, 1, 1});
  const uint32_t in = builder.buffer("in", 1 << 16, 0);
  const SiteId next = builder.site({Space::Global, Kind::Load, 4}, 4, "float x = in[i + 5];");
  builder.block({0});
  builder.affine(next, {0}, trace::global_address(in, 20), 4);
  builder.affine(next, {0}, trace::global_address(in, 1024), 4);
  const std::string text = trace_table(builder.take(), {"by_hand.cu", kText}, {});
  EXPECT_THAT(text, HasSubstr("1.12x: starts 20 bytes into a sector"));
}

TEST(TraceTable, says_that_an_instruction_is_of_several_lines) {
  trace::Trace trace = small_trace();
  trace.sites[0].source.line = 0;
  trace.sites[0].source_text = "";
  EXPECT_THAT(trace_table(trace, {"by_hand.cu", kText}, {}),
              AllOf(HasSubstr("   -  global load "), HasSubstr("(merged from several lines)\n")));
  for (trace::Site& site : trace.sites) site.source.line = 0;  // a PTX file without lines
  EXPECT_THAT(trace_table(trace, {"by_hand.cu", kText}, {}), testing::Not(HasSubstr("merged")));
}

// Requests are all that is known of textures and surfaces.
TEST(TraceTable, has_no_sectors_of_textures) {
  tests::TraceBuilder builder({1, 1, 1}, {32, 1, 1});
  const SiteId read = builder.site({Space::Texture, Kind::Load, 16}, 4, "float x = tex2D<float>(t, 1, 2);");
  const SiteId write = builder.site({Space::Surface, Kind::Store, 4}, 5, "surf1Dwrite(x, s, 0);");
  builder.block({0});
  builder.affine(read, {0}, 0, 0);
  builder.affine(write, {0}, 0, 0);
  const std::string text = trace_table(builder.take(), {"by_hand.cu", kText}, {});
  EXPECT_THAT(text, HasSubstr("texture load          1      -        -           -      -\n"));
  EXPECT_THAT(text, HasSubstr("surface store         1    128        -           -      -\n"));
  EXPECT_THAT(text, HasSubstr("float x = tex2D<float>(t, 1, 2);\n"));
  EXPECT_THAT(text, HasSubstr("textures and surfaces have no sectors here"));
}

TEST(TraceTable, has_colors_only_where_asked_and_never_a_sources_own) {
  trace::Trace trace = small_trace();
  trace.sites[0].source_text = "\x1b[31m";
  EXPECT_EQ(trace_table(trace, {"by_hand.cu", kText}, {}).find('\x1b'), std::string::npos);
  const std::string colored = trace_table(trace, {"by_hand.cu", kText}, {.colored = true});
  EXPECT_THAT(colored, HasSubstr("\x1b[33m8x uncoalesced"));
  EXPECT_THAT(colored, HasSubstr("\x1b[32mideal"));
}

}  // namespace
}  // namespace lanescope::exporting
