#include "lesson/exercise.h"

#include "lesson/launch_plan.h"
#include "lesson/table_reader.h"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::lesson {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExercises = "exercises";
constexpr size_t kMostCases = 16;
constexpr uint64_t kMostSourceBytes = 1 << 20;

/// "transpose/tiled" of .../transpose/exercises/tiled.
std::string exercise_name(const fs::path& folder) {
  std::error_code ignored;
  const fs::path whole = fs::weakly_canonical(folder, ignored);
  const fs::path& path = whole.empty() ? folder : whole;
  return fmt::format("{}/{}", path.parent_path().parent_path().filename().string(), path.filename().string());
}

/// A lesson of one kernel, whose launch and toggles are the exercise's.
Lesson read_kernel(TableReader& reader, const toml::table& root, const Exercise& exercise) {
  Lesson lesson;
  lesson.name = exercise.name;
  lesson.folder = exercise.folder;
  lesson.title = exercise.title;
  lesson.toggles = read_toggles(reader, root);
  Kernel kernel;
  kernel.name = "solution";
  kernel.label = exercise.title;
  kernel.file = kSolutionFile;
  kernel.entry = reader.text(root, "entry");
  for (const Toggle& toggle : lesson.toggles) kernel.toggles.push_back(toggle.name);
  if (const toml::table* const launch = reader.table(root, "launch"))
    kernel.launch = read_launch(reader, *launch, nullptr);
  else
    reader.wrong(root, "the table 'launch' is missing; add [launch] with grid, block and arguments");
  lesson.initial_kernel = kernel.name;
  lesson.kernels.push_back(std::move(kernel));
  if (reader.error()) return lesson;
  check_toggles(reader, root, lesson);
  check_launch(reader, lesson, lesson.kernels.front().launch);
  return lesson;
}

Settings read_case(TableReader& reader, const toml::table& table, const Lesson& lesson) {
  reader.only(table, {"set"});
  Settings settings = initial_settings(lesson);
  const toml::table* const set = reader.table(table, "set");
  if (set == nullptr) {
    reader.wrong(table, "'set' is missing; add set = {TOGGLE = \"VALUE\"}");
    return settings;
  }
  for (const auto& [name, value] : *set) {
    const std::string text = reader.text(*set, name.str());
    if (auto changed = with_toggle(lesson, settings, name.str(), text))
      settings = *std::move(changed);
    else
      reader.wrong(value, changed.error().message);
  }
  return settings;
}

std::vector<Settings> read_cases(TableReader& reader, const toml::table& root, const Lesson& lesson) {
  std::vector<Settings> cases;
  reader.each(root, "cases", TableReader::Need::None, [&](const toml::table& table) {
    cases.push_back(read_case(reader, table, lesson));
    if (cases.size() == kMostCases + 1)
      reader.wrong(table, fmt::format("an exercise has at most {} cases", kMostCases));
  });
  if (cases.empty()) cases.push_back(initial_settings(lesson));
  return cases;
}

/// Absent where the key is. A number above 0, and at most `most`.
std::optional<double> positive(TableReader& reader, const toml::table& table, std::string_view key,
                               double most) {
  const toml::node* const node = table.get(key);
  if (node == nullptr) return {};
  const double value = reader.decimal(table, key);
  if (value > 0 && value <= most) return value;
  reader.wrong(*node, fmt::format("'{}' must be a number above 0, and at most {:g}", key, most));
  return {};
}

std::optional<Expression> budget(TableReader& reader, const toml::table& table, std::string_view key,
                                 const Lesson& lesson) {
  const toml::node* const node = table.get(key);
  if (node == nullptr) return {};
  Expression expression = reader.expression(*node);
  if (const auto known = check_names(lesson, expression); !known) reader.wrong(known.error());
  return expression;
}

Requirements read_requirements(TableReader& reader, const toml::table& table, const Lesson& lesson) {
  reader.only(table, {"output", "coalesced", "conflict_free", "sectors", "requests", "wavefronts", "barriers",
                      "l1_misses", "active_share", "instructions_of_solution", "microseconds", "copy_share"});
  Requirements asked;
  asked.output = reader.texts(table, "output");
  if (asked.output.empty())
    reader.wrong(table,
                 "'output' is missing: the buffers that must equal the solution's; without it an empty "
                 "kernel would pass; add output = [\"out\"]");
  const auto& buffers = lesson.kernels.front().launch.buffers;
  for (const std::string& name : asked.output)
    if (std::ranges::find(buffers, name, &BufferPlan::name) == buffers.end())
      reader.wrong(*table.get("output"), fmt::format("there is no buffer '{}' in the launch", name));
  asked.coalesced = reader.flag(table, "coalesced");
  asked.conflict_free = reader.flag(table, "conflict_free");
  asked.sectors = budget(reader, table, "sectors", lesson);
  asked.requests = budget(reader, table, "requests", lesson);
  asked.wavefronts = budget(reader, table, "wavefronts", lesson);
  asked.l1_misses = budget(reader, table, "l1_misses", lesson);
  asked.barriers = budget(reader, table, "barriers", lesson);
  asked.active_share = positive(reader, table, "active_share", 1);
  asked.instructions_of_solution = positive(reader, table, "instructions_of_solution", 1000);
  asked.microseconds = positive(reader, table, "microseconds", 1e9);
  asked.copy_share = positive(reader, table, "copy_share", 1);
  return asked;
}

