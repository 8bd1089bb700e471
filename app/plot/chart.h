// Axes and series for figures of numbers: bars in groups, lines over a sequence, marks of reference. Method:
// the value axis begins at 0 and has round ticks; names along the bottom are left out where they have no
// room. Tests: tests/unit/plot/model_figures_test.cpp

#pragma once

#include "plot/sheet.h"

#include <string>
#include <vector>

namespace lanescope::plot {

struct Series {
  std::string name;
  Color color;
  std::vector<double> values;  // [position]; negative: none
  struct Range {
    double low = 0, high = 0;  // equal: none
  };
  /// [position], or empty: the spread of a value over random starts, as a thin line.
  std::vector<Range> ranges = {};
};

struct ChartWords {
  std::string values;                   // next to the value axis: "GB/s"
  std::string positions;                // under the names: "stride, bytes"
  std::vector<std::string> notes = {};  // [position], or empty: under each name instead
};

/// The smallest of 1, 2, 5 x 10^n that `value` does not exceed, so that a value axis ends on a round number.
double round_up(double value);

/// One group of bars a position, the series side by side; `numbers` [series][position] are written on the
/// bars where there is room.
void add_bar_chart(Sheet& sheet, const Box& box, const std::vector<std::string>& names,
                   const std::vector<Series>& series, const std::vector<std::vector<std::string>>& numbers,
                   const ChartWords& words);

/// Lines over equally spaced positions.
void add_line_chart(Sheet& sheet, const Box& box, const std::vector<std::string>& names,
                    const std::vector<Series>& series, const ChartWords& words);

}  // namespace lanescope::plot
