#include "driver/server/source_texts.h"

#include "base/lines.h"
#include "base/utf8.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <utility>

namespace lanescope::driver {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMostBytes = uint64_t{4} << 20;

std::string text_of_file(const std::string& name) {
  std::error_code problem;
  if (!fs::is_regular_file(name, problem) || fs::file_size(name, problem) > kMostBytes || problem) return {};
  std::ifstream file(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

void SourceTexts::add(const std::string& name, std::string text) {
  Text& entry = texts_[name];
  entry = {.whole = std::move(text), .lines = {}};
  for (const std::string_view line : lines_of(entry.whole)) entry.lines.push_back(valid_utf8(trimmed(line)));
}

const SourceTexts::Text& SourceTexts::read(const std::string& name) {
  if (!texts_.contains(name)) add(name, text_of_file(name));
  return texts_[name];
}

std::string SourceTexts::line(const Location& where) {
  const Text& text = read(where.file);
  const auto number = static_cast<size_t>(where.line);
  return where.line < 1 || number > text.lines.size() ? "" : text.lines[number - 1];
}

std::string SourceTexts::text(const std::string& name) { return read(name).whole; }

void add_file(std::vector<std::string>& files, const Location& place) {
  if (place.line > 0 && std::ranges::find(files, place.file) == files.end()) files.push_back(place.file);
}

std::vector<std::string> files_of(const trace::Trace& trace) {
  std::vector<std::string> files;
  for (const trace::Site& site : trace.sites) {
    add_file(files, site.source);
    for (const Location& caller : site.called_from) add_file(files, caller);
  }
  return files;
}

}  // namespace lanescope::driver
