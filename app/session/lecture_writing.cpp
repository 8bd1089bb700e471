#include "session/lecture_writing.h"

#include "base/file.h"
#include "lesson/lecture.h"
#include "pipeline/job.h"

#include <algorithm>
#include <sstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

namespace lanescope::session {
namespace {

namespace fs = std::filesystem;

/// A text in quotes as TOML has it.
std::string quoted(const std::string& text) {
  const bool is_plain = std::ranges::none_of(
      text, [](char c) { return c == '"' || c == '\\' || static_cast<uint8_t>(c) < 0x20; });
  if (is_plain) return fmt::format("\"{}\"", text);
  std::ostringstream out;
  out << toml::value<std::string>(text);
  return out.str();
}

std::string quoted_list(const std::vector<std::string>& texts) {
  std::vector<std::string> all;
  for (const std::string& text : texts) all.push_back(quoted(text));
  return fmt::format("[{}]", fmt::join(all, ", "));
}

using Set = std::vector<std::pair<std::string, std::string>>;

/// `set`, and the toggles that it does not bring from `from` to `to`.
Result<Set> completed(Set set, const lesson::Lesson& lesson, const lesson::Settings& from,
                      const lesson::Settings& to) {
  TRY(const lesson::Settings chosen, lesson::with_toggles(lesson, from, set));
  for (const auto& [name, value] : to.values)
    if (chosen.values.at(name) != value) set.emplace_back(name, value);
  return set;
}

/// The line that names the lesson; empty for the lesson whose folder the lecture is in.
Result<std::string> lesson_line(const Snapshot& snapshot, const fs::path& file) {
  const lesson::Lesson& lesson = *snapshot.choices.lesson;
  std::error_code ignored;
  if (fs::equivalent(fs::absolute(file, ignored).parent_path(), lesson.folder, ignored)) return std::string();
  const auto& listed = snapshot.available.lessons;
  if (std::ranges::find(listed, lesson.name) != listed.end())
    return fmt::format("lesson = {}\n", quoted(lesson.name));
  return fail(
      ErrorKind::Usage,
      fmt::format("a lecture names lessons of the program, and the one whose folder it is in; save it "
                  "as {}",
                  (lesson.folder / lesson::kLectureFile).string()));
}

std::string table_text(const Set& set) {
  std::vector<std::string> values;
  for (const auto& [name, value] : set) values.push_back(fmt::format("{} = {}", name, quoted(value)));
  return fmt::format("{{{}}}", fmt::join(values, ", "));
}

/// The line with what the run A has that the present one has not; empty where nothing is compared, or where A
/// is of another lesson, device or text, which a step does not have.
Result<std::string> line_of_a(const Snapshot& snapshot) {
  if (!snapshot.pinned) return std::string();
  const Choices &a = snapshot.pinned->choices, &b = snapshot.choices;
  if (!a.lesson || a.lesson->folder != b.lesson->folder || a.device.name != b.device.name ||
      a.edited != b.edited)
    return std::string();
  Set set;
  if (a.settings.kernel != b.settings.kernel) set.emplace_back("kernel", a.settings.kernel);
  TRY(set, completed(set, *b.lesson, b.settings, a.settings));
  return set.empty() ? std::string() : fmt::format("a = {}\n", table_text(set));
}

Result<std::string> step_text(const Snapshot& snapshot, const fs::path& file) {
  const Choices& choices = snapshot.choices;
  if (!choices.lesson || !snapshot.run || !choices.exercise.empty())
    return fail(ErrorKind::Usage,
                "a step of a lecture shows a lesson; open one, since a lecture names no other file");
  TRY(const std::string lesson, lesson_line(snapshot, file));
  TRY(const Set set, completed({{"kernel", choices.settings.kernel}}, *choices.lesson,
                               lesson::initial_settings(*choices.lesson), choices.settings));
  TRY(const std::string a, line_of_a(snapshot));
  const Dim3 block = position_of(snapshot.selection.cta.value, snapshot.run->trace->grid);
  return fmt::format(
      "\n[[steps]]\n{}set = {}\n{}device = {}\nblock = [{}, {}, {}]\nwarp = {}\naccess = {}\n"
      "say = {{english = \"What the class sees here.\", french = \"Ce que la classe voit ici.\"}}\n",
      lesson, table_text(set), a, quoted(choices.device.name), block.x, block.y, block.z,
      snapshot.selection.warp.value, snapshot.selection.access);
}

}  // namespace

Result<size_t> add_to_lecture(const Snapshot& snapshot, const LectureAddition& addition,
                              const fs::path& lessons) {
  TRY(const std::string step, step_text(snapshot, addition.file));
  std::error_code ignored;
  std::string text = fmt::format(
      "lanescope_lecture = 1\npanels = {}\n[title]\nenglish = \"A lecture\"\nfrench = \"Un cours\"\n",
      quoted_list(addition.panels));
  size_t number = 1;
  if (fs::exists(addition.file, ignored)) {
    TRY(const lesson::Lecture before, lesson::read_lecture(addition.file, lessons));
    TRY(text, read_text(addition.file));
    if (!text.ends_with('\n')) text += '\n';
    number = before.steps.size() + 1;
  }
  TRY_VOID(write_file(addition.file, text + step));
  return number;
}

}  // namespace lanescope::session
