// The engines of the emulator agree on the lessons' kernels at small sizes, and on the probes of
// instructions.

#include "pipeline/execution.h"
#include "ptx/lower.h"
#include "ptx/module.h"
#include "support/engines.h"
#include "support/probe.h"
#include "support/project.h"
#include "support/project_options.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <gtest/gtest.h>

namespace lanescope {
namespace {

/// Lessons whose kernels poll: locks, and flags that other blocks set.
constexpr std::array<std::string_view, 2> kPolling{"atomics", "fast_as_copy"};

class EnginesOnLessons : public testing::Test {
 protected:
  /// The kernel at its presets, with the first choice of each toggle that changes the launch alone: the
  /// smallest.
  lesson::Settings small_settings(const lesson::Lesson& lesson, const std::string& kernel) const {
    lesson::Settings settings =
        lesson::with_toggle(lesson, lesson::initial_settings(lesson), "kernel", kernel).value();
    for (const lesson::Toggle& toggle : lesson.toggles)
      if (toggle.define.empty() && !toggle.choices.empty())
        settings = lesson::with_toggle(lesson, settings, toggle.name, toggle.choices.front().value).value();
    return settings;
  }
  void expect_agreement(const lesson::Lesson& lesson, const std::string& kernel) {
    const std::string what = lesson.name + " " + kernel;
    const auto job = pipeline::job_of(lesson, small_settings(lesson, kernel), options_);
    ASSERT_TRUE(job) << what << describe(job.error());
    const auto compiled = execution_.compile(*job);
    ASSERT_TRUE(compiled) << what << describe(compiled.error());
    const auto launch = execution_.prepare(*job, {});
    ASSERT_TRUE(launch) << what << describe(launch.error());
    const bool polls = std::ranges::find(kPolling, lesson.name) != kPolling.end();
    tests::expect_engines_agree((*compiled)->program, **launch, what,
                                polls ? tests::Common::Results : tests::Common::All);
  }
  /// Of each lesson the first `most` kernels. Returns how many.
  size_t walk(size_t most) {
    size_t walked = 0;
    for (const std::string& name : lesson::lesson_names(options_.assets / "lessons")) {
      const auto lesson = lesson::find_lesson(options_.assets / "lessons", name).value();
      for (size_t n = 0; n < std::min(most, lesson.kernels.size()); ++n, ++walked)
        expect_agreement(lesson, lesson.kernels[n].name);
    }
    return walked;
  }

  pipeline::Options options_ = tests::project_options(1);
  pipeline::Execution execution_{options_};
};

TEST_F(EnginesOnLessons, agree_on_the_first_kernel_of_each) { EXPECT_GE(walk(1), 14u); }

class SlowEnginesOnLessons : public EnginesOnLessons {};
TEST_F(SlowEnginesOnLessons, agree_on_every_kernel) { EXPECT_GT(walk(SIZE_MAX), 60u); }

TEST(SlowEnginesOnProbes, agree_on_every_instruction) {
  const auto probes = tests::read_probes(tests::source_dir() / "tests/data/probes/probes.txt");
  ASSERT_TRUE(probes) << describe(probes.error());
  for (const tests::Probe& probe : *probes) {
    const auto module = ptx::parse(tests::ptx_of(probe), "probe.ptx");
    ASSERT_TRUE(module) << probe.name << describe(module.error());
    const auto program = ptx::lower(*module, "probe");
    ASSERT_TRUE(program) << probe.name << describe(program.error());
    tests::expect_engines_agree(*program, tests::launch_of(probe), probe.name);
  }
}

}  // namespace
}  // namespace lanescope
