// Every built-in lesson: each kernel at its presets and with every single flip of its toggles writes what it
// must, without hazards but where they are the subject, and every number of the texts has a value in both
// languages.

#include "lesson/live_text.h"
#include "pipeline/execution.h"
#include "pipeline/hazards.h"
#include "pipeline/lesson_prose.h"
#include "support/project_options.h"

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lanescope::pipeline {
namespace {

const Options& options() {
  static const Options kOptions = tests::project_options();
  return kOptions;
}

/// Other sizes than the first take most of the time, and matrices of more than this minutes.
constexpr uint32_t kLargestSide = 4096;
enum class Sizes { Initial, All };

class EveryLesson : public testing::TestWithParam<std::string> {
 protected:
  std::shared_ptr<const pipeline::Run> run(const lesson::Settings& settings) {
    const auto job = job_of(lesson_, settings, options(), &previous_);
    EXPECT_TRUE(job) << describe(job.error());
    if (!job) return nullptr;
    previous_ = *job->launch;
    const auto done = execution_.run(*job, device_, {});
    EXPECT_TRUE(done) << describe(done.error());
    return done ? *done : nullptr;
  }
  /// A device whose partitions are known, unless the text is about caches.
  std::string device_name() const { return lesson_.caches ? lesson_.device : "gt200"; }
  void check_kernels(Sizes sizes);
  void check_texts(const lesson::Settings& settings, const pipeline::Run& run) const {
    for (const Language language : {Language::English, Language::French}) {
      const auto prose = prose_of({lesson_, settings, run}, language);
      ASSERT_TRUE(prose) << describe(prose.error());
      EXPECT_FALSE(prose->introduction.empty());
      EXPECT_FALSE(prose->kernel.empty());
    }
  }

  lesson::Lesson lesson_ = lesson::find_lesson(options().assets / "lessons", GetParam()).value();
  model::Device device_ = model::find_device(options().assets / "devices", device_name()).value();
  Execution execution_{options()};
  launch::Launch previous_;
};

/// The settings of the kernel and what is one flip away, without another kernel's code.
std::vector<lesson::Settings> settings_of(const lesson::Lesson& lesson, const lesson::Kernel& kernel,
                                          Sizes sizes) {
  const lesson::Settings start =
      lesson::with_toggle(lesson, lesson::initial_settings(lesson), "kernel", kernel.name).value();
  std::vector<lesson::Settings> all{start};
  const lesson::Toggle* const size = lesson::find_toggle(lesson, lesson.size_toggle);
  const bool is_matrix =
      size != nullptr && size->free && size->free->kind == lesson::FreeValues::Kind::Matrix;
  for (const lesson::Settings& flipped : lesson::single_flips(lesson, start)) {
    const bool is_resized = !lesson.size_toggle.empty() &&
                            flipped.values.at(lesson.size_toggle) != start.values.at(lesson.size_toggle);
    if (is_resized != (sizes == Sizes::All)) continue;
    if (is_resized && lesson::recorded_size(lesson, flipped).value_or(0) > kLargestSide && is_matrix)
      continue;
    const lesson::Kernel& its = lesson::kernel_of(lesson, flipped);
    if (flipped.kernel == kernel.name || (its.entry == kernel.entry && its.file == kernel.file))
      all.push_back(flipped);
  }
  return all;
}

void EveryLesson::check_kernels(Sizes sizes) {
  for (const lesson::Kernel& kernel : lesson_.kernels) {
    const std::vector<lesson::Settings> all = settings_of(lesson_, kernel, sizes);
    const lesson::Settings& start = all.front();
    for (const lesson::Settings& settings : all) {
      const auto done = run(settings);
      ASSERT_NE(done, nullptr) << kernel.name;
      SCOPED_TRACE(fmt::format("kernel {} {}", settings.kernel, testing::PrintToString(settings.values)));
      const lesson::Kernel& shown = lesson::kernel_of(lesson_, settings);
      if (!shown.hazards) {
        EXPECT_TRUE(done->trace->hazards.empty()) << describe(*error_of(*done->trace));
        if (shown.expect) {
          EXPECT_EQ(done->output_correct, true);
        }
      } else if (settings == start) {
        EXPECT_FALSE(done->trace->hazards.empty());
      }
      check_texts(settings, *done);
    }
  }
}

TEST_P(EveryLesson, its_kernels_write_what_they_must_with_every_toggle) { check_kernels(Sizes::Initial); }

class SlowEveryLesson : public EveryLesson {};
TEST_P(SlowEveryLesson, its_kernels_write_what_they_must_in_every_size) { check_kernels(Sizes::All); }

TEST_P(EveryLesson, the_answer_of_every_question_is_among_its_guesses) {
  EXPECT_GE(lesson_.questions.size(), 2u);
  for (const lesson::Question& question : lesson_.questions) {
    const auto settings = lesson::with_toggles(lesson_, lesson::initial_settings(lesson_), question.set);
    ASSERT_TRUE(settings) << describe(settings.error());
    const auto done = run(*settings);
    ASSERT_NE(done, nullptr);
    for (const Language language : {Language::English, Language::French}) {
      const auto prose = prose_of({lesson_, *settings, *done}, language);
      ASSERT_TRUE(prose) << describe(prose.error());
      const auto told = std::ranges::find(prose->questions, question.name, &LessonProse::Question::name);
      ASSERT_TRUE(told->value.has_value()) << question.name;
      EXPECT_FALSE(told->answer.empty()) << question.name;
      EXPECT_EQ(std::ranges::count_if(
                    told->guesses, [&](double guess) { return lesson::is_right_guess(guess, *told->value); }),
                1)
          << question.name << " is " << *told->value;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(SlowSizes, SlowEveryLesson,
                         testing::ValuesIn(lesson::lesson_names(tests::project_options().assets / "lessons")),
                         [](const auto& one) { return one.param; });
INSTANTIATE_TEST_SUITE_P(All, EveryLesson,
                         testing::ValuesIn(lesson::lesson_names(tests::project_options().assets / "lessons")),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace lanescope::pipeline
