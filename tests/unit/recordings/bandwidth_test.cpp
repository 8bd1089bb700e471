// Which recorded times belong to the current settings.

#include "recordings/bandwidth.h"

#include "base/number.h"
#include "support/bandwidth_picture.h"
#include "support/project_options.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lanescope::recordings {
namespace {

using BandwidthReading = tests::BandwidthReading;
using tests::expect_consistent;

class RecordedBandwidth : public testing::Test {
 protected:
  RecordedBandwidth() {
    lesson_ = lesson::find_lesson(options_.assets / "lessons", "transpose").value();
    recording_ = read_recordings(options_.assets / "recordings").by_name.at("h200");
  }
  std::optional<plot::Bandwidth> with(const std::vector<std::pair<std::string, std::string>>& sets) {
    lesson::Settings settings = lesson::initial_settings(lesson_);
    for (const auto& [name, value] : sets)
      settings = lesson::with_toggle(lesson_, settings, name, value).value();
    return bandwidth_of(recording_, Provenance::Recorded, lesson_, settings, Language::English, options_,
                        keys_, execution_);
  }
  void open(const std::string& name) {
    lesson_ = lesson::find_lesson(options_.assets / "lessons", name).value();
  }
  /// As the window opens it, with this kernel.
  plot::Figure opened_with(const std::string& lesson, const std::string& kernel) {
    open(lesson);
    const auto found = with({{"kernel", kernel}});
    EXPECT_TRUE(found) << lesson << " " << kernel;
    return plot::bandwidth_figure(found.value_or(plot::Bandwidth{}), {});
  }
  static const plot::Bandwidth::Bar& current(const plot::Bandwidth& bandwidth) {
    return *std::ranges::find(bandwidth.bars, true, &plot::Bandwidth::Bar::current);
  }

