// Every access of the layout lab as a real kernel in the emulator: run_layout() compares the run's counts
// with the computed ones, and what was read with what was stored.
#include "pipeline/layout_run.h"

#include "support/project_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::pipeline {
namespace {

using launch::ElementType;
using testing::HasSubstr;

struct Case {
  const char* layout;
  ElementType element;
  layout::Arrangement arrangement;
};

/// The accesses that are possible on the tile.
layout::Report report_of(const Case& one) {
  const layout::Tile tile{layout::parse_layout(one.layout).value(), one.element, one.arrangement};
  layout::Report report = layout::report_of({tile, layout::accesses()}).value();
  std::erase_if(report.rows, [](const layout::AccessRow& row) { return !row.cost; });
  return report;
}

class LayoutRun : public testing::TestWithParam<Case> {};

TEST_P(LayoutRun, counts_what_was_computed_and_finds_every_element) {
  const layout::Report report = report_of(GetParam());
  ASSERT_FALSE(report.rows.empty());
  Execution execution(tests::project_options());
  const auto costs = run_layout(report, execution, tests::project_options());
  ASSERT_TRUE(costs) << costs.error().message;
  ASSERT_EQ(costs->size(), report.rows.size());
  for (size_t n = 0; n < costs->size(); ++n)
    EXPECT_EQ((*costs)[n], report.rows[n].cost.value()) << report.rows[n].access.name;
}

INSTANTIATE_TEST_SUITE_P(
    Tiles, LayoutRun,
    testing::Values(Case{"(8,64):(64,1)", ElementType::F16, layout::Swizzle{3, 3, 3}},
                    Case{"(16,64):(64,1)", ElementType::U8, layout::Plain{}},
                    Case{"(32,32):(32,1)", ElementType::F32, layout::Padding{1}},
                    Case{"(32,16):(1,32)", ElementType::F32, layout::Swizzle{2, 2, 3}},
                    Case{"(16,16):(16,1)", ElementType::F64, layout::TritonSwizzle{2, 1, 8}},
                    Case{"(64,8):(1,64)", ElementType::BF16, layout::TritonSwizzle{8, 1, 8}},
                    Case{"((8,2),(8,4)):((8,64),(1,128))", ElementType::F16, layout::Padding{8}},
                    Case{"(8,32):(32,1)", ElementType::F32, layout::Swizzle{2, 3, -3}},
                    Case{"(5,12):(12,1)", ElementType::F32, layout::Plain{}}));

TEST(LayoutRunCheck, finds_another_count_and_a_lost_element) {
  Execution execution(tests::project_options());
  const Case one{"(8,64):(64,1)", ElementType::F16, layout::Swizzle{3, 3, 3}};
  layout::Report report = report_of(one);
  report.rows.resize(1);
  ++report.rows[0].cost->wavefronts;
  const auto counted = run_layout(report, execution, tests::project_options());
  ASSERT_FALSE(counted);
  EXPECT_THAT(counted.error().message, HasSubstr("were computed"));

  // Two rows at one address: what the kernel stores first is lost.
  report = report_of(one);
  report.rows.resize(1);
  report.tile.layout = layout::parse_layout("(8,64):(0,1)").value();
  const auto lost = run_layout(report, execution, tests::project_options());
  ASSERT_FALSE(lost);
  EXPECT_THAT(lost.error().message, HasSubstr("did not find every element"));
}

}  // namespace
}  // namespace lanescope::pipeline
