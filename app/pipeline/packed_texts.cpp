#include "pipeline/packed_texts.h"

#include "base/file.h"

#include <algorithm>
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

Result<void> unpack_next(std::string_view& rest, const std::filesystem::path& folder) {
  const std::string_view line = rest.substr(0, rest.find('\n'));
  const std::string_view name = line.substr(0, line.find(' '));
  const std::string_view digits = line.substr(std::min(line.size(), name.size() + 1));
  size_t length = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), length);
  const bool is_line = is_name(name) && error == std::errc() && end == digits.data() + digits.size() &&
                       line.size() < rest.size();
  if (!is_line || length > rest.size() - line.size() - 1)
    return fail(ErrorKind::Syntax,
                fmt::format("the lesson's PTX is cut off {} bytes before its end; load the "
                            "page again",
                            rest.size()));
  TRY_VOID(write_file(folder / name, rest.substr(line.size() + 1, length)));
  rest.remove_prefix(line.size() + 1 + length);
  return {};
}

}  // namespace lanescope::pipeline
