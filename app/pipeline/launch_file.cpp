#include "pipeline/launch_file.h"

#include "base/file.h"
#include "base/toml_keys.h"
#include "launch/argument_spec.h"
#include "lesson/table_reader.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::pipeline {
namespace {

namespace fs = std::filesystem;
using lesson::TableReader;

constexpr uint64_t kMaximumBytes = 1 << 20;
constexpr size_t kMostLaunches = 1000;
constexpr int64_t kMostTimes = 1'000'000;

/// 4, [4, 2] or "4,2" as "4,2".
std::string extent_of(TableReader& reader, const toml::table& table, std::string_view key,
                      const std::string& otherwise) {
  const toml::node* const node = table.get(key);
  if (node == nullptr) {
    if (otherwise.empty()) reader.wrong(table, fmt::format("'{0}' is missing; add {0} = 256", key));
    return otherwise;
  }
  if (const auto number = node->value_exact<int64_t>()) return fmt::to_string(*number);
  if (const auto text = node->value_exact<std::string>()) return *text;
  std::vector<int64_t> numbers;
  if (const auto* array = node->as_array())
    for (const auto& entry : *array)
      if (const auto number = entry.value_exact<int64_t>()) numbers.push_back(*number);
  const auto* const array = node->as_array();
  if (array == nullptr || array->empty() || numbers.size() != array->size())
    reader.wrong(*node,
                 fmt::format("'{0}' must be a number or a list of up to three, as {0} = [32, 8]", key));
  return fmt::format("{}", fmt::join(numbers, ","));
}

LaunchText read_launch(TableReader& reader, const toml::table& table, const fs::path& folder,
                       const std::string& file) {
  reader.only(table, {"file", "kernel", "grid", "block", "shared", "cluster", "arguments", "times"});
  LaunchText launch;
  const std::string own = reader.text(table, "file", "");
  launch.file = own.empty() ? file : (folder / own).string();
  launch.kernel = reader.text(table, "kernel", "");
  launch.grid = extent_of(reader, table, "grid", "1");
  launch.block = extent_of(reader, table, "block", "");
  if (table.contains("cluster")) launch.cluster = extent_of(reader, table, "cluster", "");
  const int64_t shared = reader.number(table, "shared", 0);
  const int64_t times = reader.number(table, "times", 1);
  if (shared < 0 || shared > launch::kMaximumSharedBytes)
    reader.wrong(table,
                 fmt::format("'shared' is 0 to {} bytes, {} was given", launch::kMaximumSharedBytes, shared));
  if (times < 1 || times > kMostTimes)
    reader.wrong(table, fmt::format("'times' is 1 to {}, {} was given", kMostTimes, times));
  launch.shared_bytes = static_cast<uint64_t>(shared);
  launch.times = static_cast<uint64_t>(times);
  launch.arguments = reader.texts(table, "arguments");
  return launch;
}

std::string toml_text(std::string_view text) {
  std::string all = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') all += '\\';
    all += c;
  }
  return all + '"';
}

}  // namespace

Result<LaunchFile> read_launch_file(const fs::path& path) {
  TRY(const std::string text, read_text(path, kMaximumBytes));
  return parse_launch_file(text, path);
}

Result<LaunchFile> parse_launch_file(const std::string& text, const fs::path& path) {
  TRY_VOID(refuse_long_keys(text, path));
  toml::table root;
  try {
    root = toml::parse(text, path.string());
  } catch (const toml::parse_error& error) {
    return fail(ErrorKind::Syntax, fmt::format("this is not TOML: {}", error.description()),
                Location{path.string(), static_cast<int>(error.source().begin.line)});
  }
  TableReader reader(path.string());
  reader.only(root, {"file", "defines", "include", "buffers", "variables", "launch"});
  LaunchFile result;
  const fs::path folder = path.parent_path();
  const std::string own = reader.text(root, "file", "");
  const std::string file = own.empty() ? "" : (folder / own).string();
  result.defines = reader.texts(root, "defines");
  for (const std::string& name : reader.texts(root, "include"))
    result.include_directories.push_back((folder / name).lexically_normal().string());
  if (const toml::table* buffers = reader.table(root, "buffers"))
    for (const auto& [name, value] : *buffers)
      result.buffers.push_back(fmt::format("{}={}", name.str(), reader.text(*buffers, name.str())));
  if (const toml::table* variables = reader.table(root, "variables"))
    for (const auto& [name, value] : *variables)
      result.variables.emplace_back(std::string(name.str()), reader.text(*variables, name.str()));
  reader.each(root, "launch", TableReader::Need::One, [&](const toml::table& table) {
    result.launches.push_back(read_launch(reader, table, folder, file));
    if (result.launches.back().file.empty())
      reader.wrong(table, "'file' is missing: the file with the kernel, here or at the top");
    if (result.launches.size() > kMostLaunches)
      reader.wrong(table,
                   fmt::format("a file has at most {} launches; use 'times' for a loop", kMostLaunches));
  });
  if (reader.error()) return std::unexpected(*reader.error());
  return result;
}

