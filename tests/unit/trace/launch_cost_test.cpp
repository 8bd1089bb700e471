#include "trace/launch_cost.h"

#include <gtest/gtest.h>

namespace lanescope::trace {
namespace {

TEST(LaunchCost, is_the_sum_over_all_sites) {
  Trace trace;
  trace.totals = {{.requests = 1, .sectors = 8, .ideal_sectors = 4},
                  {.requests = 2, .wavefronts = 32, .ideal_wavefronts = 1},
                  {.requests = 4, .sectors = 16, .ideal_sectors = 16}};
  EXPECT_EQ(launch_cost(trace),
            (LaunchCost{
                .requests = 7, .sectors = 24, .ideal_sectors = 20, .wavefronts = 32, .ideal_wavefronts = 1}));
  EXPECT_EQ(launch_cost({}), LaunchCost{});
}

}  // namespace
}  // namespace lanescope::trace
