#include "pipeline/line_costs.h"

#include <gtest/gtest.h>

namespace lanescope::pipeline {
namespace {

TEST(CostOfLines, sites_of_a_line_are_summed_by_space) {
  trace::Trace trace;
  const auto add = [&](trace::Space space, int line, uint64_t requests) {
    trace::Site site;
    site.id.value = static_cast<uint32_t>(trace.sites.size());
    site.operation.space = space;
    site.source = {"k.cu", line};
    trace.sites.push_back(site);
    trace::Totals totals;
    totals.requests = requests;
    trace.totals.push_back(totals);
  };
  add(trace::Space::Shared, 2, 5);
  add(trace::Space::Global, 2, 7);
  add(trace::Space::Global, 2, 1);
  add(trace::Space::Global, 99, 1);
  const auto lines = cost_of_lines(trace, trace.totals, "k.cu", 3);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[1].shared.requests, 5u);
  EXPECT_EQ(lines[1].global.requests, 8u);
  EXPECT_EQ(lines[0].global.requests, 0u);
  EXPECT_EQ(cost_of_lines(trace, trace.totals, "other.cu", 3)[1].global.requests, 0u);
}

}  // namespace
}  // namespace lanescope::pipeline
