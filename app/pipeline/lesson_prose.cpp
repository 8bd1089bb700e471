#include "pipeline/lesson_prose.h"

#include "lesson/launch_plan.h"
#include "lesson/live_text.h"

#include <algorithm>
#include <iterator>
#include <utility>

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
                                                     model::CostUnits units, Language language, F&& fill) {
  std::vector<lesson::Paragraph> all;
  if (part == nullptr) return all;
  for (const lesson::Section& section : part->sections) {
    if (!is_shown(section, lesson, settings)) continue;
    TRY(const std::string markdown, fill(section));
    std::ranges::move(lesson::parse_markdown(with_unit_words(markdown, units, language)),
                      std::back_inserter(all));
  }
  return all;
}

template <class F>
Result<LessonProse> text_of(const lesson::Lesson& lesson, const lesson::Settings& settings,
                            model::CostUnits units, Language language, F&& fill) {
  const lesson::Prose& prose = lesson.prose.in(language);
  const auto part = [&](Part::Kind kind, std::string_view name = {}) {
    return paragraphs_of(lesson, settings, lesson::find_part(prose, kind, name), units, language, fill);
  };
  LessonProse text;
  text.units = units;
  TRY(text.introduction, part(Part::Kind::Introduction));
  TRY(text.kernel, part(Part::Kind::Kernel, settings.kernel));
  for (const lesson::Question& question : lesson.questions) {
    LessonProse::Question told;
    told.name = question.name;
    told.guesses = question.guesses;
    // A question is asked before its numbers are there.
    TRY(told.text,
        paragraphs_of(lesson, settings, lesson::find_part(prose, Part::Kind::Question, question.name), units,
                      language, [](const lesson::Section& section) -> Result<std::string> {
                        return lesson::empty_live_text(section.markdown);
                      }));
    const auto set = lesson::with_toggles(lesson, settings, question.set);
    told.is_set = set && *set == settings;
    text.questions.push_back(std::move(told));
  }
  return text;
}

}  // namespace

std::string with_unit_words(std::string_view markdown, model::CostUnits units, Language language) {
  const bool is_today = units == model::CostUnits::Sectors;
  using enum Text;
  const std::pair<std::string_view, Text> words[] = {
      {"sector", is_today ? figure_sector : figure_transaction},
      {"sectors", is_today ? figure_sectors : figure_transactions},
      {"wavefront", is_today ? figure_wavefront : figure_pass},
      {"wavefronts", is_today ? figure_wavefronts : figure_passes}};
  std::string text;
  while (!markdown.empty()) {
    const size_t open = markdown.find("[["), close = markdown.find("]]", open);
    text += markdown.substr(0, close == std::string_view::npos ? close : open);
    if (open == std::string_view::npos || close == std::string_view::npos) break;
    std::string name(markdown.substr(open + 2, close - open - 2));
    const bool is_capital = !name.empty() && name.front() >= 'A' && name.front() <= 'Z';
    if (is_capital) name.front() += 'a' - 'A';
    const auto found = std::ranges::find(words, name, &std::pair<std::string_view, Text>::first);
    std::string word(found == std::end(words) ? markdown.substr(open, close + 2 - open)
                                              : say(language, found->second));
    if (is_capital && found != std::end(words)) word.front() += 'A' - 'a';
    text += word;
    markdown.remove_prefix(close + 2);
  }
  return text;
}

Result<LessonProse> prose_of(const Told& told, Language language) {
  const lesson::Expression::RealLookup lookup = [&](std::string_view name) {
    return live_number(told, name);
  };
  const auto fill = [&](const lesson::Section& section) {
    return lesson::fill_live_text(section.markdown, section.where, language, lookup);
  };
  TRY(LessonProse text, text_of(told.lesson, told.settings, told.units, language, fill));
  for (size_t n = 0; n < text.questions.size(); ++n) {
    LessonProse::Question& question = text.questions[n];
    if (!question.is_set) continue;
    TRY(const auto answer, lesson::Expression::parse(told.lesson.questions[n].answer, {}));
    TRY(question.value, answer.evaluate_real(lookup));
    const Part* const part =
        lesson::find_part(told.lesson.prose.in(language), Part::Kind::Answer, question.name);
    TRY(question.answer, paragraphs_of(told.lesson, told.settings, part, told.units, language, fill));
  }
  return text;
}

LessonProse prose_without_run(const lesson::Lesson& lesson, const lesson::Settings& settings,
                              Language language, model::CostUnits units) {
  const auto fill = [](const lesson::Section& section) -> Result<std::string> {
    return lesson::empty_live_text(section.markdown);
  };
  return text_of(lesson, settings, units, language, fill).value_or(LessonProse{});
}

}  // namespace lanescope::pipeline
