// Reads keys of TOML tables and remembers the first thing that is wrong, with its line.
// Tests: tests/unit/lesson/lesson_test.cpp

#pragma once

#include "lesson/lesson.h"

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <toml++/toml.h>

namespace lanescope::lesson {

/// The table in `file`. Errors: File, also above 1 MiB; Syntax with the line.
Result<toml::table> read_toml(const std::filesystem::path& file);

/// What a file of ours says in its first line, and how errors name such a file.
struct FileFormat {
  const char* key;        // "lanescope_session"
  int64_t version;        // that is read
  std::string_view name;  // "session"
  std::string_view kind;  // "saved session"
  std::string_view made;  // "saved": what another version of Lanescope did to it
};
/// Errors: Syntax where the file is of another format, or none of that kind.
Result<void> check_format(const toml::table& root, const FileFormat& format,
                          const std::filesystem::path& file);

class TableReader {
 public:
  explicit TableReader(std::string file) : file_(std::move(file)) {}

  const std::optional<Error>& error() const { return error_; }
  Location where(const toml::node& node) const;

  /// Only the first complaint is kept.
  void wrong(const toml::node& at, std::string message);
  void wrong(Error error);

  /// Complains of a key that is none of these: most of them are misspelled.
  void only(const toml::table& table, std::initializer_list<std::string_view> keys);

  /// Adds `name` to `known`, and complains if it is there. `what`: "kernels".
  void unique(const toml::node& at, std::string_view what, std::vector<std::string>& known,
              const std::string& name);

  std::string text(const toml::table& table, std::string_view key,
                   const std::optional<std::string>& otherwise = {});
  /// A text for both languages, or {english = "...", french = "..."}.
  Words words(const toml::table& table, std::string_view key,
              const std::optional<std::string>& otherwise = {});
  std::vector<std::string> texts(const toml::table& table, std::string_view key);
  /// Null where there is none.
  const toml::table* table(const toml::table& table, std::string_view key);
  int64_t number(const toml::table& table, std::string_view key, int64_t otherwise);
  double decimal(const toml::table& table, std::string_view key);
  bool flag(const toml::table& table, std::string_view key);
  /// A table of toggles and their values, with "kernel" first: choosing a kernel sets its presets, which the
  /// others follow. Empty where there is none.
  std::vector<std::pair<std::string, std::string>> settings(const toml::table& table, std::string_view key);
  /// A number, or an expression in quotes.
  Expression expression(const toml::node& node);

  /// Calls f for each table of an array of tables; an array without any is wrong where one is needed.
  enum class Need { One, None };
  template <class F>
  void each(const toml::table& table, std::string_view key, Need need, F&& f) {
    const toml::node* const node = table.get(key);
    const toml::array* const array = node ? node->as_array() : nullptr;
    if (array == nullptr || array->empty()) {
      if (need == Need::One || (node && !array))
        wrong(node ? *node : table, "'" + std::string(key) + "' must be a list with at least one entry");
      return;
    }
    for (const auto& entry : *array) {
      if (const auto* inner = entry.as_table())
        f(*inner);
      else
        wrong(entry, "each entry of '" + std::string(key) + "' must be a table");
    }
  }

 private:
  std::string file_;
  std::optional<Error> error_;
};

/// Whether it names a file of a folder, and cannot reach out of it.
bool is_plain_file_name(std::string_view name);

/// The table `launch` of a lesson and of one of its kernels, whose keys replace the lesson's. `own` may be
/// null.
LaunchPlan read_launch(TableReader& reader, const toml::table& lesson, const toml::table* own);

/// Complains of names in the launch that are none of the lesson's toggles, and of unknown types.
void check_launch(TableReader& reader, const Lesson& lesson, const LaunchPlan& plan);

/// The tables `toggles` of `root`.
std::vector<Toggle> read_toggles(TableReader& reader, const toml::table& root);
/// Complains of equal names, choices and keys, and of initial values that the toggle cannot have.
void check_toggles(TableReader& reader, const toml::table& root, const Lesson& lesson);

/// The table `studies`.
Studies read_studies(TableReader& reader, const toml::table& table);

}  // namespace lanescope::lesson
