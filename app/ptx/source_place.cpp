#include "ptx/source_place.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <string>

namespace lanescope::ptx {
namespace {

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

/// The number at the start of the text, which then begins after it; absent if there is none.
std::optional<int> take_number(std::string_view& text) {
  text = trimmed(text);
  int number = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (status != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return number;
}

struct FileLine {
  int file = 0;
  int line = 0;
};

}  // namespace

std::optional<Location> source_place_of(std::string_view ptx, int ptx_line) {
  std::map<int, std::string> files;
  std::optional<FileLine> place;
  int number = 0;
  while (!ptx.empty()) {
    std::string_view line = trimmed(ptx.substr(0, ptx.find('\n')));
    ptx.remove_prefix(std::min(ptx.find('\n'), ptx.size() - 1) + 1);
    ++number;
    if (line.starts_with(".file")) {
      line.remove_prefix(5);
      const auto file = take_number(line);
      const size_t open = line.find('"');
      const size_t close = line.find('"', open + 1);
      if (file && open != std::string_view::npos && close != std::string_view::npos)
        files[*file] = line.substr(open + 1, close - open - 1);
    }
    if (number > ptx_line) continue;
    if (line.starts_with("}")) place.reset();  // the next function
    if (!line.starts_with(".loc")) continue;
    line.remove_prefix(4);
    const auto file = take_number(line);
    const auto source_line = take_number(line);
    if (file && source_line) place = FileLine{*file, *source_line};
  }
  if (!place || place->line == 0 || !files.contains(place->file)) return std::nullopt;
  return Location{files[place->file], place->line};
}

}  // namespace lanescope::ptx
