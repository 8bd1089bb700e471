#include "lesson/lecture.h"

#include "lesson/launch_plan.h"
#include "lesson/live_text.h"
#include "lesson/table_reader.h"

#include <algorithm>
#include <limits>
#include <map>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::lesson {
namespace {

namespace fs = std::filesystem;

constexpr FileFormat kFormat{
    .key = "lanescope_lecture", .version = 1, .name = "lecture", .kind = "lecture", .made = "wrote"};

/// From 0 to the largest number of 32 bits.
uint32_t index_at(TableReader& reader, const toml::node& node, std::string_view what) {
  const auto number = node.value_exact<int64_t>();
  if (number && *number >= 0 && *number <= std::numeric_limits<uint32_t>::max())
    return static_cast<uint32_t>(*number);
  reader.wrong(node, fmt::format("'{}' is a whole number from 0", what));
  return 0;
}

/// "[1, 0]": x, and y and z where they are not 0.
Dim3 block_at(TableReader& reader, const toml::node& node) {
  const toml::array* const list = node.as_array();
  if (list == nullptr || list->empty() || list->size() > 3) {
    reader.wrong(node, "'block' is a list of 1 to 3 numbers, for example [1, 0]");
    return {0, 0, 0};
  }
  uint32_t index[3]{};
  for (size_t n = 0; n < list->size(); ++n) index[n] = index_at(reader, *list->get(n), "block");
  return {index[0], index[1], index[2]};
}

class LectureReader {
 public:
  LectureReader(const fs::path& file, const fs::path& lessons)
      : file_(file), lessons_(lessons), reader_(file.string()) {}

  Result<Lecture> read() {
    TRY(const toml::table root, read_toml(file_));
    TRY_VOID(check_format(root, kFormat, file_));
    reader_.only(root, {kFormat.key, "title", "panels", "steps"});
    Lecture lecture;
    lecture.file = file_;
    lecture.name = folder().filename().string();
    lecture.title = reader_.words(root, "title");
    lecture.panels = reader_.texts(root, "panels");
    reader_.each(root, "steps", TableReader::Need::One, [&](const toml::table& table) {
      if (reader_.error()) return;
      if (lecture.steps.size() == kMaximumLectureSteps)
        return reader_.wrong(table, fmt::format("a lecture has at most {} steps", kMaximumLectureSteps));
      read_step(table, lecture.steps.empty() ? LectureStep{} : lecture.steps.back());
      lecture.steps.push_back(step_);
    });
    if (reader_.error()) return std::unexpected(*reader_.error());
    return lecture;
  }

 private:
  fs::path folder() const {
    std::error_code problem;
    const fs::path whole = fs::absolute(file_, problem).lexically_normal();
    return (problem ? file_ : whole).parent_path();
  }

  void read_step(const toml::table& table, const LectureStep& before) {
    reader_.only(table, {"lesson", "set", "a", "device", "block", "warp", "access", "look", "predict", "say",
                         "reveal", "notes"});
    step_ = before;
    step_.where = reader_.where(table);
    choose_lesson(table, before);
    if (!step_.lesson) return;
    choose_settings(table, "set", step_.settings);
    step_.settings_of_a.reset();
    if (table.contains("a")) choose_settings(table, "a", step_.settings_of_a.emplace(step_.settings));
    if (!has_same_code(before)) {
      step_.block = {0, 0, 0};
      step_.warp = step_.access = 0;
    }
    step_.device = reader_.text(table, "device", step_.device);
    if (const auto* node = table.get("block")) step_.block = block_at(reader_, *node);
    number_block(table);
    if (const auto* node = table.get("warp")) step_.warp = index_at(reader_, *node, "warp");
    if (const auto* node = table.get("access")) step_.access = index_at(reader_, *node, "access");
    if (table.contains("look")) step_.look = reader_.texts(table, "look");
    step_.predicts = reader_.flag(table, "predict");
    step_.say = live_words(table, "say", {});
    step_.reveal = live_words(table, "reveal", "");
    step_.notes = live_words(table, "notes", "");
  }

  void choose_lesson(const toml::table& table, const LectureStep& before) {
    const toml::node* const named = table.get("lesson");
    if (named == nullptr && before.lesson) return;
    const std::string name = reader_.text(table, "lesson", "");
    const toml::node& at = named != nullptr ? *named : static_cast<const toml::node&>(table);
    const auto known = known_.find(name);
    std::shared_ptr<const Lesson> chosen = known == known_.end() ? nullptr : known->second;
    if (!chosen) {
      auto lesson = read_named(name);
      if (!lesson)
        return reader_.wrong(lesson.error().where
                                 ? lesson.error()
                                 : Error{ErrorKind::Syntax, lesson.error().message, reader_.where(at)});
      chosen = std::make_shared<const Lesson>(*std::move(lesson));
      known_.emplace(name, chosen);
    }
    if (chosen == before.lesson) return;
    step_.lesson = std::move(chosen);
    step_.settings = initial_settings(*step_.lesson);
    step_.device.clear();
  }

