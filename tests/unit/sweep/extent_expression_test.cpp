// Shapes of launches as expressions.

#include "sweep/extent_expression.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::sweep {
namespace {

using testing::HasSubstr;

const ExtentNames kNames{.values = {{"N", "1000"}, {"M", "64"}, {"T", "float"}}, .block = Dim3{48, 8, 1}};

std::string refusal(std::string_view text, const ExtentNames& names = kNames) {
  const auto extent = extent_of(text, names);
  return extent ? "" : extent.error().message;
}

TEST(ExtentExpression, plain_sizes_are_as_before) {
  EXPECT_EQ(extent_of("16", {}), (Dim3{16, 1, 1}));
  EXPECT_EQ(extent_of("16x8", {}), (Dim3{16, 8, 1}));
  EXPECT_EQ(extent_of("16x8x2", {}), (Dim3{16, 8, 2}));
}

TEST(ExtentExpression, follows_the_block_and_the_macros) {
  EXPECT_EQ(extent_of("ceil(N/block.x)", kNames), (Dim3{21, 1, 1}));  // 1000 / 48 = 20.8
  EXPECT_EQ(extent_of("ceil(N/block.x)xceil(M/block.y)", kNames), (Dim3{21, 8, 1}));
  EXPECT_EQ(extent_of("N/8xM", kNames), (Dim3{125, 64, 1}));
  EXPECT_EQ(extent_of("block.xxblock.y", kNames), (Dim3{48, 8, 1}));
  EXPECT_EQ(extent_of("MxMx2", kNames), (Dim3{64, 64, 2}));
  EXPECT_EQ(extent_of("MxN", {.values = {{"M", "2"}, {"MxN", "3"}}, .block = {}}), (Dim3{3, 1, 1}));
  EXPECT_EQ(extent_of(" ( N + 24 ) / 2 - 12 * 2 x 3 ", kNames), (Dim3{488, 3, 1}));
}

TEST(ExtentExpression, a_size_is_a_whole_number_from_one) {
  EXPECT_EQ(refusal("N/block.x"),
            "'N/block.x' is 20.8333, and a whole number from 1 was expected; ceil() rounds up");
  EXPECT_THAT(refusal("M-N"), HasSubstr("is -936"));
  EXPECT_THAT(refusal("0"), HasSubstr("is 0"));
  EXPECT_THAT(refusal("N*N*N*N"), HasSubstr("is 1e+12"));
  EXPECT_THAT(refusal("N/(M-64)"), HasSubstr("divides by zero"));
  EXPECT_THAT(refusal("4294967296"), HasSubstr("a whole number below 2^32"));
}

TEST(ExtentExpression, what_is_none_is_refused_with_its_place) {
  EXPECT_EQ(refusal("ceil(N/block.x"), "'ceil(N/block.x': ) was expected at its end");
  EXPECT_THAT(refusal("N; rm -r /"), HasSubstr("was expected at '; rm -r /'"));
  EXPECT_THAT(refusal("K/2"), HasSubstr("no -D of the name 'K'"));
  EXPECT_THAT(refusal("MxK"), HasSubstr("no -D of the name 'K'"));
  EXPECT_THAT(refusal("T"), HasSubstr("has 'float'"));
  EXPECT_THAT(refusal("block.w"), HasSubstr("block.x, block.y or block.z was expected"));
  EXPECT_THAT(refusal("ceil(N/block.x)", {.values = {{"N", "8"}}, .block = {}}), HasSubstr("give --block"));
  EXPECT_THAT(refusal("1x2x3x4"), HasSubstr("at most three"));
  EXPECT_THAT(refusal(""), HasSubstr("a number, a name or ceil()"));
  EXPECT_THAT(refusal("system(1)"), HasSubstr("no -D of the name 'system'"));
  EXPECT_THAT(refusal(std::string(100'000, '(')), HasSubstr("at most 200 characters"));
  EXPECT_THAT(refusal(std::string(200, '(')), HasSubstr("a number, a name or ceil()"));
}

}  // namespace
}  // namespace lanescope::sweep
