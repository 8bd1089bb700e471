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
  bandwidth.bars = {{"Copy", 1500, 1490, 1510, 0.75, false, 512}, {"Naive", 250, 245, 252, 0.125, true, 512}};
  return bandwidth;
}

std::vector<std::string> kernels_of(const Figure& figure) {
  std::vector<std::string> kernels;
  for (const auto& row : figure.table.rows) kernels.push_back(std::get<std::string>(row[0]));
  return kernels;
}

bool says(const Figure& figure, std::string_view text) {
  return std::ranges::any_of(figure.marks, [&](const Mark& mark) {
    const auto* label = std::get_if<Label>(&mark);
    return label != nullptr && label->text == text;
  });
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

TEST(BandwidthFigure, a_kernel_that_moves_another_amount_is_not_drawn_and_not_called_the_best) {
  Bandwidth bandwidth = sample();
  bandwidth.bars.push_back({"Sums", 1700, 1700, 1700, 0.9, false, 256, 0, 1});  // its own copy reaches 1889
  const Figure figure = bandwidth_figure(bandwidth, {});
  EXPECT_EQ(kernels_of(figure), (std::vector<std::string>{"Copy", "Naive"}));
  EXPECT_EQ(
      figure.explanation,
      "Naive reaches 13\u00a0% of the bandwidth of a plain copy; of the kernels that do the same, Copy is "
      "the fastest with 75\u00a0%. One kernel of other work, or without times, is not compared.");
}

TEST(BandwidthFigure, the_best_is_among_those_that_must_write_the_same) {
  Bandwidth bandwidth = sample();
  bandwidth.bars[0].work = 1;
  bandwidth.bars.push_back({"Padded", 1000, 1000, 1000, 0.5, false, 512});
  EXPECT_NE(bandwidth_figure(bandwidth, {}).explanation.find("Padded is the fastest with 50"),
            std::string::npos);
  bandwidth.bars.pop_back();
  EXPECT_EQ(bandwidth_figure(bandwidth, {}).explanation,
            "Naive reaches 13\u00a0% of the bandwidth of a plain copy.")
      << "nothing else does the same";
}

TEST(BandwidthFigure, shares_are_of_the_copy_that_is_drawn) {
  Bandwidth bandwidth = sample();
  bandwidth.bars[0].share_of_copy = 0.99;  // of a copy of 500 bytes
  bandwidth.bars[0].bytes = 500;
  const Figure figure = bandwidth_figure(bandwidth, {});
  EXPECT_TRUE(says(figure, "75\u00a0%"));
  EXPECT_FALSE(says(figure, "99\u00a0%"));
  EXPECT_TRUE(says(figure, "copy 2,000"));
  EXPECT_TRUE(says(figure, "GB/s"));
}

/// 300 bytes in 3 us are 0.1 GB/s, which nobody can compare.
TEST(BandwidthFigure, where_next_to_nothing_is_moved_bars_are_times) {
  Bandwidth bandwidth = sample();
  bandwidth.copy_gb_per_second = 0.12;
  bandwidth.bars = {{"Swap", 0.1, 0.09, 0.11, 0.8, true, 300}, {"Wait", 0.01, 0.01, 0.01, 0.08, false, 300}};
  const Figure figure = bandwidth_figure(bandwidth, {});
  EXPECT_TRUE(says(figure, "µs"));
  EXPECT_TRUE(says(figure, "3"));
  EXPECT_TRUE(says(figure, "30"));
  EXPECT_TRUE(says(figure, "copy 2.5"));
  const auto tracks = filled(figure, Role::Sunken), bars = filled(figure, Role::Accent);
  EXPECT_NEAR(bars[1].width, tracks[1].width, 1e-3) << "the slowest is the longest";
  EXPECT_NEAR(bars[0].width / tracks[0].width, 0.1, 1e-4);
  EXPECT_EQ(
      figure.explanation,
      "Swap takes 3\u00a0µs, a plain copy of as many bytes 2.5\u00a0µs; no kernel here that does the same "
      "is faster.");
}

TEST(BandwidthFigure, kernels_that_write_the_same_from_other_amounts_are_compared_by_times) {
  Bandwidth bandwidth = sample();
  bandwidth.bars[0].bytes = 1024;  // at 1500 GB/s: 0.683 ns against 2.048 ns
  const Figure figure = bandwidth_figure(bandwidth, {});
  EXPECT_EQ(kernels_of(figure).size(), 2u);
  EXPECT_TRUE(says(figure, "µs"));
}

/// 2 x 100^3 operations on 3 x 100^2 floats.
TEST(BandwidthFigure, products_are_compared_by_their_operations) {
  Bandwidth bandwidth = sample();
  const auto product = [](const char* name, double gb_per_second, size_t work) {
    return Bandwidth::Bar{name, gb_per_second, gb_per_second, gb_per_second, 0.5, false, 120'000, 2e6, work};
  };
  bandwidth.bars = {product("Naive", 12, 0), product("Tile", 120, 0), product("Halves", 60, 1)};
  bandwidth.bars[0].current = true;
  const Figure figure = bandwidth_figure(bandwidth, {});
  EXPECT_EQ(kernels_of(figure), (std::vector<std::string>{"Naive", "Tile"})) << "halves are other work";
  EXPECT_TRUE(says(figure, "GFLOP/s"));
  EXPECT_TRUE(says(figure, "200"));
  EXPECT_TRUE(says(figure, "2,000"));
  EXPECT_TRUE(says(figure, "10\u00a0%")) << "of the fastest";
  EXPECT_FALSE(says(figure, "copy 2,000"));
  EXPECT_EQ(figure.explanation,
            "Naive reaches 200\u00a0GFLOP/s; of the kernels that do the same, Tile is the fastest with "
            "2,000\u00a0GFLOP/s. One kernel of other work, or without times, is not compared.");
  bandwidth.bars[1] = product("Tile", 1200, 0);
  EXPECT_TRUE(says(bandwidth_figure(bandwidth, {}), "TFLOP/s"));
}

TEST(BandwidthFigure, a_bandwidth_that_is_no_time_has_another_axis_of_the_scale) {
  Bandwidth times = sample();
  for (Bandwidth::Bar& bar : times.bars) bar.gb_per_second /= 10'000;
  const Scale scale = common(bandwidth_figure(sample(), {}).scale, bandwidth_figure(times, {}).scale);
  EXPECT_EQ(scale.ends[0], 2000);
  EXPECT_GT(scale.ends[1], 0);
}

TEST(BandwidthFigure, the_size_of_the_run_is_said_where_the_times_are_of_another) {
  Bandwidth bandwidth = sample();
  bandwidth.run_size = "4";
  EXPECT_EQ(bandwidth_figure(bandwidth, {}).subtitle, "NVIDIA Test · 8 × 8, 4 B (the run: 4)");
}

/// With four kernels above the two of the sample, and four below.
Bandwidth sample_of_ten() {
  Bandwidth bandwidth = sample();
  const Bandwidth::Bar copy = bandwidth.bars[0];
  for (const char* name : {"A", "B", "C", "D"}) {
    bandwidth.bars.insert(bandwidth.bars.begin(), copy);
    bandwidth.bars.push_back(copy);
    bandwidth.bars.front().kernel = bandwidth.bars.back().kernel = name;
  }
  return bandwidth;
}

TEST(BandwidthFigure, every_kernel_of_many_has_its_name_in_a_low_figure) {
  const Figure figure = bandwidth_figure(sample_of_ten(), {.size = {240, 110}});
  for (const char* name : {"A", "B", "C", "D", "Copy", "Naive"}) EXPECT_TRUE(says(figure, name)) << name;
}

TEST(BandwidthFigure, where_names_have_no_room_the_current_kernel_keeps_its_own) {
  const Figure figure = bandwidth_figure(sample_of_ten(), {.size = {240, 80}});
  EXPECT_TRUE(says(figure, "Naive"));
  EXPECT_FALSE(says(figure, "Copy")) << "it is next to the current one: otherwise this test shows nothing";
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
  EXPECT_EQ(
      figure.explanation,
      "Naive reaches 13\u00a0% of the bandwidth of a plain copy; of the kernels that do the same, Copy is "
      "the fastest with 75\u00a0%.");
  ASSERT_EQ(figure.picks.size(), 2);
  EXPECT_EQ(figure.picks[0].tip,
            "Copy: 1,500 GB/s; half of the repetitions between 1,490 and 1,510 GB/s\n75\u00a0% of the "
            "bandwidth of a plain copy");
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
  EXPECT_EQ(std::get<int64_t>(row[8]), 1500);
  EXPECT_EQ(std::get<int64_t>(row[10]), 8'000'000);
  EXPECT_EQ(std::get<std::string>(row[11]), "") << "not counted";
  EXPECT_EQ(std::get<int64_t>(row[13]), 41);
}

TEST(BandwidthFigure, line_of_the_copy_leaves_out_the_counts_that_it_would_cross) {
  for (const double copy : {300.0, 2000.0}) {
    Bandwidth bandwidth = sample();
    bandwidth.copy_gb_per_second = copy;
    for (Bandwidth::Bar& bar : bandwidth.bars) bar.counts = trace::HardwareCounts{};
    const Figure figure = bandwidth_figure(bandwidth, {});
    std::vector<Label> counts;
    std::vector<Line> pieces;
    for (const Mark& mark : figure.marks) {
      if (const auto* label = std::get_if<Label>(&mark); label && label->text.starts_with("counted"))
        counts.push_back(*label);
      if (const auto* line = std::get_if<Line>(&mark); line && line->color.role == Role::Good)
        pieces.push_back(*line);
    }
    ASSERT_EQ(counts.size(), 2);
    EXPECT_EQ(pieces.size(), copy < 1000 ? 3 : 1) << "of a copy of " << copy << " GB/s";
    for (const Label& label : counts)
      for (const Line& piece : pieces) EXPECT_EQ(piece.y1 < label.y && label.y < piece.y2, copy > 1000);
  }
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
