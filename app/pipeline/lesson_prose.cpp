#include "pipeline/lesson_prose.h"

#include "lesson/launch_plan.h"
#include "lesson/live_text.h"

#include <algorithm>

namespace lanescope::pipeline {
namespace {

using lesson::Part;

/// Whether the toggles show the section.
bool is_shown(const lesson::Section& section, const lesson::Lesson& lesson,
              const lesson::Settings& settings) {
  if (!section.when) return true;
  const auto value = lesson::value_of(lesson, lesson::kernel_of(lesson, settings), settings, *section.when);
  return value && *value != 0;
}

/// The sections of a part that are shown, each changed by `fill`.
template <class F>
Result<std::vector<lesson::Paragraph>> paragraphs_of(const lesson::Lesson& lesson,
                                                     const lesson::Settings& settings, const Part* part,
                                                     F&& fill) {
  std::vector<lesson::Paragraph> all;
  if (part == nullptr) return all;
  for (const lesson::Section& section : part->sections) {
    if (!is_shown(section, lesson, settings)) continue;
    TRY(const std::string markdown, fill(section));
    std::ranges::move(lesson::parse_markdown(markdown), std::back_inserter(all));
  }
  return all;
}

template <class F>
Result<LessonProse> text_of(const lesson::Lesson& lesson, const lesson::Settings& settings, Language language,
                            F&& fill) {
  const lesson::Prose& prose = lesson.prose.in(language);
  const auto part = [&](Part::Kind kind, std::string_view name = {}) {
    return paragraphs_of(lesson, settings, lesson::find_part(prose, kind, name), fill);
  };
  LessonProse text;
  TRY(text.introduction, part(Part::Kind::Introduction));
  TRY(text.kernel, part(Part::Kind::Kernel, settings.kernel));
  for (const lesson::Question& question : lesson.questions) {
    LessonProse::Question told;
    told.name = question.name;
    told.guesses = question.guesses;
    // A question is asked before its numbers are there.
    TRY(told.text,
        paragraphs_of(lesson, settings, lesson::find_part(prose, Part::Kind::Question, question.name),
                      [](const lesson::Section& section) -> Result<std::string> {
                        return lesson::empty_live_text(section.markdown);
                      }));
    const auto set = lesson::with_toggles(lesson, settings, question.set);
    told.is_set = set && *set == settings;
    text.questions.push_back(std::move(told));
  }
  return text;
}

}  // namespace

Result<LessonProse> prose_of(const Told& told, Language language) {
  const lesson::Expression::RealLookup lookup = [&](std::string_view name) {
    return live_number(told, name);
  };
  const auto fill = [&](const lesson::Section& section) {
    return lesson::fill_live_text(section.markdown, section.where, language, lookup);
  };
  TRY(LessonProse text, text_of(told.lesson, told.settings, language, fill));
  for (size_t n = 0; n < text.questions.size(); ++n) {
    LessonProse::Question& question = text.questions[n];
    if (!question.is_set) continue;
    TRY(const auto answer, lesson::Expression::parse(told.lesson.questions[n].answer, {}));
    TRY(question.value, answer.evaluate_real(lookup));
    const Part* const part =
        lesson::find_part(told.lesson.prose.in(language), Part::Kind::Answer, question.name);
    TRY(question.answer, paragraphs_of(told.lesson, told.settings, part, fill));
  }
  return text;
}

LessonProse prose_without_run(const lesson::Lesson& lesson, const lesson::Settings& settings,
                              Language language) {
  const auto fill = [](const lesson::Section& section) -> Result<std::string> {
    return lesson::empty_live_text(section.markdown);
  };
  return text_of(lesson, settings, language, fill).value_or(LessonProse{});
}

}  // namespace lanescope::pipeline
