// Which recorded times belong to the current settings.

#include "recordings/bandwidth.h"

#include "support/project_options.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace lanescope::recordings {
namespace {

class RecordedBandwidth : public testing::Test {
 protected:
  RecordedBandwidth() {
    lesson_ = lesson::find_lesson(options_.assets / "lessons", "transpose").value();
    recording_ = read_recordings(options_.assets / "recordings").by_name.at("h200");
  }
  std::optional<plot::Bandwidth> with(const std::vector<std::pair<std::string, std::string>>& sets) const {
    lesson::Settings settings = lesson::initial_settings(lesson_);
    for (const auto& [name, value] : sets)
      settings = lesson::with_toggle(lesson_, settings, name, value).value();
    KernelKeys keys;
    pipeline::Execution execution(options_);
    return bandwidth_of(recording_, Provenance::Recorded, lesson_, settings, Language::English, options_,
                        keys, execution);
  }
  static const plot::Bandwidth::Bar& current(const plot::Bandwidth& bandwidth) {
    return *std::ranges::find(bandwidth.bars, true, &plot::Bandwidth::Bar::current);
  }

  pipeline::Options options_ = tests::project_options(1);
  lesson::Lesson lesson_;
  Recording recording_;
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

TEST_F(RecordedBandwidth, a_size_that_was_not_recorded_has_none) {
  EXPECT_FALSE(with({{"size", "1000"}}));
  EXPECT_FALSE(with({{"size", "1024x2048"}}));
}

}  // namespace
}  // namespace lanescope::recordings
