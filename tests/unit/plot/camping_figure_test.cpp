// Bars of one pair of slices next to all slices, and their explanation.

#include "plot/figures.h"

#include <gtest/gtest.h>

namespace lanescope::plot {
namespace {

Camping sample() {
  Camping camping;
  camping.l2 = {.lines = 2048,
                .one_slice = 100,
                .all_slices = 2500,
                .one_slice_share = 0.5,
                .all_slices_share = 0.0125};
  camping.dram = {.lines = 90000,
                  .one_slice = 50,
                  .all_slices = 3000,
                  .one_slice_share = 0.5,
                  .all_slices_share = 0.0125};
  camping.gpu = "NVIDIA Test";
  camping.driver = "580.1";
  camping.cuda = "13.0";
  camping.date = "2026-11-21";
  return camping;
}

TEST(CampingFigure, says_how_many_times_longer_one_slice_takes) {
  const Figure figure = camping_figure(sample(), {});
  EXPECT_EQ(figure.explanation,
            "Reading the same number of lines takes 25 times as long if one pair of slices holds them all, "
            "60 times from DRAM.");
  EXPECT_NE(figure.source.find("NVIDIA Test: driver 580.1, CUDA 13.0, 2026-11-21"), std::string::npos);
  EXPECT_NE(figure.source.find("50\u00a0% of the requests"), std::string::npos) << figure.source;
  EXPECT_EQ(figure.provenance, Provenance::Recorded);
  EXPECT_FALSE(figure.marks.empty());
}

TEST(CampingFigure, its_table_has_a_row_for_each_place_that_is_read_from) {
  const Figure figure = camping_figure(sample(), {});
  ASSERT_EQ(figure.table.rows.size(), 2);
  EXPECT_EQ(std::get<std::string>(figure.table.rows[1][0]), "dram");
  EXPECT_EQ(std::get<int64_t>(figure.table.rows[1][1]), 90000);
  EXPECT_EQ(std::get<double>(figure.table.rows[1][2]), 50);
}

TEST(CampingFigure, an_empty_measurement_divides_by_nothing) {
  for (const Size size : {Size{1, 1}, Size{200, 60}, Size{960, 540}}) camping_figure({}, {.size = size});
}

}  // namespace
}  // namespace lanescope::plot
