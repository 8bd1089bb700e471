// Requests, sectors and address-based wavefronts of the emulator against the hardware counters that the kept
// recordings hold: every kernel of every lesson in its smallest recorded size. Needs no GPU. What differs is
// listed with its cause in tests/data/h200/recorded_differences.csv. A recording has counts only where its
// GPU let them be read.

#include "pipeline/execution.h"
#include "recordings/kernel_key.h"
#include "recordings/recording.h"
#include "support/emulated_counts.h"
#include "support/project.h"
#include "support/project_options.h"

#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace lanescope {
namespace {

/// A part takes every so many-th text; under the sanitizers, which are ten times slower, one of eight of
/// those.
constexpr int kParts = 8;
#if defined(__SANITIZE_ADDRESS__)
constexpr size_t kStep = size_t{8} * kParts;
#else
constexpr size_t kStep = kParts;
#endif
class RecordedCounts : public testing::TestWithParam<int> {};

/// A lesson and what a recording has of it, in its smallest recorded size.
struct Item {
  std::shared_ptr<const lesson::Lesson> lesson;
  lesson::Settings settings;
};

std::vector<Item> items_of(const pipeline::Options& options) {
  std::vector<Item> items;
  for (const std::string& name : lesson::lesson_names(options.assets / "lessons")) {
    const auto lesson =
        std::make_shared<const lesson::Lesson>(lesson::find_lesson(options.assets / "lessons", name).value());
    const uint32_t size = lesson::sizes_to_record(*lesson).front();
    for (lesson::Settings settings : lesson::settings_to_record(*lesson)) {
      if (lesson::kernel_of(*lesson, settings).hazards) continue;
      if (size != 0) settings.values[lesson->size_toggle] = fmt::to_string(size);
      items.push_back({lesson, std::move(settings)});
    }
  }
  return items;
}

/// "partitions slices shared_ideal_wavefronts": what differs, with its cause.
std::set<std::string> known_differences() {
  std::ifstream stream(tests::source_dir() / "tests/data/h200/recorded_differences.csv");
  std::set<std::string> known;
  std::string lesson, kernel, counter, cause;
  std::getline(stream, lesson);
  while (std::getline(stream, lesson, ',') && std::getline(stream, kernel, ',') &&
         std::getline(stream, counter, ',') && std::getline(stream, cause))
    known.insert(fmt::format("{} {} {}", lesson, kernel, counter));
  return known;
}

TEST_P(RecordedCounts, equal_the_emulators) {
  const pipeline::Options options = tests::project_options(1);
  pipeline::Execution execution(options);
  const recordings::Recordings recordings = recordings::read_recordings(options.assets / "recordings");
  ASSERT_FALSE(recordings.by_name.empty());
  const std::vector<Item> items = items_of(options);
  const std::set<std::string> known = known_differences();
  EXPECT_FALSE(known.empty());
  size_t compared = 0;
  for (auto n = static_cast<size_t>(GetParam()); n < items.size(); n += kStep) {
    const auto& [lesson, settings] = items[n];
    const auto job = pipeline::job_of(*lesson, settings, options);
    ASSERT_TRUE(job) << describe(job.error());
    const auto ptx = execution.compiler().ptx_text(*job);
    ASSERT_TRUE(ptx) << describe(ptx.error());
    const auto launch = execution.prepare(*job, {});
    ASSERT_TRUE(launch) << describe(launch.error());
    const auto shapes = recordings::launch_shapes(*lesson, settings);
    ASSERT_TRUE(shapes) << describe(shapes.error());
    const std::string key = recordings::kernel_key(*ptx, job->kernel, *shapes);
    const auto emulated = tests::emulated_counts(*ptx, key + ".ptx", job->kernel, **launch);
    ASSERT_TRUE(emulated) << describe(emulated.error());
    for (const auto& [name, recording] : recordings.by_name) {
      const auto* counts = recordings::find_counts(recording, key, *lesson::recorded_size(*lesson, settings));
      if (counts == nullptr) continue;
      ++compared;
      for (const tests::CountDifference& difference : tests::differences_of(*emulated, *counts))
        if (!known.contains(fmt::format("{} {} {}", lesson->name, job->kernel, difference.count)))
          ADD_FAILURE() << fmt::format("{}: {} {}: {}:{}: {}: {} emulated, {} counted", name, lesson->name,
                                       settings.kernel, job->kernel, fmt::join(job->options.defines, ":"),
                                       difference.count, difference.emulated, difference.hardware);
    }
  }
  EXPECT_GT(compared, 0u);
}

INSTANTIATE_TEST_SUITE_P(FirstPart, RecordedCounts, testing::Values(0));
INSTANTIATE_TEST_SUITE_P(SlowParts, RecordedCounts, testing::Range(1, kParts));

}  // namespace
}  // namespace lanescope
