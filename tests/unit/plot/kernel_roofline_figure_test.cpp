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

constexpr plot::Frame kFrame{.size = {900, 500}};

trace::Trace computing_trace(const trace::Operations& operations) {
  trace::Trace trace = transpose_trace({.width = 1024, .height = 1024, .padding = 1});
  trace.operations = operations;
  return trace;
}

Figure roofline_of(const trace::Operations& operations) {
  const trace::Trace trace = computing_trace(operations);
  const auto figure = plot::kernel_roofline_figure(trace, transpose_caches(trace), h200(), kFrame);
  EXPECT_TRUE(figure) << figure.error().message;
  return figure.value_or(Figure{});
}

double number_in(const Figure& figure, std::string_view level, size_t column) {
  for (const auto& row : figure.table.rows)
    if (std::get<std::string>(row.front()) == level) return std::get<double>(row[column]);
  ADD_FAILURE() << "no row " << level;
  return 0;
}

TEST(KernelRooflineFigure, points_are_operations_for_each_byte_of_a_level) {
  // Half of 1024 x 1024 floats come from the DRAM, 2 MiB: a billion operations are 476.8 for each byte.
  const Figure figure = roofline_of({.fp32 = 1'000'000'000});
  EXPECT_DOUBLE_EQ(number_in(figure, "dram", 1), 2 << 20);
  EXPECT_NEAR(number_in(figure, "dram", 3), 1e9 / (2 << 20), 1e-6);
  // 65,536 wavefronts of 128 bytes.
  EXPECT_DOUBLE_EQ(number_in(figure, "shared_memory", 1), 65'536 * 128.0);
}

TEST(KernelRooflineFigure, much_arithmetic_is_at_its_peak) {
  // 132 multiprocessors x 256 operations x 1.98 GHz.
  const Figure figure = roofline_of({.fp32 = 1'000'000'000'000});
  EXPECT_NEAR(number_in(figure, "dram", 7), 132 * 256 * 1.98e9, 1);
  EXPECT_THAT(figure.explanation, HasSubstr("the arithmetic decides"));
}

TEST(KernelRooflineFigure, little_arithmetic_is_below_the_roof_of_memory) {
  const Figure figure = roofline_of({.fp32 = 1'000'000});
  EXPECT_LT(number_in(figure, "dram", 7), 132 * 256 * 1.98e9 / 10);
  EXPECT_THAT(figure.explanation, testing::Not(HasSubstr("the arithmetic decides")));
}

TEST(KernelRooflineFigure, kind_that_takes_longest_is_the_roof) {
  // 64 doubles are done where 128 floats are.
  const Figure figure = roofline_of({.fp32 = 150, .fp64 = 100});
  EXPECT_EQ(std::get<std::string>(figure.table.rows.front()[5]), "fp64");
}

TEST(KernelRooflineFigure, integers_have_no_roof_of_arithmetic) {
  const Figure figure = roofline_of({.integer = 1000});
  EXPECT_EQ(std::get<std::string>(figure.table.rows.front()[5]), "integer");
  EXPECT_DOUBLE_EQ(std::get<double>(figure.table.rows.front()[6]), 0);
}

TEST(KernelRooflineFigure, sample_of_multiprocessors_has_none) {
  const trace::Trace trace = computing_trace({.fp32 = 1000});
  caches::CacheReport report = transpose_caches(trace);
  report.multiprocessors = 16;
  EXPECT_FALSE(plot::kernel_roofline_figure(trace, report, h200(), kFrame));
  EXPECT_FALSE(plot::kernel_roofline_figure(computing_trace({}), transpose_caches(trace), h200(), kFrame));
}

}  // namespace
}  // namespace lanescope::tests
