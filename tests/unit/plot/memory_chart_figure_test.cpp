#include "base/number.h"
#include "support/figure_cases.h"

#include <algorithm>
#include <string>
#include <variant>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::tests {
namespace {

using plot::Figure;
using testing::HasSubstr;

Figure chart_of(const TransposeShape& shape, uint32_t multiprocessors = 132,
                plot::Frame frame = {.size = {900, 500}}) {
  const trace::Trace trace = transpose_trace(shape);
  caches::CacheReport report = transpose_caches(trace);
  report.multiprocessors = multiprocessors;
  return plot::memory_chart_figure(trace, report, h200(), frame);
}

bool has_label(const Figure& figure, const std::string& text) {
  return std::ranges::any_of(figure.marks, [&](const plot::Mark& mark) {
    const auto* label = std::get_if<plot::Label>(&mark);
    return label != nullptr && label->text == text;
  });
}

TEST(MemoryChartFigure, arrows_have_requests_sectors_and_bytes) {
  // 1024 x 1024 floats: 32,768 requests of 4 sectors; half of the sectors loaded come from the L2, 2.10 MB.
  const Figure figure = chart_of({.width = 1024, .height = 1024, .padding = 1});
  EXPECT_TRUE(has_label(figure, "32,768 requests, 131,072 sectors"));
  EXPECT_TRUE(has_label(figure, "hit " + percent(Language::English, 0.5)));
  EXPECT_TRUE(has_label(figure, "2.10 MB"));
  EXPECT_TRUE(has_label(figure, "4.19 MB"));
  EXPECT_TRUE(has_label(figure, "65,536 wavefronts, ideal 65,536"));
  EXPECT_EQ(figure.provenance, Provenance::Modelled);
}

TEST(MemoryChartFigure, busiest_path_is_marked_and_its_cause_is_named) {
  // Each of the 32,768 column loads takes 32 wavefronts: 1,048,576 + 32,768 of them on 132 multiprocessors.
  const Figure figure = chart_of({.width = 1024, .height = 1024});
  EXPECT_TRUE(has_label(figure, percent(Language::English, 1)));
  EXPECT_THAT(figure.explanation, HasSubstr("the shared memory decides"));
  EXPECT_THAT(figure.explanation, HasSubstr("Without the bank conflicts of"));
}

TEST(MemoryChartFigure, of_a_sample_has_no_traffic_of_the_dram) {
  const Figure figure = chart_of({.width = 1024, .height = 1024, .padding = 1}, 16);
  EXPECT_EQ(figure.warning, "16 of 132 multiprocessors");
  EXPECT_TRUE(has_label(figure, "not known"));
  EXPECT_FALSE(has_label(figure, "writes") && has_label(figure, "0 B"));
  EXPECT_TRUE(std::ranges::none_of(figure.table.rows, [](const auto& row) {
    return std::get<std::string>(row.front()).starts_with("dram");
  }));
  EXPECT_TRUE(figure.explanation.empty());
}

TEST(MemoryChartFigure, table_has_a_row_for_each_path) {
  const Figure figure = chart_of({.width = 1024, .height = 1024});
  std::vector<std::string> paths;
  for (const auto& row : figure.table.rows) paths.push_back(std::get<std::string>(row.front()));
  EXPECT_EQ(paths, (std::vector<std::string>{"global_loads", "global_stores", "shared_memory", "l2_to_l1",
                                             "l1_to_l2", "dram_to_l2", "l2_to_dram"}));
}

TEST(MemoryChartFigure, words_that_are_wider_than_the_way_between_two_boxes_are_left_out) {
  const TransposeShape shape{.width = 1024, .height = 1024, .padding = 1};
  const plot::Frame wide{.size = {900, 500}, .language = Language::French};
  EXPECT_TRUE(has_label(chart_of(shape, 132, wide), "écritures"));
  const plot::Frame projector{.size = {470, 260}, .language = Language::French, .text = 18};
  EXPECT_FALSE(has_label(chart_of(shape, 132, projector), "écritures"));
}

TEST(MemoryChartFigure, texts_find_room_in_a_small_panel) {
  const Figure figure = chart_of({.width = 1024, .height = 1024}, 132, {.size = {420, 240}});
  EXPECT_TRUE(has_label(figure, "L1"));
  EXPECT_TRUE(has_label(figure, "L2"));
  EXPECT_TRUE(has_label(figure, "DRAM"));
  EXPECT_TRUE(has_label(figure, "131,072 sectors"));
}

}  // namespace
}  // namespace lanescope::tests
