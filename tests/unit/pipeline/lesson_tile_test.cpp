// The layout lab says of a lesson's tile what a run of the lesson counts, whatever its toggles.
#include "pipeline/lesson_tile.h"

#include "pipeline/execution.h"
#include "support/project_options.h"

#include <gtest/gtest.h>

namespace lanescope::pipeline {
namespace {

class LessonTile : public testing::Test {
 protected:
  lesson::Settings settings(std::vector<std::pair<std::string, std::string>> toggles) const {
    lesson::Settings settings = lesson::initial_settings(lesson_);
    for (const auto& [name, value] : toggles)
      settings = lesson::with_toggle(lesson_, settings, name, value).value();
    return settings;
  }
  layout::QuestionText question(const lesson::Settings& settings) const {
    return tile_question(lesson_, settings).value().value();
  }
  /// Shared wavefronts of one tile, by the run.
  uint64_t counted(const lesson::Settings& settings) {
    const auto run = execution_.run(job_of(lesson_, settings, options_).value(), device_, {}).value();
    uint64_t wavefronts = 0;
    for (const trace::Totals& site : run->trace->totals) wavefronts += site.wavefronts;
    return wavefronts;
  }
  /// The same, by the layout lab.
  static uint64_t computed(const layout::QuestionText& question) {
    const auto report = layout::report_of(layout::parse(question).value()).value();
    uint64_t wavefronts = 0;
    for (const layout::AccessRow& row : report.rows) wavefronts += row.cost.value().wavefronts;
    return wavefronts;
  }

  Options options_ = tests::project_options();
  lesson::Lesson lesson_ = lesson::find_lesson(options_.assets / "lessons", "layouts").value();
  model::Device device_ = model::find_device(options_.assets / "devices", "h200").value();
  Execution execution_{options_};
};

TEST_F(LessonTile, is_asked_about_with_the_toggles_of_the_run) {
  const layout::QuestionText swizzled = question(settings({{"kernel", "matrices"}, {"swizzle", "2"}}));
  EXPECT_EQ(swizzled.layout, "(8,64):(64,1)");
  EXPECT_EQ(swizzled.element, "f16");
  EXPECT_EQ(swizzled.swizzle, "2,3,3");
  EXPECT_EQ(swizzled.padding, "");
  const layout::QuestionText padded =
      question(settings({{"kernel", "wide_rows"}, {"swizzle", "0"}, {"padding", "2"}}));
  EXPECT_EQ(padded.layout, "(32,32):(32,1)");
  EXPECT_EQ(padded.swizzle, "");
  EXPECT_EQ(padded.padding, "8");
  const layout::QuestionText both =
      question(settings({{"kernel", "columns"}, {"bits", "5"}, {"padding", "1"}}));
  EXPECT_EQ(both.layout, "(32,32):(33,1)");
  EXPECT_EQ(both.swizzle, "5,0,5");
  EXPECT_EQ(both.padding, "");
}

TEST_F(LessonTile, costs_in_the_lab_what_a_run_counts) {
  size_t compared = 0;
  for (const lesson::Kernel& kernel : lesson_.kernels)
    for (const lesson::Choice& swizzle : lesson::find_toggle(lesson_, kernel.toggles.front())->choices)
      for (const lesson::Choice& padding : lesson::find_toggle(lesson_, "padding")->choices) {
        const auto chosen = settings({{"kernel", kernel.name},
                                      {kernel.toggles.front(), swizzle.value},
                                      {"padding", padding.value},
                                      {"tiles", "1"}});
        EXPECT_EQ(computed(question(chosen)), counted(chosen))
            << kernel.name << " " << swizzle.value << " " << padding.value;
        ++compared;
      }
  EXPECT_EQ(compared, 3u * 4 * 3);
}

TEST_F(LessonTile, is_none_where_the_kernel_has_none) {
  const auto warp = lesson::find_lesson(options_.assets / "lessons", "warp").value();
  EXPECT_FALSE(tile_question(warp, lesson::initial_settings(warp)).value());
}

}  // namespace
}  // namespace lanescope::pipeline
