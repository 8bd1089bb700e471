#include "compile/toolkit.h"

#include <gtest/gtest.h>

namespace lanescope::compile {
namespace {

TEST(Toolkit, code_is_for_compute_90_or_the_highest_that_an_older_toolkit_knows) {
  EXPECT_EQ(architecture_of("compute_75\ncompute_90\ncompute_100\ncompute_121\n"), "compute_90");
  EXPECT_EQ(architecture_of("compute_35\ncompute_80\ncompute_86\n"), "compute_86");
  EXPECT_EQ(architecture_of("compute_100\ncompute_120\n"), "compute_100") << "of a later one its oldest";
  EXPECT_EQ(architecture_of("nvcc fatal: unknown option"), "");
  EXPECT_EQ(architecture_of("compute_\ncompute_x"), "");
}

TEST(Toolkit, a_program_that_is_not_there_has_no_identity) {
  EXPECT_EQ(identity_of_program("/no/such/program"), "");
  EXPECT_FALSE(identity_of_program("/bin/sh").empty());
  EXPECT_TRUE(find_on_path("no-such-program-anywhere").empty());
}

}  // namespace
}  // namespace lanescope::compile
