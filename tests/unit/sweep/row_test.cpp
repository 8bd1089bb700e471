// Rows of a sweep as lines, and what of two rows is compared.

#include "sweep/row.h"

#include "unit/sweep/row_example.h"

#include <gtest/gtest.h>

namespace lanescope::sweep {
namespace {

Row full_row() {
  Row row = tests::example_row(3);
  row.note = "the launch is a guess: --grid 4 \"quoted\"\n";
  row.output_correct = false;
  row.findings = {{"race", 2}, {"uninitialized", 1}};
  row.caches = CacheCounts{1, 2, 3, 4, 5};
  return row;
}

TEST(Row, a_line_gives_the_row_again) {
  const std::string line = line_of(full_row());
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const auto again = row_of_line(line);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(line_of(*again), line);
  EXPECT_EQ(again->findings, full_row().findings);
  EXPECT_EQ(again->caches, full_row().caches);
  EXPECT_EQ(again->output_correct, false);
  EXPECT_EQ(again->seconds, 0.5);
  EXPECT_FALSE(row_of_line("{\"number\": 1}"));
  EXPECT_FALSE(row_of_line("nonsense"));
}

TEST(Row, sums_are_of_all_kinds) {
  EXPECT_EQ(full_row().sum().requests, 5u);     // 4 global, 1 shared
  EXPECT_EQ(full_row().sum().sectors, 16u);     // 4 requests of 4
  EXPECT_EQ(full_row().sum().wavefronts, 30u);  // 10 x 3
  EXPECT_EQ(full_row().finding_count(), 3u);
}

TEST(Row, rows_agree_whatever_time_they_took) {
  Row other = full_row();
  other.seconds = 9;
  std::swap(other.totals[0], other.totals[1]);
  EXPECT_TRUE(agree(full_row(), other));
  other.totals[0].second.wavefronts += 1;
  EXPECT_FALSE(agree(full_row(), other));
  other = full_row();
  other.findings.pop_back();
  EXPECT_FALSE(agree(full_row(), other));
}

}  // namespace
}  // namespace lanescope::sweep
