#include "handout/packed_launches.h"

#include "base/file.h"
#include "compile/compile.h"
#include "export/json.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <memory>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::handout {
namespace {

using exporting::Json;
namespace fs = std::filesystem;

constexpr const char* kFolder = "/file/";

bool is_identifier(std::string_view name) {
  const auto is_letter = [](unsigned char c) { return c == '_' || std::isalnum(c) != 0; };
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0 &&
         std::ranges::all_of(name, is_letter);
}

std::string_view name_of(std::string_view define) { return define.substr(0, define.find('=')); }

/// The settings of each choice of all macros.
std::vector<lesson::Settings> all_settings(const Offer& macros) {
  std::vector<lesson::Settings> all(1);
  for (const auto& [name, values] : macros) {
    std::vector<lesson::Settings> more;
    for (const lesson::Settings& settings : all)
      for (const std::string& value : values) more.emplace_back(settings).values[name] = value;
    all = std::move(more);
  }
  return all;
}

/// What the PTX of a text is found by: the text's options that the launches name.
std::string key_of(const compile::Options& options) {
  return fmt::format("{}\n{}", fmt::join(options.defines, "\n"), fmt::join(options.instances, "\n"));
}

/// The PTX without the folders of this machine: the names of its files are those in the page.
std::string with_page_names(std::string_view ptx) {
  std::string text;
  while (!ptx.empty()) {
    const size_t end = std::min(ptx.find('\n'), ptx.size() - 1) + 1;
    const std::string_view line = ptx.substr(0, end);
    ptx.remove_prefix(end);
    const size_t begins = line.find('"');
    const size_t ends = line.rfind('"');
    const size_t first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos || !line.substr(first).starts_with(".file") || begins == ends) {
      text += line;
      continue;
    }
    const fs::path name = line.substr(begins + 1, ends - begins - 1);
    text += line.substr(0, begins + 1);
    text += kFolder + name.filename().string();
    text += line.substr(ends);
  }
  return text;
}

/// Gives each file that an argument or a variable begins with a place in the page.
class Arrays {
 public:
  explicit Arrays(PackedFiles& files) : files_(files) {}

  Result<void> take(std::string& spec) {
    constexpr std::string_view kFile = "file(";
    if (spec.find("partly(") != std::string::npos)
      return fail(ErrorKind::Unsupported, "a buffer is initialized in part");
    for (size_t at = spec.find(kFile); at != std::string::npos; at = spec.find(kFile, at)) {
      at += kFile.size();
      const size_t end = spec.find(')', at);
      const std::string path = spec.substr(at, end - at);
      auto known = places_.find(path);
      if (known == places_.end()) {
        TRY(std::string bytes, read_text(path));
        bytes_ += bytes.size();
        if (bytes_ > kMostArrayBytes)
          return fail(ErrorKind::Limit, fmt::format("the files that buffers begin with have more than {} MiB",
                                                    kMostArrayBytes >> 20));
        const std::string place =
            fmt::format("{}array{}{}", kFolder, places_.size(), fs::path(path).extension().string());
        files_.bytes.emplace(place, std::move(bytes));
        known = places_.emplace(path, place).first;
      }
      spec.replace(at, path.size(), known->second);
    }
    return {};
  }

 private:
  PackedFiles& files_;
  std::map<std::string, std::string> places_;  // [path]
  uint64_t bytes_ = 0;
};

/// Adds the PTX of each choice; one that cannot be compiled here is counted.
Result<Json> ptx_of(const FileLaunches& launches, pipeline::Execution& execution, PackedFiles& files) {
  Json all = Json::object();
  for (const lesson::Settings& settings : all_settings(launches.macros)) {
    TRY(const auto steps, pipeline::steps_of_files(launches_at(launches, settings), launches.options));
    for (const pipeline::Step& step : steps) {
      const std::string key = key_of(step.job.options);
      if (step.job.text == pipeline::Job::Text::Ptx || all.contains(key)) continue;
      if (const auto ptx = execution.compiler().ptx_text(step.job))
        all[key] = with_page_names(*ptx);
      else if (files.without_ptx++ == 0)
        files.reason = describe(ptx.error());
    }
  }
  return all;
}

}  // namespace

