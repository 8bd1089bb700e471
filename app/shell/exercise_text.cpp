#include "shell/exercise_text.h"

#include "base/file.h"
#include "lesson/markdown.h"
#include "pipeline/job.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace lanescope::shell {
namespace {

using Kind = lesson::Part::Kind;

constexpr size_t kColumns = 100;

/// For a terminal: names of the code stay between backquotes, since many are words of English as well.
std::string plain_text(const std::string& markdown) {
  std::vector<lesson::Paragraph> paragraphs = lesson::parse_markdown(markdown);
  for (lesson::Paragraph& paragraph : paragraphs)
    for (lesson::Run& run : paragraph.runs)
      if (run.face == lesson::Run::Face::Code && paragraph.kind != lesson::Paragraph::Kind::Code)
        run.text = fmt::format("`{}`", run.text);
  return lesson::plain_text(paragraphs, kColumns);
}

/// The texts of all parts of this kind, in order.
std::vector<std::string> texts_of(const lesson::Exercise& exercise, Kind kind, Language language) {
  std::vector<std::string> texts = lesson::texts_of(exercise.prose.in(language), kind);
  for (std::string& text : texts) text = plain_text(text);
  return texts;
}

}  // namespace

std::string task_text(const lesson::Exercise& exercise, Language language) {
  std::string text = exercise.title.in(language) + "\n\n";
  for (const std::string& task : texts_of(exercise, Kind::Introduction, language)) text += task + "\n";
  return text;
}

size_t hints_of(const lesson::Exercise& exercise) {
  return static_cast<size_t>(std::ranges::count(exercise.prose.english, Kind::Hint, &lesson::Part::kind));
}

Result<std::string> hint_text(const lesson::Exercise& exercise, size_t number, Language language) {
  const auto hints = texts_of(exercise, Kind::Hint, language);
  if (number >= 1 && number <= hints.size()) return hints[number - 1];
  return fail(ErrorKind::Usage, hints.empty()
                                    ? fmt::format("{} has no hints", exercise.name)
                                    : fmt::format("{} has {} hints; --hint takes a number from 1 to {}",
                                                  exercise.name, hints.size(), hints.size()));
}

Result<std::string> solution_text(const lesson::Exercise& exercise, Language language) {
  TRY(std::string text, read_text(exercise.folder / lesson::kSolutionFile));
  for (const std::string& why : texts_of(exercise, Kind::Solution, language)) text += "\n" + why;
  return text;
}

}  // namespace lanescope::shell