Result<void> check_source(const fs::path& file) {
  std::error_code error;
  const Location where{file.string(), 0};
  if (!fs::is_regular_file(file, error))
    return fail(ErrorKind::File, "an exercise needs this file, and it is missing", where);
  if (fs::file_size(file, error) > kMostSourceBytes || error)
    return fail(ErrorKind::File, "the file is larger than 1 MiB, the most that a source of an exercise has",
                where);
  return {};
}

/// The field `order`; what cannot be read is last, and opening it says what is wrong.
int64_t order_of(const fs::path& folder) {
  constexpr int64_t kLast = 1000;
  const auto root = read_toml(folder / kExerciseFile);
  return root ? (*root)["order"].value_or(kLast) : kLast + 1;
}

bool is_exercise(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_regular_file(folder / kExerciseFile, ignored);
}

}  // namespace

Result<Exercise> read_exercise(const fs::path& folder) {
  const fs::path file = folder / kExerciseFile;
  if (!is_exercise(folder))
    return fail(ErrorKind::File,
                fmt::format("there is no exercise here; a folder with a file {} was expected", kExerciseFile),
                Location{folder.string(), 0});
  TRY(const toml::table root, read_toml(file));
  TableReader reader(file.string());
  reader.only(root, {"order", "title", "entry", "launch", "toggles", "cases", "checks"});
  Exercise exercise;
  exercise.name = exercise_name(folder);
  exercise.folder = folder;
  exercise.title = reader.words(root, "title");
  TRY(exercise.prose, read_both_prose(folder));
  exercise.lesson = read_kernel(reader, root, exercise);
  if (const auto& error = reader.error()) return std::unexpected(*error);
  exercise.cases = read_cases(reader, root, exercise.lesson);
  if (const toml::table* const checks = reader.table(root, "checks"))
    exercise.requirements = read_requirements(reader, *checks, exercise.lesson);
  else
    reader.wrong(root, "the table 'checks' is missing; add [checks] with output = [\"out\"]");
  if (const auto& error = reader.error()) return std::unexpected(*error);
  exercise.lesson.caches = exercise.requirements.l1_misses.has_value();
  for (const char* name : {kStarterFile, kSolutionFile}) TRY_VOID(check_source(folder / name));
  return exercise;
}

std::vector<fs::path> exercise_folders(const fs::path& lesson) {
  std::vector<std::pair<int64_t, fs::path>> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(lesson / kExercises, ignored))
    if (is_exercise(entry.path())) found.emplace_back(order_of(entry.path()), entry.path());
  std::ranges::sort(found);
  std::vector<fs::path> folders;
  for (auto& [order, path] : found) folders.push_back(std::move(path));
  return folders;
}

std::vector<std::string> exercise_names(const fs::path& lessons) {
  std::vector<std::string> names;
  for (const std::string& lesson : lesson_names(lessons))
    for (const fs::path& folder : exercise_folders(lessons / lesson))
      names.push_back(fmt::format("{}/{}", lesson, folder.filename().string()));
  return names;
}

Result<Exercise> find_exercise(const fs::path& lessons, std::string_view name) {
  const std::vector<std::string> names = exercise_names(lessons);
  if (const size_t slash = name.find('/'); std::ranges::find(names, name) != names.end())
    return read_exercise(lessons / name.substr(0, slash) / kExercises / name.substr(slash + 1));
  const bool is_path = name.starts_with('.') || std::ranges::count(name, '/') > 1 || name.starts_with('/');
  if (!is_path)
    return fail(ErrorKind::Usage, fmt::format("there is no exercise '{}'; choose one of: {}; one of your own "
                                              "is given by its path, for example ./my-lesson/EXERCISE",
                                              name, fmt::join(names, ", ")));
  const fs::path written(name);
  const fs::path path = written.has_filename() ? written : written.parent_path();
  if (is_exercise(path)) return read_exercise(path);
  return read_exercise(path.parent_path() / kExercises / path.filename());
}

std::string case_text(const Exercise& exercise, const Settings& settings) {
  std::string text;
  for (const Toggle& toggle : exercise.lesson.toggles)
    if (const std::string& value = settings.values.at(toggle.name); value != toggle.initial)
      text += fmt::format("{}{}={}", text.empty() ? "" : ", ", toggle.name, value);
  return text;
}

}  // namespace lanescope::lesson
