// Which architecture PTX is assembled for. What ptxas makes of it: tests/cli/level_test.cpp.

#include "compile/assemble.h"

#include <gtest/gtest.h>

namespace lanescope::compile {
namespace {

TEST(Assemble, ptx_of_a_newer_target_or_of_one_architecture_is_assembled_for_it) {
  EXPECT_EQ(architecture_for(".version 8.0\n.target sm_80\n", "sm_90"), "sm_90");
  EXPECT_EQ(architecture_for(".version 8.0\n.target sm_100, debug\n", "sm_90"), "sm_100");
  EXPECT_EQ(architecture_for(".version 8.0\n  .target sm_90a // one alone\n", "sm_90"), "sm_90a");
  EXPECT_EQ(architecture_for("no directive", "sm_90"), "sm_90");
}

TEST(Assemble, a_toolkit_without_an_assembler_is_an_error) {
  const auto code = assemble({"/nowhere/bin/nvcc", "/nowhere"}, ".target sm_80\n", "k.ptx", "sm_90", {});
  ASSERT_FALSE(code);
}

}  // namespace
}  // namespace lanescope::compile
