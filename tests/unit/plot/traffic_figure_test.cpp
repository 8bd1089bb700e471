// Traffic over time: what the figures tabulate, state and draw, on runs written by hand.

#include "support/figure_labels.h"
#include "support/model_cases.h"
#include "support/project.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::plot {
namespace {

using ::testing::HasSubstr;
using tests::labels_of;

const Frame kFrame{.size = {700, 400}};

model::Device gt200() { return model::find_device(tests::source_dir() / "assets/devices", "gt200").value(); }

TimedRun camped(std::string name) { return tests::timed_run(std::move(name), tests::Writes::Camped, 10); }

TEST(TrafficFigure, shows_reads_and_writes_separately) {
  const Figure figure = traffic_figure(camped("padded"), gt200(), kFrame);
  ASSERT_EQ(figure.headlines.size(), 3u);
  EXPECT_EQ(figure.headlines[1].value, "8");  // partitions read
  EXPECT_EQ(figure.headlines[2].value, "1");  // partitions written
  EXPECT_EQ(figure.headlines[2].color, Color::of(Role::Bad));
  EXPECT_THAT(figure.explanation, HasSubstr("12.5 % of the reads and 100 % of the writes"));
  ASSERT_EQ(figure.table.rows.size(), 80u);
  EXPECT_EQ(std::get<int64_t>(figure.table.rows[9][5]), 16384);  // window 1, partition 1
  EXPECT_THAT(labels_of(figure), ::testing::IsSupersetOf({"reads", "writes", "P0", "20 µs"}));
}

TEST(TrafficFigure, has_a_tooltip_for_each_column) {
  const Figure figure = traffic_figure(camped("padded"), gt200(), kFrame);
  ASSERT_EQ(figure.picks.size(), 20u);
  EXPECT_EQ(figure.picks[0].tip,
            "0 to 2 µs: 8 of 8 partitions effective, 12.5 % of the bytes at the busiest");
  EXPECT_EQ(figure.picks[11].tip,
            "2 to 4 µs: 1 of 8 partitions effective, 100 % of the bytes at the busiest");
}

TEST(TrafficFigure, of_a_part_of_the_grid_says_so) {
  TimedRun run = camped("padded");
  run.report.blocks_missing = 7;
  EXPECT_THAT(traffic_figure(run, gt200(), kFrame).explanation, HasSubstr("7 blocks are not shown"));
}

TEST(RemedyFigure, draws_all_runs_on_one_axis_of_time) {
  TimedRun quick = camped("diagonal");
  quick.report.seconds = 10e-6;
  quick.report.windows.resize(40);
  const Figure figure = remedy_figure({camped("by rows"), quick}, gt200(), kFrame);
  ASSERT_EQ(figure.table.rows.size(), 2u);
  EXPECT_DOUBLE_EQ(std::get<double>(figure.table.rows[0][4]), 1);      // effective partitions, written
  EXPECT_DOUBLE_EQ(std::get<double>(figure.table.rows[0][5]), 0.125);  // busiest share, read
  // A cell for each partition and window; those of the quicker run reach half as far.
  float widest[2] = {0, 0};
  for (const Mark& mark : figure.marks)
    if (const auto* rect = std::get_if<Rect>(&mark); rect != nullptr && rect->pick) {
      float& reach = widest[rect->y < 180 ? 0 : 1];
      reach = std::max(reach, rect->x + rect->width);
    }
  EXPECT_FLOAT_EQ(widest[0], 700);
  EXPECT_NEAR(widest[1], 350, 15);
}

TEST(QueueFigure, names_the_partitions_once_and_compares_the_writes) {
  const Figure figure = queue_figure({camped("Padded"), camped("Diagonal")}, gt200(), kFrame);
  EXPECT_EQ(std::ranges::count(labels_of(figure), "P3"), 1);
  EXPECT_THAT(figure.explanation, HasSubstr("Padded keeps 1 partitions busy"));
}

TEST(QueueFigure, of_runs_without_windows_is_an_empty_figure) {
  TimedRun nothing{.name = "nothing", .report = {}};
  nothing.report.partitions.resize(8);
  EXPECT_TRUE(queue_figure({nothing}, gt200(), kFrame).table.rows.empty());
  EXPECT_TRUE(remedy_figure({}, gt200(), kFrame).table.rows.empty());
}

}  // namespace
}  // namespace lanescope::plot
