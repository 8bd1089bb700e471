// Charts, and the figures of models: what they tabulate and that nothing overlaps.

#include "plot/model_figures.h"

#include "plot/chart.h"
#include "support/project.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::plot {
namespace {

using ::testing::HasSubstr;

const Frame kFrame{.size = {960, 540}};

model::Device gt200() { return model::find_device(tests::source_dir() / "assets/devices", "gt200").value(); }

void expect_no_overlaps(const Figure& figure) {
  std::vector<Label> labels;
  for (const Mark& mark : figure.marks)
    if (const auto* label = std::get_if<Label>(&mark)) labels.push_back(*label);
  for (size_t a = 0; a < labels.size(); ++a) {
    for (size_t b = a + 1; b < labels.size(); ++b)
      EXPECT_FALSE(overlap(box_of(labels[a]), box_of(labels[b])))
          << labels[a].text << " / " << labels[b].text;
  }
}

int bars_of(const Figure& figure) {
  int bars = 0;
  for (const Mark& mark : figure.marks) {
    const auto* rect = std::get_if<Rect>(&mark);
    bars += rect != nullptr && rect->pick;
  }
  return bars;
}

TEST(Chart, ends_its_axis_on_a_round_number) {
  EXPECT_DOUBLE_EQ(round_up(0), 1);
  EXPECT_DOUBLE_EQ(round_up(3), 5);
  EXPECT_DOUBLE_EQ(round_up(96.9), 100);
  EXPECT_DOUBLE_EQ(round_up(100), 100);
  EXPECT_DOUBLE_EQ(round_up(0.011), 0.02);
}

TEST(StrideFigure, tabulates_both_maps_with_their_origin) {
  const Figure figure =
      stride_figure(*model::find_address_map("gt200"), *model::find_address_map("h200"), 128, kFrame);
  ASSERT_EQ(figure.table.rows.size(), 26u);  // 256 bytes to 1 MiB, twice
  const auto& camped = figure.table.rows[3];
  EXPECT_EQ(std::get<std::string>(camped[0]), "gt200");
  EXPECT_EQ(std::get<std::string>(camped[1]), "published");
  EXPECT_EQ(std::get<int64_t>(camped[2]), 2048);
  EXPECT_DOUBLE_EQ(std::get<double>(camped[6]), 1);
  EXPECT_EQ(std::get<std::string>(figure.table.rows[13][1]), "measured");
  EXPECT_EQ(bars_of(figure), 26);
  EXPECT_THAT(figure.source, HasSubstr("physical base is unknown"));
  expect_no_overlaps(figure);
}

TEST(PublishedFigure, draws_a_bar_for_each_published_and_each_modelled_value) {
  const std::vector<PublishedRow> rows{
      {.kernel = "copy", .published = 96.9, .modelled = 94.8, .origin = PublishedRow::Origin::Fitted},
      {.kernel = "diagonal", .published = 69.5, .modelled = 74.4, .modelled_low = 73, .modelled_high = 76}};
  const Figure figure = published_figure(rows, 4, gt200(), kFrame);
  EXPECT_EQ(bars_of(figure), 4);
  EXPECT_EQ(std::get<int64_t>(figure.table.rows[0][4]), 1);
  EXPECT_EQ(std::get<int64_t>(figure.table.rows[1][4]), 0);
  EXPECT_THAT(figure.explanation, HasSubstr("7 %"));  // 74.4 / 69.5 is 1.07
  std::vector<std::string> labels;
  int whiskers = 0;
  for (const Mark& mark : figure.marks) {
    if (const auto* label = std::get_if<Label>(&mark)) labels.push_back(label->text);
    const auto* line = std::get_if<Line>(&mark);
    whiskers += line != nullptr && line->x1 == line->x2;
  }
  EXPECT_THAT(labels, ::testing::IsSupersetOf({"−2 %", "+7 %"}));  // 94.8 / 96.9 is 0.98
  EXPECT_EQ(whiskers, 1);
  expect_no_overlaps(figure);
}

TEST(WidthFigure, draws_a_line_for_each_kernel) {
  const WidthSweep sweep{.widths = {1024, 1040, 1056},
                         .kernels = {"padded", "diagonal"},
                         .gb_per_second = {{20, 60, 40}, {70, 72, 71}},
                         .blocks = 1024};
  const Figure figure = width_figure(sweep, gt200(), kFrame);
  int lines = 0;
  for (const Mark& mark : figure.marks) {
    const auto* line = std::get_if<Line>(&mark);
    lines += line != nullptr && line->pick;
  }
  EXPECT_EQ(lines, 4);
  EXPECT_EQ(figure.table.rows.size(), 6u);
  expect_no_overlaps(figure);
}

TEST(QueueFigure, tabulates_every_window_of_every_partition) {
  TimedRun run{.name = "padded", .report = {}};
  run.report.seconds = 6e-6;
  run.report.window_seconds = 2e-6;
  run.report.partitions.resize(2);
  run.report.windows.resize(6, {.read_bytes = 64, .written_bytes = 32, .mean_queue = 1.5});
  const Figure figure = queue_figure({run, run}, gt200(), kFrame);
  ASSERT_EQ(figure.table.rows.size(), 12u);
  EXPECT_DOUBLE_EQ(std::get<double>(figure.table.rows[5][3]), 1.5);
  EXPECT_DOUBLE_EQ(std::get<double>(figure.table.rows[5][1]), 4e-6);
  expect_no_overlaps(figure);
}

}  // namespace
}  // namespace lanescope::plot
