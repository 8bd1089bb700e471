// Requests, sectors and address-based wavefronts of the emulator against the hardware counters that the kept
// recordings hold: every text that the lessons' toggles can make, 1024 x 1024. Needs no GPU. A recording has
// counts only where its GPU let them be read.

#include "pipeline/execution.h"
#include "pipeline/stored_ptx.h"
#include "recordings/kernel_key.h"
#include "recordings/recording.h"
#include "support/emulated_counts.h"
#include "support/project_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace lanescope {
namespace {

constexpr uint32_t kSide = 1024;

/// A part takes every so many-th text; under the sanitizers, which are ten times slower, one of eight of
/// those.
constexpr int kParts = 8;
#if defined(__SANITIZE_ADDRESS__)
constexpr size_t kStep = size_t{8} * kParts;
#else
constexpr size_t kStep = kParts;
#endif
class RecordedCounts : public testing::TestWithParam<int> {};

TEST_P(RecordedCounts, equal_the_emulators) {
  const pipeline::Options options = tests::project_options(1);
  pipeline::Execution execution(options);
  const recordings::Recordings recordings = recordings::read_recordings(options.assets / "recordings");
  ASSERT_FALSE(recordings.by_name.empty());
  const auto texts = pipeline::all_lesson_texts(options);
  ASSERT_TRUE(texts) << describe(texts.error());
  size_t compared = 0;
  for (auto n = static_cast<size_t>(GetParam()); n < texts->size(); n += kStep) {
    const pipeline::LessonText& text = (*texts)[n];
    const auto lesson = lesson::find_lesson(options.assets / "lessons", text.lesson);
    ASSERT_TRUE(lesson) << describe(lesson.error());
    lesson::Settings settings = text.settings;
    settings.values["size"] = fmt::to_string(kSide);
    const auto job = pipeline::job_of(*lesson, settings, options);
    ASSERT_TRUE(job) << describe(job.error());
    const auto ptx = execution.ptx_text(text.job);
    ASSERT_TRUE(ptx) << describe(ptx.error());
    const auto emulated = tests::emulated_counts(*ptx, text.key + ".ptx", text.job.kernel, *job->launch);
    ASSERT_TRUE(emulated) << describe(emulated.error());
    const auto shapes = recordings::launch_shapes(*lesson, settings);
    ASSERT_TRUE(shapes) << describe(shapes.error());
    const std::string key = recordings::kernel_key(*ptx, text.job.kernel, *shapes);
    for (const auto& [name, recording] : recordings.by_name) {
      const trace::HardwareCounts* counts = recordings::find_counts(recording, key, kSide);
      if (counts == nullptr) continue;
      ++compared;
      for (const tests::CountDifference& difference : tests::differences_of(*emulated, *counts))
        ADD_FAILURE() << fmt::format("{}: {}:{}: {}: {} emulated, {} counted", name, text.job.kernel,
                                     fmt::join(text.job.options.defines, ":"), difference.count,
                                     difference.emulated, difference.hardware);
    }
  }
  EXPECT_GT(compared, 0u);
}

INSTANTIATE_TEST_SUITE_P(FirstPart, RecordedCounts, testing::Values(0));
INSTANTIATE_TEST_SUITE_P(SlowParts, RecordedCounts, testing::Range(1, kParts));

}  // namespace
}  // namespace lanescope
