#include "lesson/table_reader.h"

#include "base/file.h"
#include "base/toml_keys.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::lesson {

Result<toml::table> read_toml(const std::filesystem::path& file) {
  constexpr uint64_t kMaximumBytes = 1 << 20;
  TRY(const std::string text, read_text(file, kMaximumBytes));
  TRY_VOID(refuse_long_keys(text, file));
  try {
    return toml::parse(text, file.string());
  } catch (const toml::parse_error& parse_error) {
    const auto line = static_cast<int>(parse_error.source().begin.line);
    return fail(line == 0 ? ErrorKind::File : ErrorKind::Syntax,
                fmt::format("the file cannot be read: {}", parse_error.description()),
                Location{file.string(), line});
  }
}

bool is_plain_file_name(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && name.find_first_of("/\\") == std::string_view::npos;
}

Result<void> check_format(const toml::table& root, const FileFormat& format,
                          const std::filesystem::path& file) {
  const auto version = root[format.key].value_exact<int64_t>();
  if (version == format.version) return {};
  return fail(
      ErrorKind::Syntax,
      version ? fmt::format("a {} of format {} was expected, this is format {}; open it with the version of "
                            "Lanescope that {} it",
                            format.name, format.version, *version, format.made)
              : fmt::format("this is no {}: '{} = {}' was expected", format.kind, format.key, format.version),
      Location{file.string(), 0});
}

Location TableReader::where(const toml::node& node) const {
  return {file_, static_cast<int>(node.source().begin.line)};
}

void TableReader::wrong(const toml::node& at, std::string message) {
  wrong(Error{ErrorKind::Syntax, std::move(message), where(at)});
}

void TableReader::wrong(Error error) {
  if (!error_) error_ = std::move(error);
}

void TableReader::only(const toml::table& table, std::initializer_list<std::string_view> keys) {
  for (const auto& [key, value] : table)
    if (std::ranges::find(keys, key.str()) == keys.end())
      wrong(value, fmt::format("'{}' is unknown here; known are: {}", key.str(), fmt::join(keys, ", ")));
}

void TableReader::unique(const toml::node& at, std::string_view what, std::vector<std::string>& known,
                         const std::string& name) {
  if (std::ranges::find(known, name) != known.end())
    wrong(at, fmt::format("there are two {} named '{}'; each needs a name of its own", what, name));
  known.push_back(name);
}

std::string TableReader::text(const toml::table& table, std::string_view key,
                              const std::optional<std::string>& otherwise) {
  if (auto value = table[key].value<std::string>()) return *value;
  if (const auto* node = table.get(key))
    wrong(*node, fmt::format("'{}' must be a text in quotes", key));
  else if (!otherwise)
    wrong(table, fmt::format("'{}' is missing; add {} = \"...\"", key, key));
  return otherwise.value_or("");
}

Words TableReader::words(const toml::table& table, std::string_view key,
                         const std::optional<std::string>& otherwise) {
  if (const auto* both = table[key].as_table()) {
    only(*both, {"english", "french"});
    return {text(*both, "english"), text(*both, "french")};
  }
  if (const auto one = table[key].value<std::string>()) return {*one, *one};
  if (const auto* node = table.get(key))
    wrong(*node, fmt::format("'{}' must be a text, or {{english = \"...\", french = \"...\"}}", key));
  else if (!otherwise)
    wrong(table, fmt::format("'{0}' is missing; add {0} = \"...\", or {0} = {{english = \"...\", "
                             "french = \"...\"}}",
                             key));
  return {otherwise.value_or(""), otherwise.value_or("")};
}

std::vector<std::string> TableReader::texts(const toml::table& table, std::string_view key) {
  std::vector<std::string> out;
  const toml::node* const node = table.get(key);
  if (node == nullptr) return out;
  if (!node->is_array()) {
    wrong(*node, fmt::format("'{}' must be a list of texts", key));
    return out;
  }
  for (const auto& entry : *node->as_array()) {
    if (auto value = entry.value<std::string>())
      out.push_back(*value);
    else
      wrong(entry, fmt::format("'{}' must be a list of texts", key));
  }
  return out;
}

const toml::table* TableReader::table(const toml::table& table, std::string_view key) {
  const toml::node* const node = table.get(key);
  if (node != nullptr && !node->is_table())
    wrong(*node, fmt::format("'{}' must be a table: {} = {{...}}, or its keys below [{}]", key, key, key));
  return node == nullptr ? nullptr : node->as_table();
}

int64_t TableReader::number(const toml::table& table, std::string_view key, int64_t otherwise) {
  const toml::node* const node = table.get(key);
  if (node == nullptr) return otherwise;
  if (const auto value = node->value_exact<int64_t>()) return *value;
  wrong(*node, fmt::format("'{}' must be a whole number", key));
  return otherwise;
}

double TableReader::decimal(const toml::table& table, std::string_view key) {
  if (const auto value = table[key].value<double>()) return *value;
  wrong(table, fmt::format("the number '{}' is missing", key));
  return 0;
}

bool TableReader::flag(const toml::table& table, std::string_view key) {
  const toml::node* const node = table.get(key);
  if (node == nullptr) return false;
  if (const auto value = node->value_exact<bool>()) return *value;
  wrong(*node, fmt::format("'{}' must be true or false", key));
  return false;
}

std::vector<std::pair<std::string, std::string>> TableReader::settings(const toml::table& table,
                                                                       std::string_view key) {
  std::vector<std::pair<std::string, std::string>> values;
  if (const auto* set = this->table(table, key))
    for (const auto& [name, value] : *set) values.emplace_back(name.str(), text(*set, name.str()));
  std::ranges::stable_partition(values, [](const auto& value) { return value.first == "kernel"; });
  return values;
}

Expression TableReader::expression(const toml::node& node) {
  if (const auto number = node.value_exact<int64_t>()) return *number;
  if (const auto text = node.value_exact<std::string>()) {
    auto parsed = Expression::parse(*text, where(node));
    if (parsed) return *std::move(parsed);
    wrong(std::move(parsed).error());
  } else {
    wrong(node, "a whole number, or an expression in quotes, was expected");
  }
  return 1;
}

}  // namespace lanescope::lesson