  /// A lecture names no file: only the lessons of the program, and the one whose folder it is in.
  Result<Lesson> read_named(const std::string& name) const {
    std::error_code problem;
    if (name.empty() && fs::exists(folder() / kLessonFile, problem)) return read_lesson(folder());
    const std::vector<std::string> names = lesson_names(lessons_);
    if (std::ranges::find(names, name) != names.end()) return read_lesson(lessons_ / name);
    if (name.empty())
      return fail(ErrorKind::Usage,
                  fmt::format("'lesson' is missing in the first step: the lecture's folder has no {}; choose "
                              "one of: {}",
                              kLessonFile, fmt::join(names, ", ")));
    return fail(ErrorKind::Usage,
                fmt::format("there is no lesson '{}'; choose one of: {}", name, fmt::join(names, ", ")));
  }

  /// Whether a warp makes the same accesses as in the step before, apart from their addresses. Kernels of one
  /// function differ in their toggles alone.
  bool has_same_code(const LectureStep& before) const {
    if (before.lesson != step_.lesson) return false;
    const Kernel &one = kernel_of(*before.lesson, before.settings),
                 &other = kernel_of(*step_.lesson, step_.settings);
    return one.file == other.file && one.entry == other.entry;
  }

  void choose_settings(const toml::table& table, std::string_view key, Settings& settings) {
    const toml::node* const set = table.get(key);
    if (set == nullptr) return;
    auto chosen = with_toggles(*step_.lesson, settings, reader_.settings(table, key));
    if (!chosen) return reader_.wrong(*set, chosen.error().message);
    settings = *std::move(chosen);
  }

  /// The block in launch order; the grid must have it.
  void number_block(const toml::table& table) {
    const auto launch = make_launch(*step_.lesson, kernel_of(*step_.lesson, step_.settings), step_.settings,
                                    nullptr, Filling::None);
    if (!launch) return reader_.wrong(launch.error());
    const Dim3& grid = launch->grid;
    const Dim3& block = step_.block;
    if (block.x >= grid.x || block.y >= grid.y || block.z >= grid.z)
      return reader_.wrong(table, fmt::format("block [{}, {}, {}] is not in the grid of {} x {} x {} blocks",
                                              block.x, block.y, block.z, grid.x, grid.y, grid.z));
    step_.cta = CtaId{static_cast<uint32_t>(linear(block, grid))};
  }

  Words live_words(const toml::table& table, std::string_view key,
                   const std::optional<std::string>& otherwise) {
    Words words = reader_.words(table, key, otherwise);
    const toml::node* const node = table.get(key);
    const Location where = reader_.where(node != nullptr ? *node : static_cast<const toml::node&>(table));
    for (const std::string* const text : {&words.english, &words.french})
      if (const auto known = check_live_text(*text, where); !known) reader_.wrong(known.error());
    return words;
  }

  const fs::path& file_;
  const fs::path& lessons_;
  TableReader reader_;
  std::map<std::string, std::shared_ptr<const Lesson>> known_;  // [name]; "": that of the folder
  LectureStep step_;                                            // that is read
};

}  // namespace

Result<Lecture> read_lecture(const fs::path& file, const fs::path& lessons) {
  return LectureReader(file, lessons).read();
}

std::vector<std::string> lecture_names(const fs::path& lessons) {
  std::error_code ignored;
  std::vector<std::string> names;
  for (const std::string& name : lesson_names(lessons))
    if (fs::exists(lessons / name / kLectureFile, ignored)) names.push_back(name);
  return names;
}

Result<Lecture> find_lecture(const fs::path& lessons, std::string_view name) {
  std::error_code ignored;
  if (name.find('/') != std::string_view::npos || name == "." || name == ".." || is_lecture_file(name)) {
    const fs::path path(name);
    return read_lecture(fs::is_directory(path, ignored) ? path / kLectureFile : path, lessons);
  }
  const std::vector<std::string> names = lecture_names(lessons);
  if (std::ranges::find(names, name) != names.end())
    return read_lecture(lessons / name / kLectureFile, lessons);
  return fail(ErrorKind::Usage, fmt::format("there is no lecture '{}'; choose one of: {}; a lecture of your "
                                            "own is given by its path, for example ./{}/{}",
                                            name, fmt::join(names, ", "), name, kLectureFile));
}

bool is_lecture_file(const fs::path& path) { return path.filename().string().ends_with(kLectureFile); }

}  // namespace lanescope::lesson
