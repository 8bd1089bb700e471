#include "compile/log.h"

#include <gtest/gtest.h>

namespace lanescope::compile {
namespace {

TEST(Log, errors_have_their_file_and_line) {
  const auto errors = errors_of(
      "a (1).cu(12): error: identifier \"x\" is undefined\n    x = 1;\n    ^\n\n"
      "b.h(3): warning #177-D: variable \"y\" was declared but never referenced\n"
      "c.h(4): catastrophic error: cannot open source file \"d\"\n"
      "k.cu(7): error #20041-D: something\n2 errors detected in the compilation of \"a.cu\".\n");
  ASSERT_EQ(errors.size(), 3u);
  EXPECT_EQ(errors[0].file, "a (1).cu");
  EXPECT_EQ(errors[0].line, 12);
  EXPECT_EQ(errors[0].message, "identifier \"x\" is undefined");
  EXPECT_EQ(errors[1].file, "c.h");
  EXPECT_EQ(errors[1].line, 4);
  EXPECT_EQ(errors[2].message, "something");
}

TEST(Log, what_an_option_lets_pass_is_told_apart) {
  const auto errors = errors_of(
      "a.cu(1): error: A function without execution space annotations (__host__/__device__/__global__) is "
      "considered a "
      "host function, and host functions are not allowed in JIT mode. Consider using -default-device flag to "
      "process "
      "unannotated functions as __device__ functions in JIT mode\n"
      "a.cu(2): error: A function explicitly marked as a __host__ function is not allowed in JIT mode\n");
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_TRUE(errors[0].is_of_execution_space);
  EXPECT_FALSE(errors[1].is_of_execution_space);
}

TEST(Log, other_text_has_no_errors) {
  for (const char* text :
       {"", "\n", "(1): error", "a(: error: b", "a(x): error: b", "a(1): error", "): error: a"})
    EXPECT_TRUE(errors_of(text).empty()) << text;
}

}  // namespace
}  // namespace lanescope::compile
