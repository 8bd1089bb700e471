#include "compile/declarations.h"

#include <gtest/gtest.h>

namespace lanescope::compile {
namespace {

using Side = Declaration::Side;

struct Found {
  std::string name;
  Side side;
  bool operator==(const Found&) const = default;
};

void PrintTo(const Found& found, std::ostream* out) {
  *out << found.name << " " << static_cast<int>(found.side);
}

std::vector<Found> found_in(std::string_view source) {
  const auto tokens = tokens_of(source);
  MacroNames macros;
  add_macros(macros, tokens);
  std::vector<Found> found;
  for (const Declaration& declaration : find_declarations(source, tokens, macros))
    found.push_back({std::string(declaration.name), declaration.side});
  return found;
}

/// The sides of all declarations: D, H or E.
std::string sides(std::string_view source) {
  std::string sides;
  for (const Found& found : found_in(source))
    sides += found.side == Side::Device ? 'D' : found.side == Side::Host ? 'H' : 'E';
  return sides;
}

TEST(Declarations, functions_by_their_attributes) {
  EXPECT_EQ(found_in("__global__ void k(int* a) { a[0] = 1; }\n"
                     "static int half(int a) { return a / 2; }\n"
                     "__host__ __device__ float both(float a) { return a; }\n"
                     "__host__ void plain();\n"
                     "constexpr int twice(int a) { return 2 * a; }\n"
                     "int main(int argc, char** argv) { k<<<1, 32>>>(0); }\n"),
            (std::vector<Found>{{"k", Side::Device},
                                {"half", Side::Host},
                                {"both", Side::Either},
                                {"plain", Side::Host},
                                {"twice", Side::Either},
                                {"main", Side::Host}}));
}

TEST(Declarations, variables_by_their_attributes) {
  EXPECT_EQ(sides("__constant__ float c[4]; __device__ int count = 0; extern __shared__ float tile[];"),
            "DDD");
  EXPECT_EQ(sides("int n = 4; float* d_a, *d_b; extern int other; static dim3 grid(4, 4);"), "HHHH");
  EXPECT_EQ(sides("const int N = 4; constexpr float pi = 3.14f; const float w[2] = {1, 2};"), "EEE");
}

TEST(Declarations, types_and_names_of_types_may_belong_to_either_side) {
  EXPECT_EQ(sides("struct P { int a; }; enum class E { a, b }; using F = float; typedef int I; union U;"),
            "EEEEE");
  EXPECT_EQ(
      sides("using namespace std; namespace fs = std::filesystem; static_assert(sizeof(int) == 4, \"\");"),
      "EEE");
  EXPECT_EQ(sides("template <class T> struct Q { T t; }; template <class T> using R = Q<T>;"), "EE");
  EXPECT_EQ(sides("struct __align__(8) Pair { float a, b; }; struct alignas(16) Four { float a[4]; };"),
            "EE");
}

TEST(Declarations, variables_and_names_of_types_have_their_name) {
  EXPECT_EQ(
      found_in("static unsigned int count = sizeof(int); float *a, b; dim3 grid(4); using Real = float;\n"
               "typedef struct { int x; } Pair; const int table[2] = {1, 2}; struct Two : One { int y; };\n"),
      (std::vector<Found>{{"count", Side::Host},
                          {"a", Side::Host},
                          {"grid", Side::Host},
                          {"Real", Side::Either},
                          {"Pair", Side::Either},
                          {"table", Side::Either},
                          {"Two", Side::Either}}));
}

TEST(Declarations, a_word_before_a_type_does_not_make_a_function_one) {
  EXPECT_EQ(found_in("struct Pair make(int a) { return Pair(); }"),
            (std::vector<Found>{{"make", Side::Host}}));
  EXPECT_EQ(found_in("__device__ struct Pair make(int a) { return Pair(); }"),
            (std::vector<Found>{{"make", Side::Device}}));
}

TEST(Declarations, templates) {
  EXPECT_EQ(sides("template <class T, int n = (3 > 2)> __global__ void k(T* a) {}\n"
                  "template <class T> void launch(T* a) { k<T, 4><<<1, 1>>>(a); }\n"
                  "template __global__ void k<float, 4>(float*);\n"
                  "template void launch<int>(int*);\n"
                  "template <> __device__ float f<float>(float a) { return a; }\n"
                  "template <template <class> class C> __device__ void g() {}\n"),
            "DHDHDD");
}

TEST(Declarations, operators) {
  EXPECT_EQ(sides("inline float2 operator+(float2 a, float2 b) { return a; }\n"
                  "__device__ bool operator<(float2 a, float2 b) { return true; }\n"
                  "std::ostream& operator<<(std::ostream& out, float2 a) { return out; }\n"
                  "struct F { __device__ int operator()(int a) const { return a; } int operator[](int i) { "
                  "return i; } };\n"),
            "HDHEDE");
}

TEST(Declarations, member_functions_follow_their_class) {
  EXPECT_EQ(found_in("class Timer {\n public:\n  Timer() : start{0}, stop(1) { reset(); }\n  ~Timer() {}\n"
                     "  __device__ float at(int i) const { return a[i]; }\n"
                     "  static __host__ void print();\n  Timer(const Timer&) = default;\n"
                     "  struct Inner { void f() {} };\n  float a[3];\n private:\n  int start, stop;\n};\n"),
            (std::vector<Found>{{"Timer", Side::Either},
                                {"Timer", Side::Either},
                                {"Timer", Side::Either},
                                {"at", Side::Device},
                                {"print", Side::Host},
                                {"Timer", Side::Either},
                                {"f", Side::Either}}));
}

TEST(Declarations, namespaces_and_c_linkage_are_entered) {
  EXPECT_EQ(
      sides("namespace a { namespace b::c { int f() { return 1; } } }\n"
            "extern \"C\" {\n__global__ void k() {}\nvoid g();\n}\n"
            "inline namespace v1 { __device__ int d; }\nextern \"C\" void h() {}\nnamespace { int n; }\n"),
      "HDHDHH");
}

TEST(Declarations, macros_that_stand_for_attributes) {
  EXPECT_EQ(
      sides(
          "#define HD __host__ __device__\n#define INLINE_HD HD inline\n"
          "INLINE_HD float f(float a) { return a; }\nHD int g();\n#define API\nAPI int h() { return 1; }\n"),
      "EEH");
  // Defined in a file that was not found.
  EXPECT_EQ(sides("LIB_HOST_DEVICE float f(float a) { return a; }\nint DEVICE_COUNT = 3;\n"), "DH");
}

TEST(Declarations, macros_that_stand_for_declarations) {
  EXPECT_EQ(found_in("#define KERNEL(name, op) __global__ void name(int* a) { a[0] op 1; }\n"
                     "#define HOST_FUNCTION(name) int name() { return 1; }\n"
                     "KERNEL(add, +=)\nKERNEL(sub, -=);\nHOST_FUNCTION(one)\nint main() { return one(); }\n"),
            (std::vector<Found>{{"KERNEL", Side::Device},
                                {"KERNEL", Side::Device},
                                {"HOST_FUNCTION", Side::Either},
                                {"main", Side::Host}}));
}

TEST(Declarations, a_function_declared_for_the_device_is_defined_without_the_word) {
  EXPECT_EQ(sides("__device__ int f(int a);\nint g(int a);\nint f(int a) { return a; }\n"), "DHE");
}

TEST(Declarations, branches_of_whole_declarations_are_all_read) {
  EXPECT_EQ(sides("#ifdef A\nint f() { return 1; }\n#else\n__device__ int f() { return 2; }\n#endif\n"
                  "__global__ void k() {}\n"),
            "HDD");
}

TEST(Declarations, of_branches_inside_a_declaration_the_first_counts) {
  EXPECT_EQ(
      sides(
          "#ifdef A\nvoid f(int a) {\n#else\nvoid f(float a) {\n#endif\n  g();\n}\n__global__ void k() {}\n"),
      "HD");
  EXPECT_EQ(sides("void f() {\n#if A\n  if (x) {\n#elif B\n  if (y) {\n#else\n  {\n#endif\n  "
                  "}\n}\n__global__ void k() {}\n"),
            "HD");
  EXPECT_EQ(sides("__global__ void k(int a\n#ifdef A\n, int b\n#endif\n) {}\nint n;\n"), "DH");
}

TEST(Declarations, text_under_if_0_is_none) {
  EXPECT_EQ(sides("#if 0\nit isn't code { {\n#endif\n__global__ void k() {}\n"), "D");
  EXPECT_EQ(sides("#if 0\n}} int a;\n#else\nint b;\n#endif\nint c;\n"), "HH");
}

TEST(Declarations, attributes_before_a_name_are_not_parameters) {
  EXPECT_EQ(found_in("inline void __check(int a) { if (a) exit(1); }"),
            (std::vector<Found>{{"__check", Side::Host}}));
  EXPECT_EQ(found_in("__global__ void __launch_bounds__(256, 2) k(int* a) {}\n"
                     "API(void) f(int a) {}\n__attribute__((noinline)) int g(int a) { return a; }\n"),
            (std::vector<Found>{{"k", Side::Device}, {"f", Side::Host}, {"g", Side::Host}}));
}

TEST(Declarations, have_their_bytes_and_lines) {
  const std::string_view source = "int a;\n\n  void f()\n  {\n  }\n#define X\n__global__ void k() {}\n";
  const auto found = find_declarations(source, tokens_of(source), {});
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(source.substr(found[1].begin, found[1].end - found[1].begin), "void f()\n  {\n  }");
  EXPECT_EQ(found[1].first_line, 3);
  EXPECT_EQ(found[1].last_line, 5);
  EXPECT_TRUE(found[1].has_body);
}

TEST(Declarations, a_statement_outside_of_a_function_is_left_to_the_compiler) {
  EXPECT_EQ(sides("__global__ void k() {}\nwhile (x) y;\n"), "DD");
  EXPECT_EQ(sides("void f();\nfor (int i = 0; i < 4; ++i) { f(); }\nreturn 1;\n"), "HDD");
  // Host code whose braces are in macros.
  EXPECT_EQ(sides("#define BEGIN {\n#define END }\nvoid f() BEGIN g(); while (x) y; END\n").find('D'),
            std::string::npos);
}

TEST(Declarations, broken_text_is_no_error) {
  for (const char* text : {"{",
                           "}",
                           "}}}",
                           "(",
                           "struct",
                           "struct {",
                           "template",
                           "template <",
                           "operator",
                           "=",
                           "namespace",
                           "namespace {",
                           "extern \"C\" {",
                           "a<b",
                           "f(",
                           "f() :",
                           "f() : a{",
                           "#if 0",
                           "#else",
                           "#endif\n}",
                           "__global__ void f(",
                           "typedef struct {",
                           "enum {",
                           "class A { public:",
                           "; ; }"})
    EXPECT_LE(sides(text).size(), 2u) << text;
}

TEST(Declarations, deep_and_long_text_ends) {
  std::string deep, lists, conditions;
  for (int n = 0; n < 100000; ++n) {
    deep += "namespace a {";
    lists += "a<";
    conditions += "#if A\nint b;\n";
  }
  EXPECT_LE(sides(deep).size(), 100000u);
  EXPECT_LE(sides("struct " + deep).size(), 100000u);
  EXPECT_LE(sides(lists).size(), 1u);
  EXPECT_EQ(sides(conditions).size(), 100000u);
}

}  // namespace
}  // namespace lanescope::compile