  pipeline::Options options_ = tests::project_options(1);
  lesson::Lesson lesson_;
  Recording recording_;
  KernelKeys keys_;
  pipeline::Execution execution_{options_};
};

TEST_F(RecordedBandwidth, every_kernel_has_a_bar_and_the_chosen_one_is_marked) {
  const auto found = with({{"kernel", "naive"}, {"size", "8192"}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->bars.size(), lesson_.kernels.size());
  EXPECT_EQ(std::ranges::count(found->bars, true, &plot::Bandwidth::Bar::current), 1);
  EXPECT_EQ(current(*found).kernel, "Naive");
  EXPECT_EQ(found->size, "8192 × 8192, 4 B");
}

TEST_F(RecordedBandwidth, a_flipped_toggle_changes_the_bar_of_the_chosen_kernel) {
  const auto plain = with({{"kernel", "tiled"}, {"size", "4096"}});
  const auto padded = with({{"kernel", "tiled"}, {"padding", "1"}, {"size", "4096"}});
  ASSERT_TRUE(plain && padded);
  EXPECT_GT(current(*padded).gb_per_second, 1.5 * current(*plain).gb_per_second)
      << "a column of padding takes the 32 wavefronts away";
}

/// The bandwidths of an H200, measured by hand before (20 repetitions of each, other program): within a
/// tenth.
TEST_F(RecordedBandwidth, times_agree_with_an_independent_measurement) {
  const auto found = with({{"kernel", "padded"}, {"size", "8192"}});
  ASSERT_TRUE(found);
  const std::vector<std::pair<std::string, double>> wanted{
      {"Copy", 2987}, {"Naive", 511}, {"Tiled", 1592}, {"Padded", 3451}, {"Diagonal", 3359}};
  for (const auto& [kernel, gb_per_second] : wanted) {
    const auto bar = std::ranges::find(found->bars, kernel, &plot::Bandwidth::Bar::kernel);
    ASSERT_NE(bar, found->bars.end()) << kernel;
    EXPECT_NEAR(bar->gb_per_second, gb_per_second, 0.1 * gb_per_second) << kernel;
  }
}

/// Of every lesson with every kernel in every size: the sentence, the bars and the numbers agree.
TEST_F(RecordedBandwidth, a_picture_never_contradicts_itself) {
  size_t pictures = 0;
  for (const std::string& name : lesson::lesson_names(options_.assets / "lessons")) {
    open(name);
    std::vector<std::string> sizes{""};
    if (lesson::find_toggle(lesson_, lesson_.size_toggle) != nullptr)
      for (const uint32_t size : lesson::sizes_to_record(lesson_)) sizes.push_back(fmt::to_string(size));
    for (const lesson::Kernel& kernel : lesson_.kernels)
      for (const std::string& size : sizes) {
        std::vector<std::pair<std::string, std::string>> sets{{"kernel", kernel.name}};
        if (!size.empty()) sets.emplace_back(lesson_.size_toggle, size);
        const auto found = with(sets);
        if (!found) continue;
        ++pictures;
        // High and wide enough for every name and number.
        const plot::Figure figure = plot::bandwidth_figure(*found, {.size = {1600, 900}});
        expect_consistent(figure, fmt::format("{} {} {}", name, kernel.name, size));
      }
  }
  EXPECT_GT(pictures, 250u);
}

TEST_F(RecordedBandwidth, a_lesson_opens_in_a_size_at_which_its_point_shows) {
  const BandwidthReading plain = tests::read(opened_with("matrix_product", "naive"));
  ASSERT_EQ(plain.bars.size(), 9u);
  EXPECT_TRUE(std::ranges::is_sorted(plain.bars, std::less<>(), &BandwidthReading::Bar::number))
      << "rung by rung";
  EXPECT_EQ(plain.unit, "TFLOP/s");
  const BandwidthReading halves = tests::read(opened_with("matrix_product", "warpgroup"));
  EXPECT_TRUE(std::ranges::is_sorted(halves.bars, std::less<>(), &BandwidthReading::Bar::number));
  const BandwidthReading turned = tests::read(opened_with("fast_as_copy", "padded"));
  ASSERT_EQ(turned.bars.size(), 7u);
  const auto percent_of = [&](std::string_view name) {
    return std::ranges::find(turned.bars, name, &BandwidthReading::Bar::name)->percent;
  };
  // The numbers of its text.
  EXPECT_EQ(percent_of("A copy"), 96);
  EXPECT_EQ(percent_of("1 Padded"), 81);
  EXPECT_EQ(percent_of("2 Wide tile"), 93);
  EXPECT_EQ(percent_of("3 Vectorized"), 95);
  EXPECT_EQ(percent_of("5 Bulk copies"), 92);
  EXPECT_EQ(percent_of("6 Another order"), 97);
  const BandwidthReading sums = tests::read(opened_with("reduction", "divergent"));
  EXPECT_GT(sums.bars[3].number, 1.1 * sums.bars[0].number) << "shuffles";
  const BandwidthReading sorted = tests::read(opened_with("radix", "direct"));
  EXPECT_GT(std::ranges::find(sorted.bars, "3 Sort, then scatter", &BandwidthReading::Bar::name)->number,
            1.5 * std::ranges::find(sorted.bars, "3 Scatter", &BandwidthReading::Bar::name)->number);
}

/// The text of the lesson says it of 16384 x 16384.
TEST_F(RecordedBandwidth, another_size_that_a_person_chooses_is_shown) {
  open("fast_as_copy");
  EXPECT_EQ(with({})->size, "16384");
  EXPECT_EQ(with({})->run_size, "512");
  EXPECT_EQ(with({{"size", "1024"}})->size, "1024");
  EXPECT_EQ(with({{"size", "1024"}})->run_size, "");
}

TEST_F(RecordedBandwidth, the_size_is_that_of_the_elements_and_only_of_kernels_that_have_it) {
  open("rows_columns");
  EXPECT_EQ(with({{"kernel", "row_sums"}})->size, "1024 × 1024, 4 B")
      << "it reads twice as much as it writes";
  EXPECT_EQ(with({{"kernel", "indices"}})->size, "");
}

TEST_F(RecordedBandwidth, a_size_that_was_not_recorded_has_none) {
  EXPECT_FALSE(with({{"size", "1000"}}));
  EXPECT_FALSE(with({{"size", "1024x2048"}}));
}

}  // namespace
}  // namespace lanescope::recordings
