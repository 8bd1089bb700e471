#include "base/number.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace lanescope {
namespace {

constexpr std::string_view kNoBreakSpace = "\u00a0";

}  // namespace

std::string number(Language language, uint64_t value) {
  const std::string digits = fmt::to_string(value);
  const std::string_view separator = language == Language::French ? kNoBreakSpace : ",";
  std::string text;
  for (size_t n = 0; n < digits.size(); ++n) {
    if (n > 0 && (digits.size() - n) % 3 == 0) text += separator;
    text += digits[n];
  }
  return text;
}

std::string decimal(Language language, double value) {
  if (!std::isfinite(value) || value < 0) return "–";
  const auto tenths = static_cast<uint64_t>(std::llround(value * 10));
  std::string text = number(language, tenths / 10);
  if (tenths % 10 != 0) text += fmt::format("{}{}", language == Language::French ? ',' : '.', tenths % 10);
  return text;
}

std::string with_mark(Language language, std::string digits) {
  if (language == Language::French) std::ranges::replace(digits, '.', ',');
  return digits;
}

std::string percent(Language language, double share) {
  return fmt::format("{}{}%", decimal(language, share * 100), kNoBreakSpace);
}

}  // namespace lanescope
