#include "compile/shared_arrays.h"

#include <gtest/gtest.h>

namespace lanescope::compile {
namespace {

/// "tile[0][16]": the name of the element at a byte of an array in `text`.
std::string name_at(std::string_view text, std::string_view array, uint64_t size_bytes, uint64_t offset,
                    const std::vector<std::string>& defines = {}) {
  const std::vector<std::string_view> texts{text};
  const auto arrays = shared_arrays_of(texts, defines);
  return element_at(array, shape_of(arrays, array, size_bytes), offset);
}

TEST(SharedArrays, have_rows_and_padding) {
  constexpr std::string_view kTile = "__global__ void k() {\n  __shared__ float tile[32][33];\n}\n";
  EXPECT_EQ(name_at(kTile, "tile", 4224, 64), "tile[0][16]");
  EXPECT_EQ(name_at(kTile, "tile", 4224, 132), "tile[1][0]");
  EXPECT_EQ(name_at(kTile, "other", 4224, 64), "");
}

TEST(SharedArrays, extents_are_evaluated_as_the_text_shows_them) {
  EXPECT_EQ(name_at("constexpr int TILE = 16;\n__shared__ int tile[TILE][TILE + 1];\n", "tile", 1088, 68),
            "tile[1][0]");
  EXPECT_EQ(name_at("#define PAD 2\n__shared__ double rows[4][8 + PAD];\n", "rows", 320, 80), "rows[1][0]");
  EXPECT_EQ(name_at("__shared__ float tile[8][128 + PADDING];\n", "tile", 4224, 528, {"PADDING=4"}),
            "tile[1][0]");
  EXPECT_EQ(name_at("__shared__ float stages[2][4][8];\n", "stages", 256, 4 * (32 + 8 + 3)),
            "stages[1][1][3]");
}

TEST(SharedArrays, declarations_have_qualifiers_attributes_and_several_names) {
  constexpr std::string_view kText =
      "__shared__ __align__(16) unsigned char bytes[3][40];\n"
      "static __shared__ volatile unsigned long long wide[4];\n"
      "__shared__ alignas(8) std::uint32_t left[16][16], right[16][20], count;\n"
      "__shared__ float4 four[8][2];\n";
  EXPECT_EQ(name_at(kText, "bytes", 120, 41), "bytes[1][1]");
  EXPECT_EQ(name_at(kText, "wide", 32, 24), "wide[3]");
  EXPECT_EQ(name_at(kText, "left", 1024, 64), "left[1][0]");
  EXPECT_EQ(name_at(kText, "right", 1280, 64), "right[0][16]");
  EXPECT_EQ(name_at(kText, "count", 4, 0), "");
  EXPECT_EQ(name_at(kText, "four", 256, 40), "four[1][0]");
}

TEST(SharedArrays, of_structures_have_no_element_names) {
  EXPECT_EQ(name_at("struct Point { float x, y, z; };\n__shared__ Point points[4][8];\n", "points", 384, 12),
            "");
  EXPECT_EQ(name_at("__shared__ struct { int a; int b; } pairs[8];\n", "pairs", 64, 8), "");
  EXPECT_EQ(name_at("__shared__ Unknown things[8][4];\n", "things", 128, 4), "");
}

TEST(SharedArrays, whose_rows_are_not_known_have_no_element_names) {
  EXPECT_EQ(name_at("__shared__ float tile[32][WIDTH];\n", "tile", 4224, 64), "");
  EXPECT_EQ(name_at("#define WIDTH(n) (n + x)\n__shared__ float tile[32][WIDTH(1)];\n", "tile", 4224, 64),
            "");
  EXPECT_EQ(
      name_at("template <int N> __global__ void k() { __shared__ float tile[N][N]; }\n", "tile", 4096, 64),
      "");
  // How many rows there are does not matter.
  EXPECT_EQ(name_at("__shared__ float tile[ROWS][33];\n", "tile", 4224, 132), "tile[1][0]");
}

TEST(SharedArrays, of_the_launch_have_the_index_of_their_type) {
  constexpr std::string_view kText = "extern __shared__ float dynamic[];\n";
  EXPECT_EQ(name_at(kText, "dynamic", 0, 64), "dynamic[16]");
  EXPECT_EQ(name_at("extern __shared__ float rows[][20];\n", "rows", 0, 80), "rows[1][0]");
}

TEST(SharedArrays, of_one_name_are_told_apart_by_their_size) {
  constexpr std::string_view kText =
      "__global__ void a() { __shared__ float tile[16][16]; }\n"
      "__global__ void b() { __shared__ float tile[32][32]; }\n"
      "__global__ void c() { __shared__ float tile[8][32]; }\n";
  EXPECT_EQ(name_at(kText, "tile", 4096, 64), "tile[0][16]");
  EXPECT_EQ(name_at(kText, "tile", 1024, 64), "");  // 16 rows of 16, or 8 of 32
  EXPECT_EQ(name_at(kText, "tile", 2048, 64), "");  // neither
}

TEST(SharedArrays, what_is_no_declaration_is_left_alone) {
  for (const std::string_view text :
       {"__shared__", "__shared__ float", "__shared__ float tile[", "__shared__ <", "__shared__ float tile[4",
        "__shared__ float tile[][", "__shared__ ,[;"})
    EXPECT_EQ(name_at(text, "tile", 64, 4), "") << text;
}

}  // namespace
}  // namespace lanescope::compile
