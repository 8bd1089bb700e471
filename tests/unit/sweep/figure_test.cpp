// Figures of a sweep: lines, maps, tables.

#include "sweep/figure.h"

#include "support/figure_labels.h"
#include "unit/sweep/row_example.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::sweep {
namespace {

using testing::Contains;
using testing::HasSubstr;
using tests::example_row;
using tests::example_sweep;

class SweepFigure : public testing::Test {
 protected:
  std::vector<Row> rows_ = [] {
    std::vector<Row> rows;
    for (uint64_t n = 0; n < 6; ++n) rows.push_back(example_row(n));
    return rows;
  }();
  Definition definition_ = example_sweep();
  Question question_{.x = "size", .by = "order", .y = "wavefronts", .where = {}};

  Selection selection() const { return select(definition_, rows_, question_).value(); }
  Drawn drawn() const { return {definition_, question_, "s.sqlite"}; }
};

size_t lines_of_series(const plot::Figure& figure) {
  return static_cast<size_t>(std::ranges::count_if(figure.marks, [](const plot::Mark& mark) {
    const auto* const line = std::get_if<plot::Line>(&mark);
    return line != nullptr && line->pick;
  }));
}

TEST_F(SweepFigure, lines_say_what_they_are_of) {
  const plot::Figure figure = line_figure(selection(), drawn(), {});
  EXPECT_EQ(figure.title, "wavefronts by size and order");
  EXPECT_EQ(figure.subtitle, "lesson transpose · --kernel=tiled");
  EXPECT_EQ(figure.provenance, Provenance::Emulated);
  EXPECT_THAT(figure.source, HasSubstr("6 combinations, s.sqlite"));
  EXPECT_EQ(figure.explanation, "From 0 (size=64, order=row) to 50 (size=256, order=diagonal).");
  EXPECT_EQ(figure.warning, "");
  EXPECT_EQ(lines_of_series(figure), 4u);  // two lines over three sizes
  ASSERT_EQ(figure.table.rows.size(), 6u);
  EXPECT_EQ(std::get<double>(figure.table.rows[4][2]), 30);  // size=128, order=diagonal: combination 3
  EXPECT_THAT(tests::labels_of(figure), Contains("order=diagonal"));
}

TEST_F(SweepFigure, equal_lines_are_one_with_both_names) {
  for (uint64_t n = 0; n < 6; ++n) rows_[n].totals = example_row(n / 2).totals;
  const plot::Figure figure = line_figure(selection(), drawn(), {});
  EXPECT_EQ(lines_of_series(figure), 2u);
  EXPECT_THAT(tests::labels_of(figure), Contains("order=row, diagonal"));
}

TEST_F(SweepFigure, missing_combinations_are_said) {
  rows_.erase(rows_.begin() + 2, rows_.begin() + 4);
  const plot::Figure figure = line_figure(selection(), drawn(), {});
  EXPECT_EQ(figure.warning, "without 2 combinations: not run, or failed");
  EXPECT_EQ(lines_of_series(figure), 0u);  // the middle size is gone: four single points
}

TEST_F(SweepFigure, large_numbers_have_a_unit) {
  for (Row& row : rows_) row.totals[1].second.wavefronts *= 1'000'000;
  const auto labels = tests::labels_of(line_figure(selection(), drawn(), {}));
  EXPECT_THAT(labels, Contains("wavefronts, millions"));
  EXPECT_THAT(labels, Contains("50"));
}

/// A tick may be wider than that of the top.
TEST_F(SweepFigure, all_ticks_have_room) {
  for (Row& row : rows_) row.totals[1].second.wavefronts /= 30;  // 1 at most
  EXPECT_THAT(tests::labels_of(line_figure(selection(), drawn(), {})),
              testing::IsSupersetOf({"0", "0.2", "0.4", "0.6", "0.8", "1"}));
}

TEST_F(SweepFigure, a_map_has_the_number_of_each_cell) {
  const plot::Figure figure = map_figure(selection(), drawn(), {});
  const auto labels = tests::labels_of(figure);
  for (const char* label :
       {"0", "10", "20", "30", "40", "50", "size", "64", "256", "order=row", "50 wavefronts"})
    EXPECT_THAT(labels, Contains(label));
  EXPECT_EQ(figure.picks.size(), 6u);
  EXPECT_EQ(figure.picks[4].tip, "size=128, order=diagonal · 30 wavefronts");
}

TEST_F(SweepFigure, french_is_french) {
  const plot::Figure figure = map_figure(selection(), drawn(), {.language = Language::French});
  EXPECT_EQ(figure.title, "wavefronts selon size et order");
  EXPECT_THAT(figure.source, HasSubstr("un balayage de 6 combinaisons"));
}

TEST_F(SweepFigure, the_best_table_names_the_other_axes) {
  question_.by.clear();
  const auto least = best(definition_, rows_, question_, Order::Least).value();
  const plot::Figure figure = best_table(least, Order::Least, drawn(), Provenance::Emulated, {});
  EXPECT_EQ(figure.title, "least wavefronts by size");
  ASSERT_EQ(figure.table.columns.size(), 4u);
  EXPECT_EQ(figure.table.columns[2].name, "order");
  ASSERT_EQ(figure.table.rows.size(), 3u);
  EXPECT_EQ(std::get<std::string>(figure.table.rows[1][2]), "row");
}

}  // namespace
}  // namespace lanescope::sweep
