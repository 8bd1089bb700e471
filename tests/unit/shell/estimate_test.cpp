// How long work will still take.

#include "shell/hosting/estimate.h"

#include <gtest/gtest.h>

namespace lanescope::shell {
namespace {

using std::chrono::seconds;

TEST(Estimate, the_rest_goes_on_as_the_beginning_went) {
  EXPECT_EQ(estimate(10, 50, seconds(10)), ", about 40 s left");
  EXPECT_EQ(estimate(1, 100, seconds(10)), ", about 16 min left");  // 990 s
}

TEST(Estimate, nothing_is_said_of_what_is_not_known) {
  EXPECT_EQ(estimate(0, 50, seconds(10)), "");
  EXPECT_EQ(estimate(10, 50, seconds(1)), "");
  EXPECT_EQ(estimate(50, 50, seconds(10)), "");
}

}  // namespace
}  // namespace lanescope::shell
