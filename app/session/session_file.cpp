#include "session/session_file.h"

#include "lesson/table_reader.h"
#include "session/file_choice.h"
#include "session/lecture_state.h"
#include "session/opened_file.h"
#include "session/solution_comparison.h"

#include <algorithm>
#include <limits>
#include <sstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <toml++/toml.h>

namespace lanescope::session {
namespace {

namespace fs = std::filesystem;
using lesson::TableReader;

constexpr lesson::FileFormat kFormat{
    .key = "lanescope_session", .version = 1, .name = "session", .kind = "saved session", .made = "saved"};

/// A path as the file names it: relative where it is below the file's folder.
std::string named_from(const fs::path& session, const fs::path& path) {
  std::error_code problem;
  const fs::path folder = fs::absolute(session, problem).parent_path();
  const fs::path relative = path.lexically_relative(folder);
  const bool is_below = !relative.empty() && *relative.begin() != "..";
  return (is_below ? relative : path).string();
}

fs::path place_named(const fs::path& session, const std::string& name) {
  std::error_code problem;
  return (fs::absolute(session, problem).parent_path() / name).lexically_normal();
}

// Writing.

/// Launches of the person's own; those of a launch file are in it.
void write_file_choice(toml::table& table, const OpenedFile& file, const fs::path& session) {
  table.insert("file", named_from(session, file.path));
  if (file.is_trace() || file.is_launch_file() || file.launches.launches.empty()) return;
  pipeline::LaunchFile launches = file.launches;
  for (pipeline::LaunchText& launch : launches.launches) launch.file = file.path.filename().string();
  for (std::string& folder : launches.include_directories) folder = named_from(file.path, folder);
  table.insert("launches", pipeline::launch_file_text(launches));
}

toml::table table_of(const Choices& choices, const Snapshot& snapshot, const fs::path& session) {
  toml::table table;
  if (choices.file) write_file_choice(table, *choices.file, session);
  if (choices.lesson) {
    const lesson::Lesson& lesson = *choices.lesson;
    const bool is_listed = std::ranges::count(snapshot.available.lessons, lesson.name) != 0;
    if (!choices.exercise.empty()) {
      table.insert("exercise", choices.exercise);
      const fs::path file = lesson.kernels.front().file;
      if (file.is_absolute()) table.insert("submission", named_from(session, file));
    } else {
      table.insert("lesson", is_listed ? lesson.name : named_from(session, lesson.folder));
    }
    table.insert("kernel", choices.settings.kernel);
    toml::table toggles;
    for (const auto& [name, value] : choices.settings.values) toggles.insert(name, value);
    table.insert("toggles", std::move(toggles));
  }
  if (choices.launch != 0) table.insert("launch", int64_t{choices.launch});
  table.insert("device", choices.device.name);
  for (const Available::DeviceName& device : snapshot.available.devices)
    if (device.name.ends_with(".toml") && fs::path(device.name).stem() == choices.device.name)
      table.insert_or_assign("device", named_from(session, device.name));
  table.insert("producer", choices.producer == pipeline::Producer::Gpu ? "gpu" : "emulator");
  table.insert("checks", choices.checks == emulator::Checks::All);
  if (choices.level == trace::CountLevel::MachineCode) table.insert("level", "sass");
  table.insert("lockstep", choices.scheduling == emulator::Scheduling::Lockstep);
  return table;
}

toml::table table_of_lecture(const LectureState& state, const Snapshot& snapshot, const fs::path& session) {
  const lesson::Lecture& lecture = *state.lecture;
  const auto& listed = snapshot.available.lectures;
  const bool is_listed = std::ranges::find(listed, lecture.name) != listed.end() &&
                         lecture.file.filename() == lesson::kLectureFile;
  toml::table table{{"step", static_cast<int64_t>(state.step)}};
  if (is_listed)
    table.insert("name", lecture.name);
  else
    table.insert("file", named_from(session, lecture.file));
  return table;
}

// Reading.

/// From 0 to the largest number of 32 bits.
uint32_t count_at(TableReader& reader, const toml::table& table, std::string_view key) {
  const int64_t number = reader.number(table, key, 0);
  if (number >= 0 && number <= std::numeric_limits<uint32_t>::max()) return static_cast<uint32_t>(number);
  reader.wrong(table, fmt::format("'{}' is a number from 0, {} was given", key, number));
  return 0;
}

class SessionReader {
 public:
  SessionReader(const fs::path& path, const pipeline::Options& options)
      : path_(path), options_(options), reader_(path.string()) {}

