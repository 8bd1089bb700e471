#include "support/ptx_text.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::ptx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Result<Module> parse_globals(std::string_view text) {
  return parse_whole(fmt::format(".version 9.0 .target sm_90 .address_size 64 {}", text));
}

Variable last_global(std::string_view text) { return parse_globals(text).value().globals.back(); }

std::string refusal(std::string_view text) {
  const auto module = parse_globals(text);
  return module ? std::string() : describe(module.error());
}

std::vector<int> bytes_of(const Variable& variable) {
  std::vector<int> bytes;
  for (const std::byte byte : variable.initial) bytes.push_back(static_cast<int>(byte));
  return bytes;
}

TEST(Variable, size_is_elements_times_type) {
  const Variable tile = last_global(".shared .align 4 .b8 tile[4224];");
  EXPECT_EQ(tile.space, Space::Shared);
  EXPECT_EQ(tile.size_bytes, 4224u);
  EXPECT_EQ(tile.alignment, 4u);
  EXPECT_EQ(last_global(".global .f32 a[32][33];").size_bytes, 4224u);
  EXPECT_EQ(last_global(".global .v4 .f32 a[2];").size_bytes, 32u);
  EXPECT_EQ(last_global(".global .v4 .f32 a[2];").alignment, 16u)
      << "that of the type, where none is written";
  EXPECT_EQ(last_global(".const .b32 a[2*3+1];").size_bytes, 28u);
}

TEST(Variable, an_extern_array_leaves_its_size_to_the_launch) {
  const Variable dynamic = last_global(".extern .shared .align 16 .b8 dynamic[];");
  EXPECT_TRUE(dynamic.is_extern);
  EXPECT_EQ(dynamic.size_bytes, 0u);
  EXPECT_THAT(refusal(".global .b8 a[];"), HasSubstr("needs a size"));
}

TEST(Variable, values_are_little_endian_and_the_rest_is_zero) {
  EXPECT_THAT(bytes_of(last_global(".global .u16 a[4] = {258, -1};")), ElementsAre(2, 1, 255, 255));
  EXPECT_THAT(bytes_of(last_global(".global .u8 a[2][3] = {{1}, {4, 5, 6}};")),
              ElementsAre(1, 0, 0, 4, 5, 6));
  EXPECT_THAT(bytes_of(last_global(".const .f32 a = 0f3F800000;")), ElementsAre(0, 0, 128, 63));
  EXPECT_THAT(bytes_of(last_global(".const .f32 a = 1.0;")), ElementsAre(0, 0, 128, 63));
  EXPECT_THAT(bytes_of(last_global(".global .v2 .u8 a[2] = {{1, 2}, {3}};")), ElementsAre(1, 2, 3));
}

TEST(Variable, an_open_dimension_is_closed_by_its_values) {
  EXPECT_EQ(last_global(".global .u32 a[] = {1, 2, 3};").size_bytes, 12u);
}

TEST(Variable, an_address_as_a_value_names_its_variable) {
  const Variable pointers =
      last_global(".global .u32 x; .global .u64 p[3] = {generic(x), x+8, generic(x)+4};");
  ASSERT_EQ(pointers.addresses.size(), 3u);
  EXPECT_TRUE(pointers.addresses[0].generic);
  EXPECT_EQ(pointers.addresses[1].offset, 8u);
  EXPECT_EQ(pointers.addresses[1].addend, 8);
  EXPECT_FALSE(pointers.addresses[1].generic);
  EXPECT_EQ(pointers.addresses[2].addend, 4);
  EXPECT_EQ(pointers.initial.size(), 24u);
}

TEST(Variable, a_definition_replaces_an_extern_declaration) {
  const Module module =
      parse_globals(".extern .global .u32 x; .global .u32 x = 7; .extern .global .u32 x;").value();
  ASSERT_EQ(module.globals.size(), 1u);
  EXPECT_FALSE(module.globals[0].is_extern);
  EXPECT_THAT(refusal(".global .u32 x; .global .u32 x;"), HasSubstr("a second time"));
}

TEST(Variable, what_cannot_be_is_refused) {
  for (const char* text :
       {".global .u8 a[2] = {1, 2, 3};", ".global .u32 a = {1};", ".global .u32 a[2] = 1;",
        ".global .u32 a = 1.5;", ".shared .u32 a = 1;", ".extern .global .u32 a = 1;", ".global .pred a;",
        ".global .align 3 .u32 a;", ".global .u32 a[0];", ".global .u32 a[-1];", ".global .u32 a[2][];",
        ".global .u32 a = nothing;", ".global .u32 x; .global .u32 p = x;", ".global .u32;", ".global .u32 a",
        ".global .texref t;", ".global .attribute(.unified(1, 2)) .u32 a;",
        ".global .u32 x; .global .u8 a[8] = {0xFF(x)};"}) {
    EXPECT_NE(refusal(text), "") << text;
  }
}

/// __managed__ variables, as nvcc 13.0 declares them.
TEST(Variable, a_managed_variable_is_a_global_one) {
  const Variable counter = last_global(".visible .global .attribute(.managed) .align 4 .u32 counter = 7;");
  EXPECT_EQ(counter.name, "counter");
  EXPECT_EQ(counter.space, Space::Global);
  EXPECT_EQ(counter.size_bytes, 4u);
  EXPECT_EQ(counter.initial[0], std::byte{7});
}

TEST(Variable, sizes_are_bounded) {
  EXPECT_EQ(parse_globals(".global .b8 a[0xFFFFFFFFFFFF];").error().kind, ErrorKind::Limit);
  EXPECT_EQ(parse_globals(".global .b8 a[0x10000][0x10000][0x10000][0x10000];").error().kind,
            ErrorKind::Limit);
  EXPECT_EQ(parse_globals(".global .b8 a[2][0x40000000] = {{1}, {1}};").error().kind, ErrorKind::Limit)
      << "what is stored is bounded too";
  EXPECT_TRUE(parse_globals(".global .b8 a[2][0x40000000] = {{1}};"));
}

TEST(Variable, locals_belong_to_their_function) {
  const Module module = parse_body("{ .local .align 8 .b8 depot[40]; mov.u64 %rd1, depot; }").value();
  const Function& kernel = kernel_of(module);
  ASSERT_EQ(kernel.variables.size(), 2u);
  EXPECT_EQ(kernel.variables[1].space, Space::Local);
  EXPECT_EQ(kernel.variables[1].size_bytes, 40u);
  EXPECT_NE(complaint("{ .local .b8 depot[40]; } mov.u64 %rd1, depot;"), "");
}

}  // namespace
}  // namespace lanescope::ptx
