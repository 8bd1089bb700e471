// Bars, the line of the copy, and what is said about them.

#include "plot/figures.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace lanescope::plot {
namespace {

Bandwidth sample() {
  Bandwidth bandwidth;
  bandwidth.gpu = "NVIDIA Test";
  bandwidth.driver = "580.1";
  bandwidth.cuda = "13.0";
  bandwidth.date = "2026-11-21";
  bandwidth.repetitions = 21;
  bandwidth.size = "8 × 8, 4 B";
  bandwidth.copy_gb_per_second = 2000;
  bandwidth.bars = {{"Copy", 1500, 1490, 1510, 0.75, false}, {"Naive", 250, 245, 252, 0.125, true}};
  return bandwidth;
}

std::vector<Rect> filled(const Figure& figure, Role role) {
  std::vector<Rect> found;
  for (const Mark& mark : figure.marks)
    if (const auto* rect = std::get_if<Rect>(&mark); rect && rect->fill && rect->fill->role == role)
      found.push_back(*rect);
  return found;
}

TEST(BandwidthFigure, bars_are_as_long_as_their_bandwidth) {
  const Figure figure = bandwidth_figure(sample(), {});
  const auto tracks = filled(figure, Role::Sunken);
  const auto bars = filled(figure, Role::Accent);
  ASSERT_EQ(tracks.size(), 2);
  ASSERT_EQ(bars.size(), 2);
  // The copy is the longest of all and reaches the end of the track.
  EXPECT_NEAR(bars[0].width / tracks[0].width, 1500.0 / 2000, 1e-4);
  EXPECT_NEAR(bars[1].width / tracks[1].width, 250.0 / 2000, 1e-4);
  EXPECT_EQ(bars[1].fill->opacity, 1) << "the current kernel stands out";
  EXPECT_LT(bars[0].fill->opacity, 1);
}

TEST(BandwidthFigure, the_best_kernel_is_the_one_closest_to_a_copy_of_its_own_amount) {
  Bandwidth bandwidth = sample();
  bandwidth.bars[1].gb_per_second = 1700;  // of a larger amount, whose copy reaches 3400
  bandwidth.bars[1].share_of_copy = 0.5;
  const Figure figure = bandwidth_figure(bandwidth, {});
  EXPECT_NE(figure.explanation.find("the best kernel here is Copy with 75"), std::string::npos)
      << figure.explanation;
}

TEST(BandwidthFigure, where_names_have_no_room_the_current_kernel_keeps_its_own) {
  Bandwidth bandwidth = sample();
  const Bandwidth::Bar copy = bandwidth.bars[0];
  for (const char* name : {"A", "B", "C", "D"}) {
    bandwidth.bars.insert(bandwidth.bars.begin(), copy);
    bandwidth.bars.push_back(copy);
    bandwidth.bars.front().kernel = bandwidth.bars.back().kernel = name;
  }
  const Figure figure = bandwidth_figure(bandwidth, {.size = {240, 110}});
  const auto says = [&](std::string_view text) {
    return std::ranges::any_of(figure.marks, [&](const Mark& mark) {
      const auto* label = std::get_if<Label>(&mark);
      return label != nullptr && label->text == text;
    });
  };
  EXPECT_TRUE(says("Naive"));
  EXPECT_FALSE(says("Copy")) << "it is next to the current one: otherwise this test shows nothing";
}

TEST(BandwidthFigure, a_kernel_faster_than_the_copy_sets_the_scale) {
  Bandwidth bandwidth = sample();
  bandwidth.bars[0].gb_per_second = 4000;
  bandwidth.bars[0].highest = 4000;
  const Figure figure = bandwidth_figure(bandwidth, {});
  const auto tracks = filled(figure, Role::Sunken);
  const auto bars = filled(figure, Role::Accent);
  EXPECT_NEAR(bars[0].width, tracks[0].width, 1e-3);
  EXPECT_NEAR(bars[1].width / tracks[1].width, 250.0 / 4000, 1e-4);
}

TEST(BandwidthFigure, says_where_the_numbers_come_from_and_what_they_mean) {
  const Figure figure = bandwidth_figure(sample(), {});
  EXPECT_EQ(figure.provenance, Provenance::Recorded);
  EXPECT_NE(figure.source.find("NVIDIA Test"), std::string::npos);
  EXPECT_NE(figure.source.find("2026-11-21"), std::string::npos);
  EXPECT_EQ(figure.explanation,
            "Naive reaches 13\u00a0% of the bandwidth of a plain copy; the best kernel here is Copy with "
            "75\u00a0%.");
  ASSERT_EQ(figure.picks.size(), 2);
  EXPECT_EQ(figure.picks[0].tip,
            "Copy: 1,500 GB/s, 75\u00a0% of a copy; half of the repetitions between 1,490 and 1,510 GB/s");
}

TEST(BandwidthFigure, its_source_is_written_in_french_too) {
  const Figure figure = bandwidth_figure(sample(), {.language = Language::French});
  EXPECT_EQ(figure.source.find("recorded"), std::string::npos) << figure.source;
  EXPECT_EQ(figure.source.find("repetitions"), std::string::npos) << figure.source;
  EXPECT_NE(figure.source.find(
                "enregistré sur NVIDIA Test\u00a0: pilote 580.1, CUDA 13.0, 2026-11-21, 21 répétitions"),
            std::string::npos)
      << figure.source;
}

TEST(BandwidthFigure, hardware_counts_are_shown_next_to_emulated_ones) {
  using enum trace::HardwareCount;
  Bandwidth bandwidth = sample();
  trace::HardwareCounts counts;
  counts[GlobalLoadSectors] = 1000;
  counts[GlobalStoreSectors] = 500;
  counts[SharedLoadWavefronts] = 40;
  counts[SharedStoreWavefronts] = 2;
  counts[L2Sectors] = 250'000;
  bandwidth.bars[1].counts = counts;
  counts[SharedLoadWavefronts] = 39;
  bandwidth.bars[1].emulated = counts;
  const Figure figure = bandwidth_figure(bandwidth, {});
  EXPECT_EQ(figure.picks[0].tip.find("counted"), std::string::npos) << "the other was not counted";
  EXPECT_NE(figure.picks[1].tip.find("counted: 1,500 sectors, 42 wavefronts, L2 8 MB, DRAM – MB"),
            std::string::npos)
      << figure.picks[1].tip;
  EXPECT_NE(figure.picks[1].tip.find("emulated: 1,500 sectors, 41 wavefronts"), std::string::npos);
  const auto& row = figure.table.rows[1];
  EXPECT_EQ(std::get<int64_t>(row[6]), 1500);
  EXPECT_EQ(std::get<int64_t>(row[8]), 8'000'000);
  EXPECT_EQ(std::get<std::string>(row[9]), "") << "not counted";
  EXPECT_EQ(std::get<int64_t>(row[11]), 41);
}

TEST(BandwidthFigure, its_table_has_a_row_per_kernel) {
  const Figure figure = bandwidth_figure(sample(), {});
  ASSERT_EQ(figure.table.rows.size(), 2);
  EXPECT_EQ(std::get<std::string>(figure.table.rows[1][0]), "Naive");
  EXPECT_EQ(std::get<double>(figure.table.rows[1][1]), 250);
  EXPECT_EQ(std::get<double>(figure.table.rows[1][5]), 2000);
}

TEST(BandwidthFigure, small_frames_and_empty_data_are_drawn_without_failing) {
  EXPECT_TRUE(bandwidth_figure({}, {}).marks.empty());
  for (const Size size : {Size{1, 1}, Size{60, 40}, Size{200, 60}})
    bandwidth_figure(sample(), {.size = size});
}

}  // namespace
}  // namespace lanescope::plot