Result<Offer> parse_macros(const std::vector<std::string>& words) {
  Offer macros;
  size_t texts = 1;
  for (const std::string& word : words) {
    const size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const bool is_new = std::ranges::find(macros, name, &Offer::value_type::first) == macros.end();
    if (equals == std::string::npos || equals + 1 == word.size() || !is_identifier(name) || !is_new)
      return fail(ErrorKind::Usage, fmt::format("--toggle of a file is a macro with its values, each macro "
                                                "once, for example TILE=16,32; found '{}'",
                                                word));
    std::vector<std::string> values = values_listed(std::string_view(word).substr(equals + 1));
    texts *= values.size();
    if (texts > kMostTexts)
      return fail(
          ErrorKind::Usage,
          fmt::format("the values of --toggle make more than {} texts of PTX; give fewer", kMostTexts));
    macros.emplace_back(name, std::move(values));
  }
  return macros;
}

lesson::Settings take_macros(FileLaunches& launches) {
  lesson::Settings settings;
  for (auto& [name, values] : launches.macros) {
    std::optional<std::string> given;
    for (auto* defines : {&launches.options.defines, &launches.launches.defines})
      std::erase_if(*defines, [&](const std::string& define) {
        if (name_of(define) != name) return false;
        given = define.size() == name.size() ? "1" : define.substr(name.size() + 1);
        return true;
      });
    if (given && std::ranges::find(values, *given) == values.end()) values.insert(values.begin(), *given);
    settings.values[name] = given.value_or(values.front());
  }
  return settings;
}

pipeline::LaunchFile launches_at(const FileLaunches& launches, const lesson::Settings& settings) {
  pipeline::LaunchFile all = launches.launches;
  for (const auto& [name, value] : settings.values) all.defines.push_back(fmt::format("{}={}", name, value));
  return all;
}

Result<PackedFiles> files_of(const FileLaunches& launches, const model::Device& device,
                             const pipeline::Options& options, pipeline::Execution& execution) {
  PackedFiles files;
  TRY_VOID(add_device(files, device, options));
  pipeline::LaunchFile there = launches.launches;
  there.include_directories.clear();
  there.defines.insert(there.defines.begin(), launches.options.defines.begin(),
                       launches.options.defines.end());
  const std::string source = there.launches.front().file;
  const std::string name = fs::path(source).filename().string();
  TRY(files.texts[kFolder + name], read_text(source));
  Arrays arrays(files);
  for (std::string& buffer : there.buffers) TRY_VOID(arrays.take(buffer));
  for (auto& [variable, contents] : there.variables) TRY_VOID(arrays.take(contents));
  for (pipeline::LaunchText& launch : there.launches) {
    if (!launch.file.empty() && launch.file != source)
      return fail(ErrorKind::Unsupported, "the launches are of several files");
    launch.file = name;
    for (std::string& argument : launch.arguments) TRY_VOID(arrays.take(argument));
  }
  Json packed{{"launches", pipeline::launch_file_text(there)}};
  TRY(packed["ptx"], ptx_of(launches, execution, files));
  packed["macros"] = Json::array();
  for (const auto& [macro, values] : launches.macros) packed["macros"].push_back({macro, values});
  files.subject = std::string(kFolder) + "run.json";
  files.texts.emplace(files.subject, packed.dump(-1, ' ', false, Json::error_handler_t::replace));
  return files;
}

Result<FileLaunches> read_packed_launches(const fs::path& file, pipeline::Options& options) {
  TRY(const std::string text, read_text(file));
  const Json packed = Json::parse(text, nullptr, false);
  if (packed.is_discarded()) return fail(ErrorKind::Syntax, fmt::format("{} is not JSON", file.string()));
  FileLaunches launches;
  TRY(launches.launches, pipeline::parse_launch_file(packed.at("launches").get<std::string>(), file));
  for (const Json& macro : packed.at("macros"))
    launches.macros.emplace_back(macro.at(0).get<std::string>(), macro.at(1).get<std::vector<std::string>>());
  auto texts = std::make_shared<const Json>(packed.at("ptx"));
  options.compile_elsewhere = [texts](const compile::Source& source, const compile::Options& wanted,
                                      const std::stop_token&) -> Result<compile::Compilation> {
    const auto found = texts->find(key_of(wanted));
    if (found == texts->end())
      return fail(ErrorKind::File, fmt::format("the page has no PTX of {} with {}", source.file_name,
                                               fmt::join(wanted.defines, ", ")));
    compile::Compilation made;
    made.ptx = found->get<std::string>();
    return made;
  };
  return launches;
}

}  // namespace lanescope::handout