  Result<SessionFile> read() {
    TRY(const toml::table root, lesson::read_toml(path_));
    TRY_VOID(lesson::check_format(root, kFormat, path_));
    reader_.only(root, {kFormat.key, "present", "pinned", "lecture", "window"});
    const toml::table* const present = reader_.table(root, "present");
    if (present == nullptr) reader_.wrong(root, "'[present]' is missing: what the session shows");
    const toml::table* const pinned = reader_.table(root, "pinned");
    const auto window = read_window(reader_.table(root, "window"));
    TRY_VOID(so_far());
    SessionFile file;
    if (const toml::table* const lecture = reader_.table(root, "lecture")) read_lecture(file, *lecture);
    file.window = window;
    TRY(file.choices.present, read_choices(*present));
    file.choices.place = {CtaId{count_at(reader_, *present, "block")},
                          WarpId{count_at(reader_, *present, "warp")}, count_at(reader_, *present, "access")};
    if (pinned != nullptr) {
      TRY(file.choices.pinned, read_choices(*pinned));
    }
    TRY_VOID(so_far());
    return file;
  }

 private:
  Result<void> so_far() const {
    if (reader_.error()) return std::unexpected(*reader_.error());
    return {};
  }

  void read_lecture(SessionFile& file, const toml::table& table) {
    reader_.only(table, {"name", "file", "step"});
    const std::string name = reader_.text(table, "name", ""), path = reader_.text(table, "file", "");
    if (name.empty() == path.empty() || name.find('/') != std::string::npos)
      reader_.wrong(table, "one of 'name' and 'file' was expected: the lecture");
    file.lecture = name.empty() ? place_named(path_, path).string() : name;
    file.lecture_step = count_at(reader_, table, "step");
  }

  std::shared_ptr<const OpenedSession> read_window(const toml::table* table) {
    auto window = std::make_shared<OpenedSession>();
    std::error_code problem;
    window->path = fs::absolute(path_, problem).lexically_normal();
    if (table == nullptr) return window;
    reader_.only(*table, {"panels", "enlarged"});
    window->panels = reader_.texts(*table, "panels");
    window->enlarged = reader_.text(*table, "enlarged", "");
    return window;
  }

  /// An error of what the table names, located in the session file where it has no other place.
  template <class T>
  Result<T> here(Result<T> result, const toml::table& table) const {
    if (!result && !result.error().where) {
      Error error = result.error();
      error.where = reader_.where(table);
      return std::unexpected(std::move(error));
    }
    return result;
  }

  Result<std::shared_ptr<const Choices>> read_choices(const toml::table& table) {
    reader_.only(table,
                 {"lesson", "file", "exercise", "submission", "kernel", "toggles", "launches", "launch",
                  "device", "producer", "checks", "lockstep", "level", "block", "warp", "access"});
    Choices choices;
    const std::string producer = reader_.text(table, "producer", "emulator");
    if (producer != "emulator" && producer != "gpu")
      reader_.wrong(table, fmt::format("'producer' is emulator or gpu, not '{}'", producer));
    choices.producer = producer == "gpu" ? pipeline::Producer::Gpu : pipeline::Producer::Emulator;
    const std::string level = reader_.text(table, "level", "ptx");
    if (level != "ptx" && level != "sass")
      reader_.wrong(table, fmt::format("'level' is ptx or sass, not '{}'", level));
    choices.level = level == "sass" ? trace::CountLevel::MachineCode : trace::CountLevel::Ptx;
    const bool checks = !table.contains("checks") || reader_.flag(table, "checks");
    choices.checks = checks ? emulator::Checks::All : emulator::Checks::None;
    choices.scheduling =
        reader_.flag(table, "lockstep") ? emulator::Scheduling::Lockstep : emulator::Scheduling::Independent;
    TRY_VOID(so_far());
    TRY_VOID(open(choices, table));
    // A lesson has chosen its own.
    const std::string device =
        reader_.text(table, "device", choices.device.name.empty() ? options_.device : choices.device.name);
    TRY_VOID(so_far());
    TRY(choices.device,
        here(model::find_device(options_.assets / "devices",
                                device.ends_with(".toml") ? place_named(path_, device).string() : device),
             table));
    choices.launch = count_at(reader_, table, "launch");
    TRY_VOID(so_far());
    return std::make_shared<const Choices>(std::move(choices));
  }

