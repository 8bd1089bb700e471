// assets/lessons/NAME.toml -> Lesson. Every key is checked: a lesson that loads is complete.

#include "lesson/lesson.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

namespace lanescope::lesson {
namespace {

/// Reads keys of one table and remembers the first thing that is wrong.
class Reader {
 public:
  explicit Reader(std::string file) : file_(std::move(file)) {}

  const std::optional<Error>& error() const { return error_; }

  void wrong(const toml::node& at, std::string message) {
    if (error_) return;
    error_ = Error{ErrorKind::Syntax, std::move(message),
                   Location{file_, static_cast<int>(at.source().begin.line)}};
  }

  std::string text(const toml::table& table, std::string_view key,
                   const std::optional<std::string>& otherwise = {}) {
    if (auto value = table[key].value<std::string>()) return *value;
    if (const auto* node = table.get(key))
      wrong(*node, fmt::format("'{}' must be a text in quotes", key));
    else if (!otherwise)
      wrong(table, fmt::format("'{}' is missing; add {} = \"...\"", key, key));
    return otherwise.value_or("");
  }

  bool flag(const toml::table& table, std::string_view key) { return table[key].value_or(false); }

  Words words(const toml::table& table, std::string_view key,
              const std::optional<std::string>& otherwise = {}) {
    if (const auto* both = table[key].as_table()) return {text(*both, "english"), text(*both, "french")};
    if (!otherwise)
      wrong(table,
            fmt::format("'{}' is missing; add {} = {{english = \"...\", french = \"...\"}}", key, key));
    return {otherwise.value_or(""), otherwise.value_or("")};
  }

  /// Calls f for each table of an array of tables.
  template <class F>
  void each(const toml::table& table, std::string_view key, F&& f) {
    const auto* array = table[key].as_array();
    if (array == nullptr || array->empty()) {
      wrong(table, fmt::format("'{}' must be a list with at least one entry", key));
      return;
    }
    for (const auto& entry : *array) {
      if (const auto* inner = entry.as_table())
        f(*inner);
      else
        wrong(entry, fmt::format("each entry of '{}' must be a table", key));
    }
  }

  std::vector<std::string> texts(const toml::table& table, std::string_view key) {
    std::vector<std::string> out;
    if (const auto* array = table[key].as_array())
      for (const auto& entry : *array) {
        if (auto value = entry.value<std::string>())
          out.push_back(*value);
        else
          wrong(entry, fmt::format("'{}' must be a list of texts", key));
      }
    return out;
  }

