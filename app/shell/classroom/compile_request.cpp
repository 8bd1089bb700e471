#include "shell/classroom/compile_request.h"

#include "compile/include_files.h"

#include <algorithm>
#include <array>
#include <functional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lanescope::shell {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr size_t kMostHeaders = 32;
constexpr size_t kMostWords = 64;  // macros and instances, each
constexpr size_t kMostWordBytes = 512;
constexpr size_t kMostLogBytes = size_t{64} << 10;

std::unexpected<Error> wrong(std::string_view what) {
  return fail(ErrorKind::Usage, fmt::format("a source with its headers was expected as JSON, and {}", what));
}

bool is_one_of(char c, std::string_view more) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || more.contains(c);
}

/// A name of a file below a folder, without a step out of it.
bool is_name(std::string_view name) {
  return !name.empty() && name.size() <= 200 && name.front() != '/' && !name.contains("..") &&
         std::ranges::all_of(name, [](char c) { return is_one_of(c, "_-+./ "); });
}

/// A name as students' files have it, which compilers quote and never open: "own (1).cu".
bool is_source_name(std::string_view name) {
  return !name.empty() && name.size() <= 200 && !name.contains("..") &&
         std::ranges::none_of(name, [](char c) {
           return static_cast<unsigned char>(c) < ' ' || c == '/' || c == '\\' || c == '"';
         });
}

/// NAME or NAME=VALUE in one line.
bool is_macro(std::string_view text) {
  const std::string_view name = text.substr(0, text.find('='));
  return !name.empty() && std::ranges::all_of(name, [](char c) { return is_one_of(c, "_"); }) &&
         std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) < ' '; });
}

bool is_instance(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return is_one_of(c, "_<>,:*& -()"); });
}

bool is_architecture(std::string_view text) {
  return text.starts_with("sm_") && text.size() <= 8 &&
         std::ranges::all_of(text, [](char c) { return is_one_of(c, "_"); });
}

/// The text named `key`.
Result<std::string> text_at(const Json& json, const char* key) {
  if (!json.contains(key) || !json[key].is_string()) return wrong(fmt::format("it has no text '{}'", key));
  return json[key].get<std::string>();
}

Result<std::vector<std::string>> words_at(const Json& json, const char* key,
                                          const std::function<bool(std::string_view)>& is_right) {
  std::vector<std::string> words;
  if (!json.contains(key)) return words;
  if (!json[key].is_array() || json[key].size() > kMostWords)
    return wrong(fmt::format("'{}' is no list of at most {} texts", key, kMostWords));
  for (const Json& one : json[key]) {
    if (!one.is_string() || one.get_ref<const std::string&>().size() > kMostWordBytes ||
        !is_right(one.get_ref<const std::string&>()))
      return wrong(fmt::format("'{}' has something else in it", key));
    words.push_back(one.get<std::string>());
  }
  return words;
}

Result<std::vector<compile::Header>> headers_at(const Json& json) {
  std::vector<compile::Header> headers;
  if (!json.contains("headers")) return headers;
  if (!json["headers"].is_array() || json["headers"].size() > kMostHeaders)
    return wrong(fmt::format("'headers' is no list of at most {} files", kMostHeaders));
  for (const Json& one : json["headers"]) {
    if (!one.is_object()) return wrong("a header is no object");
    TRY(std::string name, text_at(one, "name"));
    TRY(std::string text, text_at(one, "text"));
    if (!is_name(name)) return wrong("the name of a header is none");
    headers.push_back({std::move(name), std::move(text)});
  }
  return headers;
}

/// "#" in its two other spellings, by which a line of the preprocessor would escape the scan.
bool has_other_hash(std::string_view text) { return text.contains("%:") || text.contains("?\?="); }

bool leads_elsewhere(std::string_view name) {
  return name.starts_with('/') || name.contains("..") || name.contains('\\') || name.starts_with('~');
}

std::unexpected<Error> reads_elsewhere(const compile::SourceFile& file, int line) {
  return fail(ErrorKind::Unsupported,
              "this includes what is neither the lesson's nor CUDA's; paste the text of the header in its "
              "place",
              Location{file.name, line});
}

std::string without_folders(std::string text, const std::vector<fs::path>& folders) {
  for (const fs::path& folder : folders)
    for (size_t at = 0; (at = text.find(folder.string() + "/", at)) != std::string::npos;)
      text.erase(at, folder.string().size() + 1);
  return text;
}

std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

Result<CompileRequest> read_compile_request(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return wrong("something else was found");
  CompileRequest request;
  TRY(request.source.file_name, text_at(json, "name"));
  TRY(request.source.text, text_at(json, "text"));
  TRY(request.source.headers, headers_at(json));
  if (!is_source_name(request.source.file_name)) return wrong("the name of the source is none");
  if (json.contains("arch")) {
    TRY(request.options.arch, text_at(json, "arch"));
  }
  if (json.contains("standard")) {
    TRY(request.options.standard, text_at(json, "standard"));
  }
  constexpr std::array<std::string_view, 5> kStandards{"c++03", "c++11", "c++14", "c++17", "c++20"};
  if (!is_architecture(request.options.arch) ||
      std::ranges::find(kStandards, request.options.standard) == kStandards.end())
    return wrong("'arch' is no sm_90 or 'standard' no c++17");
  TRY(request.options.defines, words_at(json, "defines", is_macro));
  TRY(request.options.instances, words_at(json, "instances", is_instance));
  if (json.contains("launched_instances_of")) {
    TRY(request.options.launched_instances_of, text_at(json, "launched_instances_of"));
  }
  return request;
}

Result<void> check_includes(const CompileRequest& request, const std::vector<fs::path>& cuda_folders) {
  TRY(const compile::SourceFiles read,
      compile::read_source_files(request.source, request.options, cuda_folders));
  for (const compile::SourceFile& file : read.files) {
    if (has_other_hash(file.text)) return reads_elsewhere(file, 0);
    for (const compile::IncludeLine& line : file.includes)
      if (line.found == compile::IncludeLine::Found::File || leads_elsewhere(line.name))
        return reads_elsewhere(file, line.line);
  }
  // A probe tells whether a file is there.
  if (!read.is_complete || read.probes.contains("..") || read.probes.starts_with('/') ||
      read.probes.contains("\n/"))
    return reads_elsewhere(read.files.front(), 0);
  return {};
}

std::string answer_of(const compile::Compilation& compilation, const std::vector<fs::path>& cuda_folders) {
  std::string log = without_folders(compilation.log, cuda_folders);
  if (log.size() > kMostLogBytes) log.resize(kMostLogBytes);
  return dumped({{"ptx", compilation.ptx ? Json(*compilation.ptx) : Json()}, {"log", std::move(log)}});
}

std::string answer_of(const Error& error) { return dumped({{"error", describe(error)}}); }

}  // namespace lanescope::shell
