#include "base/toml_keys.h"

#include <fmt/format.h>

namespace lanescope {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t'; }

bool is_of_key(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         c == '"' || c == '\'';
}

}  // namespace

Result<void> refuse_long_keys(std::string_view text, const std::filesystem::path& file) {
  int line = 1, parts = 1;
  char before = '\0';  // the last character that is no space
  for (const char c : text) {
    if (c == '\n') ++line;
    if (c == '.')
      parts += before == '.' ? 0 : 1;
    else if (!is_of_key(c) && !is_space(c))
      parts = 1;
    if (!is_space(c)) before = c;
    if (parts > kMostKeyParts)
      return fail(ErrorKind::Syntax,
                  fmt::format("a key of at most {} parts with dots between them was expected", kMostKeyParts),
                  Location{file.string(), line});
  }
  return {};
}

}  // namespace lanescope
