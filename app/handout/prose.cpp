#include "handout/prose.h"

#include "export/json.h"
#include "handout/markup.h"
#include "lesson/exercise.h"
#include "lesson/markdown.h"
#include "pipeline/lesson_prose.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::handout {
namespace {

using Kind = lesson::Part::Kind;

Result<pipeline::LessonProse> prose_of(const Side& side, Language language) {
  return pipeline::prose_of(pipeline::told_of(*side.lesson, side.settings, *side.run, side.device), language);
}

/// A question with its guesses, which the page's script shows, and its answer, folded.
std::string question_html(const pipeline::LessonProse::Question& question, const lesson::Question& asked,
                          const Side& side, Language language) {
  std::string html = fmt::format("<section class=\"question\" data-answer=\"{:.6g}\">\n{}",
                                 question.value.value_or(0), paragraphs(question.text));
  html += "<p class=\"guesses\" hidden>";
  for (const double guess : question.guesses)
    html += fmt::format("<button type=\"button\" data-guess=\"{0:.6g}\">{0:.6g}</button> ", guess);
  html += fmt::format(
      "</p>\n<p class=\"outcome\" role=\"status\"></p>\n<details>\n<summary>{}</summary>\n{}<p>{}</p>\n",
      say(language, Words::reveal), paragraphs(question.answer),
      badge(side.run->trace->provenance, language));
  exporting::Json set = exporting::Json::array();
  for (const auto& [name, value] : asked.set) set.push_back({name, value});
  return html + fmt::format(
                    "<button type=\"button\" class=\"show\" data-set=\"{}\" hidden>{}</button>\n</details>\n"
                    "</section>\n",
                    plain(set.dump()), say(language, Words::show_run));
}

std::string exercise_html(const lesson::Exercise& exercise, Language language) {
  std::string html =
      fmt::format("<section class=\"exercise\">\n<h3>{}</h3>\n", plain(exercise.title.in(language)));
  const lesson::Prose& prose = exercise.prose.in(language);
  for (const std::string& text : lesson::texts_of(prose, Kind::Introduction))
    html += paragraphs(lesson::parse_markdown(text));
  const auto hints = lesson::texts_of(prose, Kind::Hint);
  for (size_t n = 0; n < hints.size(); ++n)
    html += fmt::format("<details>\n<summary>{} {}</summary>\n{}</details>\n", say(language, Words::hint),
                        n + 1, paragraphs(lesson::parse_markdown(hints[n])));
  return html + fmt::format("<p class=\"dim\"><code>lanescope check {} FILE.cu</code></p>\n</section>\n",
                            plain(exercise.name));
}

}  // namespace

Result<Texts> texts_of(Lab& lab, const Side& now, Language language) {
  Texts texts;
  TRY(const pipeline::LessonProse prose, prose_of(now, language));
  texts.introduction = paragraphs(prose.introduction);
  const lesson::Lesson& lesson = *lab.lesson();
  for (size_t n = 0; n < lesson.questions.size(); ++n) {
    const lesson::Question& asked = lesson.questions[n];
    Wish wish;
    TRY(wish.settings, lesson::with_toggles(lesson, lesson::initial_settings(lesson), asked.set));
    const auto sides = lab.show(wish);
    if (!sides) {
      texts.notes.push_back(
          fmt::format("the question '{}' is left out: {}", asked.name, describe(sides.error())));
      continue;
    }
    TRY(const pipeline::LessonProse answered, prose_of(sides->now, language));
    texts.questions += question_html(answered.questions[n], asked, sides->now, language);
  }
  if (!texts.questions.empty())
    texts.questions = fmt::format("<section class=\"questions\">\n<h2>{}</h2>\n{}</section>\n",
                                  say(language, Words::predict), texts.questions);
  for (const std::filesystem::path& folder : lesson::exercise_folders(lesson.folder)) {
    TRY(const lesson::Exercise exercise, lesson::read_exercise(folder));
    texts.exercises += exercise_html(exercise, language);
  }
  if (!texts.exercises.empty())
    texts.exercises = fmt::format("<section class=\"exercises\">\n<h2>{}</h2>\n{}</section>\n",
                                  say(language, Words::exercises), texts.exercises);
  return texts;
}

}  // namespace lanescope::handout
