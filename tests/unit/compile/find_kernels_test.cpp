#include "compile/find_kernels.h"

#include <gtest/gtest.h>

namespace lanescope::compile {
namespace {

TEST(FindKernels, a_kernel_has_a_name_a_line_and_parameters) {
  const auto kernels =
      find_kernels("\nextern \"C\" __global__ void add(const float* a, float *b, int n) {}\n");
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(kernels[0].name, "add");
  EXPECT_EQ(kernels[0].line, 2);
  ASSERT_EQ(kernels[0].parameters.size(), 3u);
  EXPECT_EQ(kernels[0].parameters[0].name, "a");
  EXPECT_EQ(kernels[0].parameters[0].type, "const float*");
  EXPECT_EQ(kernels[0].parameters[1].name, "b");
  EXPECT_EQ(kernels[0].parameters[2].name, "n");
}

TEST(FindKernels, kernels_in_comments_and_literals_are_ignored) {
  EXPECT_TRUE(
      find_kernels(
          "// __global__ void f() {}\n/* __global__ void g() {} */ const char* s = \"__global__ void h()\";")
          .empty());
}

TEST(FindKernels, launch_bounds_are_not_the_name) {
  const auto kernels = find_kernels("__global__ void __launch_bounds__(256, 2) f(void) {}");
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(kernels[0].name, "f");
  EXPECT_TRUE(kernels[0].parameters.empty());
}

TEST(FindKernels, a_comma_inside_a_template_argument_separates_nothing) {
  const auto kernels = find_kernels("template <class T> __global__ void f(pair<T, int> p, T x = T(1, 2)) {}");
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_TRUE(kernels[0].is_template);
  ASSERT_EQ(kernels[0].parameters.size(), 2u);
  EXPECT_EQ(kernels[0].parameters[1].name, "x");
}

TEST(FindKernels, broken_text_is_no_error) {
  for (const char* text :
       {"__global__", "__global__ (", "__global__ void f(", "__global__ void f(((", "\"", "/*", "'\\"})
    EXPECT_LE(find_kernels(text).size(), 1u) << text;
}

TEST(FindKernels, a_template_has_its_parameters_and_an_instance_has_none) {
  const auto kernels = find_kernels(
      "template <class T, int n = 3> __global__ void scale(T* a) { a[0] *= n; }\n"
      "template __global__ void scale<float, 4>(float*);\n");
  ASSERT_GE(kernels.size(), 1u);
  EXPECT_TRUE(kernels[0].is_template);
  ASSERT_EQ(kernels[0].template_parameters.size(), 2u);
  EXPECT_EQ(kernels[0].template_parameters[0].type, "class");
  EXPECT_EQ(kernels[0].template_parameters[1].type, "int");
  for (size_t n = 1; n < kernels.size(); ++n) EXPECT_FALSE(kernels[n].is_template);
}

TEST(FindKernels, a_declaration_need_not_name_its_parameters) {
  const auto kernels = find_kernels(
      "__global__ void k(const Range, float*, unsigned int, std::size_t n, T, const int* const data, int "
      "a[4]);");
  ASSERT_EQ(kernels.size(), 1u);
  std::string listed;
  for (const auto& parameter : kernels[0].parameters) listed += parameter.type + "|" + parameter.name + ";";
  EXPECT_EQ(listed, "const Range|;float*|;unsigned int|;std::size_t|n;T|;const int* const|data;int[4]|a;");
}

TEST(FindKernels, messages_have_the_names_of_the_source) {
  EXPECT_EQ(with_source_names("kernel _Z5saxpyifPKfPf takes 4 arguments; try _Z1kv_or_so, not a_Z1kv"),
            "kernel saxpy takes 4 arguments; try _Z1kv_or_so, not a_Z1kv");
}

}  // namespace
}  // namespace lanescope::compile
