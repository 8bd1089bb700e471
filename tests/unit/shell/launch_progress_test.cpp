// What is said of a launch that takes long.

#include "shell/hosting/launch_progress.h"

#include <gtest/gtest.h>

namespace lanescope::shell {
namespace {

using std::chrono::seconds;

TEST(LaunchProgress, has_the_share_and_an_estimate_from_the_fifth_second_on) {
  EXPECT_EQ(progress_text(seconds(0), 0, 100), "");
  EXPECT_EQ(progress_text(seconds(4), 20, 100), ", 4 s");
  EXPECT_EQ(progress_text(seconds(5), 20, 100), ", 5 s, 20 % of its 100 blocks, about 20 s left");
  EXPECT_EQ(progress_text(seconds(60), 1, 100), ", 60 s, 1 % of its 100 blocks, about 99 min left");
  EXPECT_EQ(progress_text(seconds(60), 0, 100), ", 60 s, 0 % of its 100 blocks");
  EXPECT_EQ(progress_text(seconds(60), 200, 100), ", 60 s, 100 % of its 100 blocks") << "the second run";
  EXPECT_EQ(progress_text(seconds(60), 0, 1), ", 60 s") << "one block has no share";
}

}  // namespace
}  // namespace lanescope::shell
