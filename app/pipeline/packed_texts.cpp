#include "pipeline/packed_texts.h"

#include "base/file.h"

#include <charconv>
#include <system_error>

#include <fmt/format.h>

namespace lanescope::pipeline {
namespace {

bool is_name(std::string_view name) {
  return !name.empty() && !name.starts_with('.') && name.find_first_of("/\\ ") == std::string_view::npos;
}

}  // namespace

std::string packed(std::string_view name, std::string_view text) {
  return fmt::format("{} {}\n{}", name, text.size(), text);
}

Result<size_t> unpack_texts(std::string_view content, const std::filesystem::path& folder) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  size_t count = 0;
  while (!content.empty()) {
    const std::string_view line = content.substr(0, content.find('\n'));
    const std::string_view name = line.substr(0, line.find(' '));
    const std::string_view digits = line.substr(std::min(line.size(), name.size() + 1));
    size_t length = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), length);
    const bool is_line = is_name(name) && error == std::errc() && end == digits.data() + digits.size() &&
                         line.size() < content.size();
    if (!is_line || length > content.size() - line.size() - 1)
      return fail(ErrorKind::Syntax,
                  fmt::format("text {} of the lesson's PTX is cut off; load the page again", count + 1));
    TRY_VOID(write_file(folder / name, content.substr(line.size() + 1, length)));
    content.remove_prefix(line.size() + 1 + length);
    ++count;
  }
  return count;
}

}  // namespace lanescope::pipeline
