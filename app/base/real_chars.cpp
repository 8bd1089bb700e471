#include "base/real_chars.h"

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>
#include <version>

namespace lanescope {
namespace {

float read(const char* text, char** stop, float) { return std::strtof(text, stop); }
double read(const char* text, char** stop, double) { return std::strtod(text, stop); }

/// The part of the text that from_chars would look at: strtod takes white space, a plus sign and hexadecimal
/// digits too.
std::string readable(std::string_view text) {
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  const bool begins =
      !digits.empty() && (digits[0] == '.' || (digits[0] >= '0' && digits[0] <= '9') ||
                          (digits[0] >= 'A' && digits[0] <= 'Z') || (digits[0] >= 'a' && digits[0] <= 'z'));
  if (!begins) return {};
  if (digits.starts_with("0x") || digits.starts_with("0X"))
    return std::string(text.substr(0, text.size() - digits.size() + 1));
  return std::string(text);
}

template <class Real>
std::from_chars_result parse(const char* begin, const char* end, Real& value) {
  const std::string text = readable({begin, end});
  char* stop = nullptr;
  errno = 0;
  const Real number = read(text.c_str(), &stop, Real{});
  const char* const rest = begin + (stop - text.c_str());
  if (rest == begin) return {begin, std::errc::invalid_argument};
  // strtod also reports a subnormal number, which fits.
  if (errno == ERANGE && (std::isinf(number) || number == 0)) return {rest, std::errc::result_out_of_range};
  value = number;
  return {rest, std::errc()};
}

}  // namespace

std::from_chars_result real_by_strtod(const char* begin, const char* end, float& value) {
  return parse(begin, end, value);
}
std::from_chars_result real_by_strtod(const char* begin, const char* end, double& value) {
  return parse(begin, end, value);
}

#ifdef __cpp_lib_to_chars
std::from_chars_result real_from_chars(const char* begin, const char* end, float& value) {
  return std::from_chars(begin, end, value);
}
std::from_chars_result real_from_chars(const char* begin, const char* end, double& value) {
  return std::from_chars(begin, end, value);
}
#else
std::from_chars_result real_from_chars(const char* begin, const char* end, float& value) {
  return parse(begin, end, value);
}
std::from_chars_result real_from_chars(const char* begin, const char* end, double& value) {
  return parse(begin, end, value);
}
#endif

}  // namespace lanescope
