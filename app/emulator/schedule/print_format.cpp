#include "emulator/schedule/print_format.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>

namespace lanescope::emulator {
namespace {

constexpr size_t kMostBytes = size_t{1} << 16;  // of one call
constexpr int kWidest = 4096;                   // field

struct Conversion {
  std::string flags;
  int width = -1;
  int precision = -1;
  bool is_long = false;  // 64 bits
  std::string length;    // hh, h, l, ll
  char letter = 0;
};

/// Reads digits, or a star, which means the next argument.
bool read_number(std::string_view format, size_t& at, PrintArguments& arguments, int& number) {
  if (at < format.size() && format[at] == '*') {
    ++at;
    const auto value = arguments.next(4);
    if (!value) return false;
    number = std::clamp(static_cast<int32_t>(static_cast<uint32_t>(*value)), -kWidest, kWidest);
    return true;
  }
  if (at >= format.size() || format[at] < '0' || format[at] > '9') return true;
  number = 0;
  for (; at < format.size() && format[at] >= '0' && format[at] <= '9'; ++at)
    number = std::min(number * 10 + (format[at] - '0'), kWidest);
  return true;
}

/// Conversion whose % is before `at`; moves `at` past it. Absent if it is incomplete or an argument is
/// missing.
std::optional<Conversion> read_conversion(std::string_view format, size_t& at, PrintArguments& arguments) {
  Conversion found;
  for (; at < format.size() && std::string_view("-+ #0").find(format[at]) != std::string_view::npos; ++at)
    if (found.flags.find(format[at]) == std::string::npos) found.flags += format[at];
  if (!read_number(format, at, arguments, found.width)) return std::nullopt;
  if (found.width < -1) {
    found.flags += '-';
    found.width = -found.width;
  }
  if (at < format.size() && format[at] == '.') {
    ++at;
    found.precision = 0;
    if (!read_number(format, at, arguments, found.precision)) return std::nullopt;
  }
  for (const std::string_view length : {"hh", "h", "ll", "l", "j", "z", "t"}) {
    if (!format.substr(std::min(at, format.size())).starts_with(length)) continue;
    found.length = length.starts_with('h') ? length : "";
    found.is_long = !length.starts_with('h');
    at += length.size();
    break;
  }
  if (at >= format.size()) return std::nullopt;
  found.letter = format[at++];
  return found;
}

/// Converts one argument by the C library. The format is composed here from parts that were checked.
template <class T>
std::string convert(const Conversion& conversion, std::string_view length, T value) {
  std::string format = "%" + conversion.flags;
  if (conversion.width >= 0) format += std::to_string(conversion.width);
  if (conversion.precision >= 0) format += "." + std::to_string(conversion.precision);
  format += length;
  format += conversion.letter;
  std::array<char, 512> brief{};
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  const int size = std::snprintf(brief.data(), brief.size(), format.c_str(), value);
  if (size < 0) return {};
  if (static_cast<size_t>(size) < brief.size()) return {brief.data(), static_cast<size_t>(size)};
  std::string text(static_cast<size_t>(size) + 1, '\0');
  std::snprintf(text.data(), text.size(), format.c_str(), value);
#pragma GCC diagnostic pop
  text.pop_back();
  return text;
}

std::optional<std::string> converted(const Conversion& conversion, PrintArguments& arguments,
                                     const std::function<std::string(uint64_t)>& string_at) {
  switch (conversion.letter) {
    case 'd':
    case 'i': {
      const auto value = arguments.next(conversion.is_long ? 8 : 4);
      if (!value) return std::nullopt;
      if (conversion.is_long) return convert(conversion, "ll", static_cast<long long>(*value));
      return convert(conversion, conversion.length, static_cast<int>(static_cast<uint32_t>(*value)));
    }
    case 'u':
    case 'o':
    case 'x':
    case 'X': {
      const auto value = arguments.next(conversion.is_long ? 8 : 4);
      if (!value) return std::nullopt;
      if (conversion.is_long) return convert(conversion, "ll", static_cast<unsigned long long>(*value));
      return convert(conversion, conversion.length, static_cast<unsigned>(*value));
    }
    case 'c': {
      const auto value = arguments.next(4);
      if (!value) return std::nullopt;
      return convert(conversion, "", static_cast<int>(*value & 0xff));
    }
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A': {
      const auto value = arguments.next(8);
      if (!value) return std::nullopt;
      return convert(conversion, "", std::bit_cast<double>(*value));
    }
    case 'p': {
      const auto value = arguments.next(8);
      if (!value) return std::nullopt;
      if (*value == 0) return "(nil)";
      Conversion number = conversion;
      number.letter = 'x';
      number.flags += '#';
      return convert(number, "ll", static_cast<unsigned long long>(*value));
    }
    case 's': {
      const auto value = arguments.next(8);
      if (!value) return std::nullopt;
      return convert(conversion, "", string_at(*value).c_str());
    }
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<uint64_t> PrintArguments::next(uint32_t bytes) {
  offset_ = (offset_ + bytes - 1) / bytes * bytes;
  const auto value = read_(offset_, bytes);
  offset_ += bytes;
  if (value) ++taken_;
  return value;
}

std::string format_print(std::string_view format, PrintArguments& arguments,
                         const std::function<std::string(uint64_t)>& string_at) {
  std::string text;
  for (size_t at = 0; at < format.size() && text.size() < kMostBytes;) {
    if (format[at] != '%') {
      text += format[at++];
      continue;
    }
    const size_t begin = at++;
    if (at < format.size() && format[at] == '%') {
      text += '%';
      ++at;
      continue;
    }
    const auto conversion = read_conversion(format, at, arguments);
    const auto piece = conversion ? converted(*conversion, arguments, string_at) : std::nullopt;
    text += piece ? *piece : std::string(format.substr(begin, at - begin));
  }
  if (text.size() > kMostBytes) text.resize(kMostBytes);
  return text;
}

}  // namespace lanescope::emulator