  Result<void> open(Choices& choices, const toml::table& table) {
    const std::string lesson = reader_.text(table, "lesson", ""), file = reader_.text(table, "file", ""),
                      exercise = reader_.text(table, "exercise", "");
    if (!lesson.empty() + !file.empty() + !exercise.empty() != 1)
      reader_.wrong(table, "one of 'lesson', 'file' and 'exercise' was expected: what is open");
    TRY_VOID(so_far());
    if (!file.empty()) return open_own(choices, file, table);
    if (!lesson.empty()) {
      const auto listed = lesson::lesson_names(options_.assets / "lessons");
      const bool is_listed = std::ranges::find(listed, lesson) != listed.end();
      const std::string name = is_listed ? lesson : place_named(path_, lesson).string();
      TRY_VOID(here(open_lesson(choices, options_, name), table));
      return set_toggles(choices, table);
    }
    TRY(const lesson::Exercise found,
        here(lesson::find_exercise(options_.assets / "lessons", exercise), table));
    const std::string submission = reader_.text(table, "submission", "");
    choices =
        choices_of_exercise(found, submission.empty() ? fs::path() : place_named(path_, submission), choices);
    return set_toggles(choices, table);
  }

  Result<void> set_toggles(Choices& choices, const toml::table& table) {
    std::vector<std::pair<std::string, std::string>> wanted;
    if (const std::string kernel = reader_.text(table, "kernel", ""); !kernel.empty())
      wanted.emplace_back("kernel", kernel);
    if (const toml::table* toggles = reader_.table(table, "toggles"))
      for (const auto& [name, value] : *toggles)
        wanted.emplace_back(std::string(name.str()), reader_.text(*toggles, name.str()));
    TRY_VOID(so_far());
    TRY(choices.settings, here(lesson::with_toggles(*choices.lesson, choices.settings, wanted), table));
    return {};
  }

  Result<void> open_own(Choices& choices, const std::string& name, const toml::table& table) {
    const fs::path path = place_named(path_, name);
    TRY_VOID(here(open_file(choices, options_, path, {}), table));
    const std::string text = reader_.text(table, "launches", "");
    TRY_VOID(so_far());
    if (text.empty() || choices.file->is_trace() || choices.file->is_launch_file()) return {};
    // Folders of headers are relative to the source.
    TRY(pipeline::LaunchFile launches,
        pipeline::parse_launch_file(text, path.parent_path() / path_.filename()));
    // A session launches the kernels of its file alone.
    for (pipeline::LaunchText& launch : launches.launches) launch.file = path.string();
    set_launches(choices, launches);
    return {};
  }

  const fs::path& path_;
  const pipeline::Options& options_;
  TableReader reader_;
};

}  // namespace

bool is_session_file(const fs::path& path) { return path.extension() == ".lanescope"; }

Result<SessionFile> read_session_file(const fs::path& path, const pipeline::Options& options) {
  return SessionReader(path, options).read();
}

std::vector<Command> commands_that_open(const SessionFile& file) {
  std::vector<Command> commands = commands_that_restore(file.choices);
  if (file.lecture.empty()) return commands;
  commands.emplace_back(OpenLecture{file.lecture, file.lecture_step});
  return commands;
}

Result<std::string> session_text(const Snapshot& snapshot, const OpenedSession& window) {
  if (!snapshot.choices.lesson && !snapshot.choices.file)
    return fail(ErrorKind::Usage, "nothing is open that could be saved; open a lesson or a file first");
  toml::table present = table_of(snapshot.choices, snapshot, window.path);
  present.insert("block", int64_t{snapshot.selection.cta.value});
  present.insert("warp", int64_t{snapshot.selection.warp.value});
  present.insert("access", int64_t{snapshot.selection.access});
  toml::array panels;
  for (const std::string& panel : window.panels) panels.push_back(panel);
  toml::table root{{kFormat.key, kFormat.version},
                   {"present", std::move(present)},
                   {"window", toml::table{{"panels", std::move(panels)}, {"enlarged", window.enlarged}}}};
  if (snapshot.lecture) root.insert("lecture", table_of_lecture(*snapshot.lecture, snapshot, window.path));
  if (snapshot.pinned) root.insert("pinned", table_of(snapshot.pinned->choices, snapshot, window.path));
  std::ostringstream text;
  text << root << '\n';
  return text.str();
}

}  // namespace lanescope::session
