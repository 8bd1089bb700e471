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
  /// A small value: a matrix of 64 x 64, 1,024 elements, or the first choice.
  static std::string small_value(const lesson::Toggle& toggle) {
    if (!toggle.free) return toggle.choices.front().value;
    if (toggle.free->kind == lesson::FreeValues::Kind::Matrix) return "64";
    return std::to_string(std::clamp<int64_t>(1024, toggle.free->minimum, toggle.free->maximum));
  }
  /// The kernel at its presets, with small values of the toggles that change the launch alone.
  lesson::Settings small_settings(const lesson::Lesson& lesson, const std::string& kernel) const {
    lesson::Settings settings =
        lesson::with_toggle(lesson, lesson::initial_settings(lesson), "kernel", kernel).value();
    for (const lesson::Toggle& toggle : lesson.toggles)
      if (toggle.define.empty() && (toggle.free || !toggle.choices.empty()))
        if (auto smaller = lesson::with_toggle(lesson, settings, toggle.name, small_value(toggle)))
          if (pipeline::job_of(lesson, *smaller, options_)) settings = *std::move(smaller);
    return settings;
  }
  /// Whether the kernel was small enough to be compared.
  bool expect_agreement(const lesson::Lesson& lesson, const std::string& kernel, uint64_t most_threads) {
    const std::string what = lesson.name + " " + kernel;
    const auto job = pipeline::job_of(lesson, small_settings(lesson, kernel), options_).value();
    if (volume(job.launch->grid) * volume(job.launch->block) > most_threads) return false;
    const auto compiled = execution_.compiler().compile(job).value();
    const auto launch = execution_.prepare(job, {}).value();
    const bool polls = std::ranges::find(kPolling, lesson.name) != kPolling.end();
    tests::expect_engines_agree(compiled->program, *launch, what,
                                polls ? tests::Common::Results : tests::Common::All);
    return true;
  }
  /// Of each lesson the first `most` kernels with at most so many threads. Returns how many were compared.
  size_t walk(size_t most, uint64_t most_threads) {
    size_t compared = 0;
    for (const std::string& name : lesson::lesson_names(options_.assets / "lessons")) {
      const auto lesson = lesson::find_lesson(options_.assets / "lessons", name).value();
      for (size_t n = 0; n < std::min(most, lesson.kernels.size()); ++n)
        compared += expect_agreement(lesson, lesson.kernels[n].name, most_threads) ? 1 : 0;
    }
    return compared;
  }

  pipeline::Options options_ = tests::project_options(1);
  pipeline::Execution execution_{options_};
};

TEST_F(EnginesOnLessons, agree_on_the_first_kernel_of_each) { EXPECT_GE(walk(1, 1024), 7u); }

class SlowEnginesOnLessons : public EnginesOnLessons {};
TEST_F(SlowEnginesOnLessons, agree_on_every_kernel) { EXPECT_GT(walk(SIZE_MAX, 2048), 20u); }

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
