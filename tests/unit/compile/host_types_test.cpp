#include "compile/host_types.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::compile {
namespace {

HostTypes types_of(std::string_view text) {
  HostTypes types;
  types.read(tokens_of(text));
  return types;
}

uint64_t bytes_of(const HostTypes& types, std::string_view type) {
  const auto layout = types.layout_of(type);
  return layout ? layout->bytes : 0;
}

TEST(HostTypes, aliases_are_followed) {
  const HostTypes types = types_of("typedef float real;\nusing vec = real;\n#define NUMBER double\n");
  EXPECT_EQ(types.plain("const vec *__restrict__"), "float*");
  EXPECT_EQ(types.plain("NUMBER"), "double");
  EXPECT_EQ(types.plain("std::size_t"), "size_t");
  EXPECT_EQ(types.plain("unsigned char const*"), "unsigned char*");
}

TEST(HostTypes, an_alias_with_two_meanings_is_none) {
  EXPECT_EQ(types_of("typedef float real;\ntypedef double real;\n").plain("real*"), "real*");
}

TEST(HostTypes, an_alias_of_itself_ends) {
  EXPECT_EQ(bytes_of(types_of("typedef a b;\ntypedef b a;\n"), "a"), 0u);
  EXPECT_EQ(bytes_of(types_of("struct A { B b; };\nstruct B { A a; };\n"), "A"), 0u);
}

/// As g++ lays them out on x86-64.
TEST(HostTypes, a_struct_has_its_fields_where_their_alignment_puts_them) {
  const HostTypes types = types_of(
      "struct Pair { char c; double d; int n; };\nstruct Many { Pair p[2]; short s, t; float* x; };\n"
      "typedef struct { float x, y, z; } Point;\nstruct Made { int a; Made(int b) { a = b; } void f(); };\n");
  EXPECT_EQ(bytes_of(types, "Pair"), 24u);
  EXPECT_EQ(bytes_of(types, "struct Many"), 64u);
  EXPECT_EQ(bytes_of(types, "const Point"), 12u);
  EXPECT_EQ(bytes_of(types, "Made"), 4u);
  EXPECT_EQ(bytes_of(types, "Pair*"), 8u);
  ASSERT_NE(types.fields_of("Many"), nullptr);
  EXPECT_EQ(types.fields_of("Many")->back().type, "float*");
  EXPECT_EQ(types.fields_of("Many")->front().count, 2u);
}

TEST(HostTypes, a_struct_with_anything_else_has_no_layout) {
  for (const char* text :
       {"struct A { Unknown u; };", "struct A { struct { int b; } c; };", "struct A { int b[N]; };"})
    EXPECT_EQ(bytes_of(types_of(text), "A"), 0u) << text;
}

}  // namespace
}  // namespace lanescope::compile
