// Parses numbers; every error gives the range of the type and the notation.

#include "launch/number.h"

#include "base/real_chars.h"
#include "launch/element.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include <fmt/format.h>

namespace lanescope::launch {
namespace {

template <class T>
std::vector<std::byte> bytes_of(const T& value) {
  std::vector<std::byte> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

template <class T>
Result<T> parse_integer(ElementType type, std::string_view text) {
  std::string_view digits = text;
  const bool negative = digits.starts_with('-');
  if (negative) digits.remove_prefix(1);
  const bool hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
  if (hexadecimal) digits.remove_prefix(2);
  uint64_t magnitude = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, problem] = std::from_chars(digits.data(), end, magnitude, hexadecimal ? 16 : 10);
  if (problem == std::errc::invalid_argument || stop != end) {
    return fail(ErrorKind::Usage,
                fmt::format("a whole number was expected for {}, '{}' was given; write it like 42 or "
                            "0x2a",
                            name_of(type), shortened(text)));
  }
  constexpr uint64_t kLargest = std::numeric_limits<T>::max();
  constexpr uint64_t kLargestNegative = std::is_signed_v<T> ? kLargest + 1 : 0;
  if (problem == std::errc::result_out_of_range || magnitude > (negative ? kLargestNegative : kLargest)) {
    return fail(ErrorKind::Usage,
                fmt::format("{} holds {} to {}, '{}' does not fit; use a wider type", name_of(type),
                            std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), shortened(text)));
  }
  return static_cast<T>(negative ? 0 - magnitude : magnitude);
}

template <class T>
Result<T> parse_real(ElementType type, std::string_view text) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = real_from_chars(text.data(), end, value);
  if (problem == std::errc::invalid_argument || stop != end) {
    return fail(ErrorKind::Usage,
                fmt::format("a number was expected for {}, '{}' was given; write it like 0.5, -1e-3 "
                            "or inf",
                            name_of(type), shortened(text)));
  }
  if (problem == std::errc::result_out_of_range) {
    return fail(ErrorKind::Usage,
                fmt::format("'{}' is too large or too small for {}; use a wider type or write inf or 0",
                            shortened(text), name_of(type)));
  }
  return value;
}

/// A 16-bit format parses the text as a double and rounds it.
template <class Narrow>
Result<Narrow> parse_narrow(ElementType type, std::string_view text, Narrow (*round)(double)) {
  TRY(const double value, parse_real<double>(type, text));
  const Narrow narrow = round(value);
  if (std::isfinite(value) && !std::isfinite(to_double(narrow))) {
    return fail(ErrorKind::Usage, fmt::format("'{}' is too large for {}; use f32 or write inf",
                                              shortened(text), name_of(type)));
  }
  return narrow;
}

}  // namespace

std::string_view shortened(std::string_view text) { return text.substr(0, 60); }

Result<std::vector<std::byte>> parse_number(ElementType type, std::string_view text) {
  return with_type(type, [&]<class T>(T) -> Result<std::vector<std::byte>> {
    if constexpr (std::is_integral_v<T>) {
      TRY(const T value, parse_integer<T>(type, text));
      return bytes_of(value);
    } else if constexpr (std::is_floating_point_v<T>) {
      TRY(const T value, parse_real<T>(type, text));
      return bytes_of(value);
    } else if constexpr (std::is_same_v<T, Float16>) {
      TRY(const Float16 value, parse_narrow(type, text, to_float16));
      return bytes_of(value);
    } else if constexpr (std::is_same_v<T, BFloat16>) {
      TRY(const BFloat16 value, parse_narrow(type, text, to_bfloat16));
      return bytes_of(value);
    } else {
      TRY(const uint64_t low, parse_integer<uint64_t>(type, text));
      return bytes_of(Quad{low, 0});
    }
  });
}

Result<uint64_t> parse_count(std::string_view what, std::string_view text) {
  uint64_t count = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, count);
  if (problem != std::errc{} || stop != end) {
    return fail(ErrorKind::Usage,
                fmt::format("{} is a whole number from 0 to 18446744073709551615, '{}' was given", what,
                            shortened(text)));
  }
  return count;
}

}  // namespace lanescope::launch
