#include "report/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::report {
namespace {

/// A kernel with one finding in a line of this text.
Report one_kernel(const std::string& kernel, uint64_t sectors, const std::string& text) {
  LaunchReport launch{.kernel = kernel};
  launch.cost.sectors = launch.all.sectors = sectors;
  Finding finding{.kind = "excess_sectors", .access = "global load", .unit = Unit::Sectors, .cost = sectors};
  finding.source.text = text;
  launch.findings.push_back(finding);
  Report report;
  report.launches.push_back(launch);
  return report;
}

Report compared(Report report, const Report& before, double tolerance) {
  compare(report, baseline_of(before, "before"), tolerance);
  return report;
}

TEST(Comparison, of_equal_reports_is_not_worse) {
  const Report same = compared(one_kernel("copy", 100, "a = b;"), one_kernel("copy", 100, "a = b;"), 0);
  EXPECT_FALSE(same.comparison->is_worse);
  EXPECT_EQ(exit_status(same), 0);
  EXPECT_EQ(same.launches[0].findings[0].novelty, Novelty::Known);
}

/// 102 is 2 % more than 100.
TEST(Comparison, is_worse_beyond_the_tolerance_alone) {
  const Report before = one_kernel("copy", 100, "a = b;");
  EXPECT_EQ(exit_status(compared(one_kernel("copy", 102, "a = b;"), before, 2)), 0);
  const Report worse = compared(one_kernel("copy", 102, "a = b;"), before, 1.9);
  EXPECT_EQ(exit_status(worse), 1);
  ASSERT_EQ(worse.comparison->changes.size(), 1u);
  EXPECT_EQ(worse.comparison->changes[0].verdict, Change::Verdict::Worse);
  EXPECT_EQ(worse.comparison->new_findings, 0u);
  const Report better = compared(one_kernel("copy", 50, "a = b;"), before, 1);
  EXPECT_EQ(better.comparison->changes[0].verdict, Change::Verdict::Better);
  EXPECT_EQ(exit_status(better), 0);
}

TEST(Comparison, knows_a_line_that_was_edited_and_costs_no_more) {
  const Report before = one_kernel("copy", 100, "a = b;");
  EXPECT_EQ(compared(one_kernel("copy", 100, "left = right;"), before, 0).comparison->new_findings, 0u);
  EXPECT_EQ(compared(one_kernel("copy", 101, "left = right;"), before, 0).comparison->new_findings, 1u);
}

TEST(Comparison, fails_on_a_new_finding_unless_it_is_suppressed) {
  const Report before = one_kernel("copy", 100, "a = b;");
  Report after = before;
  after.launches[0].findings.push_back(
      {.kind = "race", .is_hazard = true, .sentence = "two threads write a[0]"});
  EXPECT_EQ(exit_status(after), 1);
  EXPECT_EQ(exit_status(compared(after, before, 0)), 1);
  EXPECT_EQ(exit_status(compared(after, after, 0)), 0);
  after.launches[0].findings[1].suppressed = Suppression{.reason = "on purpose", .by = "allow.toml:1"};
  EXPECT_EQ(exit_status(after), 0);
  EXPECT_EQ(exit_status(compared(after, before, 0)), 0);
}

TEST(Comparison, matches_kernels_by_name) {
  const Report after = compared(one_kernel("copy2", 1, ""), one_kernel("copy", 100, "a = b;"), 0);
  EXPECT_THAT(after.comparison->new_kernels, testing::ElementsAre("copy2"));
  EXPECT_THAT(after.comparison->gone_kernels, testing::ElementsAre("copy"));
  EXPECT_EQ(after.comparison->gone_findings, 1u);
  EXPECT_TRUE(after.comparison->changes.empty());
}

/// Two shapes of one kernel are one line of the comparison: 10 launches of 100 sectors and 1 of 7.
TEST(Comparison, adds_the_launches_of_a_kernel) {
  Report report = one_kernel("copy", 100, "a = b;");
  report.launches[0].times = 10;
  report.launches[0].all.sectors = 1000;
  report.launches.push_back(one_kernel("copy", 7, "a = b;").launches[0]);
  const std::vector<KernelCost> costs = kernel_costs(report);
  ASSERT_EQ(costs.size(), 1u);
  EXPECT_EQ(costs[0].launches, 11u);
  EXPECT_EQ(costs[0].cost.sectors, 1007u);
}

TEST(Comparison, of_two_levels_is_refused) {
  Report report;
  report.launches.push_back({.kernel = "k", .level = trace::CountLevel::MachineCode});
  Baseline baseline{.name = "base.json", .kernels = {}, .findings = {}};
  const auto refused = require_same_level(report, baseline);
  ASSERT_FALSE(refused);
  EXPECT_EQ(
      refused.error().message,
      "base.json counts the PTX, and this report the machine code: compare reports with the same --level");
  baseline.is_of_machine_code = true;
  EXPECT_TRUE(require_same_level(report, baseline));
  EXPECT_TRUE(baseline_of(report, "x").is_of_machine_code);
}

}  // namespace
}  // namespace lanescope::report