std::string launch_file_text(const LaunchFile& file) {
  std::string text;
  if (!file.launches.empty()) text += fmt::format("file = {}\n", toml_text(file.launches.front().file));
  const auto list_of = [](const std::vector<std::string>& texts) {
    std::vector<std::string> all;
    for (const std::string& one : texts) all.push_back(toml_text(one));
    return fmt::format("[{}]", fmt::join(all, ", "));
  };
  if (!file.defines.empty()) text += fmt::format("defines = {}\n", list_of(file.defines));
  if (!file.include_directories.empty())
    text += fmt::format("include = {}\n", list_of(file.include_directories));
  text += "\n[buffers]\n";
  for (const std::string& buffer : file.buffers) {
    const size_t equals = buffer.find('=');
    text += fmt::format("{} = {}\n", buffer.substr(0, equals), toml_text(buffer.substr(equals + 1)));
  }
  if (!file.variables.empty()) text += "\n[variables]\n";
  for (const auto& [name, contents] : file.variables)
    text += fmt::format("{} = {}\n", toml_text(name), toml_text(contents));
  for (const LaunchText& launch : file.launches) {
    text += fmt::format("\n[[launch]]\nkernel = {}\ngrid = [{}]\nblock = [{}]\n", toml_text(launch.kernel),
                        launch.grid, launch.block);
    if (launch.shared_bytes != 0) text += fmt::format("shared = {}\n", launch.shared_bytes);
    if (!launch.cluster.empty()) text += fmt::format("cluster = [{}]\n", launch.cluster);
    text += fmt::format("arguments = {}\n", list_of(launch.arguments));
    if (launch.times != 1) text += fmt::format("times = {}\n", launch.times);
  }
  return text;
}

Result<launch::Variable> parse_variable(std::string_view name, std::string_view spec) {
  launch::Launch holder;
  TRY_VOID(launch::add_argument(holder, spec));
  launch::Variable variable{.name = std::string(name), .contents = {}};
  const launch::Argument& argument = holder.arguments.front();
  if (const auto* value = std::get_if<launch::Value>(&argument))
    variable.contents = std::make_shared<const launch::Bytes>(launch::copy_of(value->bytes));
  else if (std::holds_alternative<launch::ImageArgument>(argument))
    return fail(ErrorKind::Usage,
                fmt::format("the variable '{}' holds bytes, and no texture or surface; give "
                            "that as an argument of the kernel",
                            name));
  else
    variable.contents = holder.buffers[std::get<launch::BufferArgument>(argument).buffer].initial;
  return variable;
}

Result<std::vector<Step>> steps_of(const LaunchFile& file, const TextJob& text_job) {
  launch::Launch shared;
  for (const std::string& buffer : file.buffers) TRY_VOID(launch::add_argument(shared, buffer));
  for (const auto& [name, contents] : file.variables) {
    TRY(shared.variables.emplace_back(), parse_variable(name, contents));
  }
  std::vector<launch::Launch> launches;
  for (const LaunchText& text : file.launches) {
    launch::Launch& one = launches.emplace_back();
    one.buffers = shared.buffers;
    one.images = shared.images;
    TRY(one.grid, launch::parse_dim3(text.grid));
    TRY(one.block, launch::parse_dim3(text.block));
    if (!text.cluster.empty()) {
      TRY(one.cluster, launch::parse_dim3(text.cluster));
    }
    one.dynamic_shared_bytes = static_cast<uint32_t>(std::min<uint64_t>(text.shared_bytes, 0xffffffff));
    for (const std::string& argument : text.arguments) TRY_VOID(launch::add_argument(one, argument));
    shared.buffers = one.buffers;
    shared.images = one.images;
  }
  std::vector<Step> steps;
  for (size_t n = 0; n < launches.size(); ++n) {
    launches[n].buffers = shared.buffers;
    launches[n].variables = shared.variables;
    TRY_VOID(launch::check(launches[n]));
    TRY(Job job, text_job(file.launches[n].file, file.launches[n].kernel));
    job.options.defines.insert(job.options.defines.end(), file.defines.begin(), file.defines.end());
    job.launch = std::make_shared<const launch::Launch>(std::move(launches[n]));
    steps.push_back({std::move(job), file.launches[n].times, file.launches[n].guess});
  }
  return steps;
}

}  // namespace lanescope::pipeline
