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

Figure occupancy_of(uint32_t registers, Language language = Language::English) {
  trace::Trace trace = transpose_trace({.width = 64, .height = 64});
  trace.registers_per_thread = registers;
  trace.level = trace::CountLevel::MachineCode;
  return plot::occupancy_figure(trace, h200(), {.size = {900, 400}, .language = language});
}

TEST(OccupancyFigure, says_what_limits_and_what_would_help) {
  // 256 threads of 64 registers: 4 blocks; of 48: 5.
  const Figure figure = occupancy_of(64);
  EXPECT_EQ(
      figure.explanation,
      "4 blocks fit on a multiprocessor, 32 of 64 warps; the limit is its registers. 16 registers fewer: "
      "5 blocks, 40 warps.");
}

TEST(OccupancyFigure, has_a_row_of_the_table_for_what_is_now) {
  const Figure figure = occupancy_of(64);
  const auto now = std::ranges::count_if(figure.table.rows, [](const auto& row) {
    return std::get<int64_t>(row[3]) == 1 && std::get<int64_t>(row[2]) == 32;
  });
  EXPECT_EQ(now, 3);
}

TEST(OccupancyFigure, unknown_registers_leave_two_charts) {
  const Figure figure = occupancy_of(0);
  EXPECT_TRUE(std::ranges::none_of(
      figure.table.rows, [](const auto& row) { return std::get<std::string>(row[0]) == "registers"; }));
  EXPECT_THAT(figure.explanation, HasSubstr("64 of 64 warps"));
}

TEST(OccupancyFigure, one_block_fits_in_the_singular) {
  trace::Trace trace = transpose_trace({.width = 64, .height = 64});
  trace.shared_bytes = 200 << 10;
  const Figure figure =
      plot::occupancy_figure(trace, h200(), {.size = {900, 400}, .language = Language::French});
  EXPECT_THAT(figure.explanation, HasSubstr("1 bloc tient sur un multiprocesseur"));
}

}  // namespace
}  // namespace lanescope::tests