 private:
  std::string file_;
  std::optional<Error> error_;
};

Kernel read_kernel(Reader& reader, const toml::table& table) {
  Kernel kernel;
  kernel.name = reader.text(table, "name");
  kernel.label = reader.words(table, "label");
  kernel.text = reader.words(table, "text");
  kernel.file = reader.text(table, "file");
  kernel.entry = reader.text(table, "entry");
  kernel.check = reader.text(table, "check", "");
  kernel.toggles = reader.texts(table, "toggles");
  if (const auto* presets = table["presets"].as_table())
    for (const auto& [key, value] : *presets)
      kernel.presets.emplace_back(std::string(key.str()), reader.text(*presets, key.str()));
  // A file name stays a file name: a lesson cannot reach outside of kernels/.
  if (kernel.file.find_first_of("/\\") != std::string::npos)
    reader.wrong(table, fmt::format("'file' is '{}'; give the name of a file in kernels/, without a folder",
                                    kernel.file));
  return kernel;
}

Toggle read_toggle(Reader& reader, const toml::table& table) {
  Toggle toggle;
  toggle.name = reader.text(table, "name");
  toggle.label = reader.words(table, "label");
  toggle.hint = reader.words(table, "hint");
  const std::string key = reader.text(table, "key", "");
  toggle.key = key.empty() ? '\0' : key.front();
  toggle.define = reader.text(table, "define", "");
  toggle.free = reader.flag(table, "free");
  toggle.initial = reader.text(table, "initial");
  reader.each(table, "choices", [&](const toml::table& entry) {
    Choice choice;
    choice.value = reader.text(entry, "value");
    choice.define = reader.text(entry, "define", choice.value);
    choice.label = reader.words(entry, "label", choice.value);
    toggle.choices.push_back(std::move(choice));
  });
  return toggle;
}

void check_unique(Reader& reader, const toml::table& root, std::string_view what,
                  std::vector<std::string> names) {
  std::ranges::sort(names);
  if (const auto twice = std::ranges::adjacent_find(names); twice != names.end())
    reader.wrong(root,
                 fmt::format("there are two {} named '{}'; each needs a name of its own", what, *twice));
}

/// What the toggles are set to at first and by the kernels must be among their values.
void check_values(Reader& reader, const toml::table& root, const Lesson& lesson) {
  const auto check = [&](const std::string& who, const std::string& toggle, const std::string& value) {
    if (const auto set = with_toggle(lesson, {}, toggle, value); !set)
      reader.wrong(root, fmt::format("{} sets '{}' to '{}': {}", who, toggle, value, set.error().message));
  };
  for (const Toggle& toggle : lesson.toggles) check("'initial'", toggle.name, toggle.initial);
  for (const Kernel& kernel : lesson.kernels)
    for (const auto& [name, value] : kernel.presets)
      check(fmt::format("kernel '{}'", kernel.name), name, value);
}

void check_names(Reader& reader, const toml::table& root, const Lesson& lesson) {
  std::vector<std::string> toggles{"kernel"}, kernels;  // --set kernel=... chooses the kernel
  for (const Toggle& toggle : lesson.toggles) {
    toggles.push_back(toggle.name);
    std::vector<std::string> values;
    for (const Choice& choice : toggle.choices) values.push_back(choice.value);
    check_unique(reader, root, fmt::format("choices of '{}'", toggle.name), std::move(values));
  }
  for (const Kernel& kernel : lesson.kernels) kernels.push_back(kernel.name);
  check_unique(reader, root, "toggles", std::move(toggles));
  check_unique(reader, root, "kernels", std::move(kernels));
  for (const Kernel& kernel : lesson.kernels) {
    for (const std::string& name : kernel.toggles)
      if (find_toggle(lesson, name) == nullptr)
        reader.wrong(root, fmt::format("kernel '{}' names a toggle '{}' that the lesson does not have",
                                       kernel.name, name));
    for (const auto& [name, value] : kernel.presets)
      if (find_toggle(lesson, name) == nullptr)
        reader.wrong(root, fmt::format("kernel '{}' presets a toggle '{}' that the lesson does not have",
                                       kernel.name, name));
  }
}

}  // namespace

Result<Lesson> read_lesson(const std::filesystem::path& file) {
  toml::table root;
  try {
    root = toml::parse_file(file.string());
  } catch (const toml::parse_error& parse_error) {
    const auto line = static_cast<int>(parse_error.source().begin.line);
    return fail(line == 0 ? ErrorKind::File : ErrorKind::Syntax,
                fmt::format("the lesson cannot be read: {}", parse_error.description()),
                Location{file.string(), line});
  }
  Reader reader(file.string());
  Lesson lesson;
  lesson.name = file.stem().string();
  lesson.title = reader.words(root, "title");
  lesson.text = reader.words(root, "text");
  lesson.launch = reader.text(root, "launch");
  lesson.initial_kernel = reader.text(root, "kernel");
  reader.each(root, "kernels",
              [&](const toml::table& table) { lesson.kernels.push_back(read_kernel(reader, table)); });
  reader.each(root, "toggles",
              [&](const toml::table& table) { lesson.toggles.push_back(read_toggle(reader, table)); });
  check_names(reader, root, lesson);
  if (!reader.error()) check_values(reader, root, lesson);
  const auto first = [&](const Kernel& kernel) { return kernel.name == lesson.initial_kernel; };
  if (std::ranges::none_of(lesson.kernels, first))
    reader.wrong(
        root, fmt::format("'kernel' is '{}', which is none of the lesson's kernels", lesson.initial_kernel));
  if (const auto& error = reader.error()) return std::unexpected(*error);
  return lesson;
}

std::vector<std::string> lesson_names(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

Result<Lesson> find_lesson(const std::filesystem::path& folder, std::string_view name) {
  const std::vector<std::string> names = lesson_names(folder);
  if (std::ranges::find(names, name) == names.end())
    return fail(ErrorKind::Usage,
                fmt::format("there is no lesson '{}'; choose one of: {}", name, fmt::join(names, ", ")));
  return read_lesson(folder / fmt::format("{}.toml", name));
}

}  // namespace lanescope::lesson
