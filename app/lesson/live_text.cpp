#include "lesson/live_text.h"

#include "base/lines.h"
#include "base/number.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace lanescope::lesson {
namespace {

constexpr std::string_view kOpen = "{{", kClose = "}}";

/// Copies `markdown` with what `value_of(expression)` makes of each live number.
template <class F>
Result<std::string> replaced(std::string_view markdown, const Location& where, F&& value_of) {
  std::string out;
  while (true) {
    const size_t open = markdown.find(kOpen);
    out += markdown.substr(0, open);
    if (open == std::string_view::npos) return out;
    markdown.remove_prefix(open + kOpen.size());
    const size_t close = markdown.find(kClose);
    if (close == std::string_view::npos)
      return fail(ErrorKind::Syntax,
                  fmt::format("a live number is not closed: '}}}}' was expected after '{{{{{}'",
                              markdown.substr(0, 30)),
                  where);
    TRY(const std::string value, value_of(trimmed(markdown.substr(0, close))));
    out += value;
    markdown.remove_prefix(close + kClose.size());
  }
}

}  // namespace

Result<void> check_live_text(std::string_view markdown, const Location& where) {
  TRY(const std::string ignored, replaced(markdown, where, [&](std::string_view text) -> Result<std::string> {
        TRY(const Expression expression, Expression::parse(text, where));
        return expression.text();
      }));
  return {};
}

Result<std::string> fill_live_text(std::string_view markdown, const Location& where, Language language,
                                   const Expression::RealLookup& lookup) {
  return replaced(markdown, where, [&](std::string_view text) -> Result<std::string> {
    TRY(const Expression expression, Expression::parse(text, where));
    TRY(const double value, expression.evaluate_real(lookup));
    return fmt::format("**{}**", live_number_text(language, value));
  });
}

std::string empty_live_text(std::string_view markdown) {
  return replaced(markdown, {}, [](std::string_view) -> Result<std::string> { return "…"; })
      .value_or(std::string(markdown));
}

std::string live_number_text(Language language, double value) {
  if (!std::isfinite(value)) return "–";
  const std::string sign = value < 0 ? "−" : "";
  const double size = std::abs(value);
  // Whole, or so large that digits after the point say nothing.
  if (size == std::floor(size) || size >= 1000)
    return sign + number(language, static_cast<uint64_t>(std::llround(size)));
  if (size >= 10) return sign + decimal(language, size);
  std::string text =
      fmt::format("{:.{}f}", size, size >= 1 ? 2 : 1 - static_cast<int>(std::floor(std::log10(size))));
  if (text.find('.') != std::string::npos) {
    while (text.ends_with('0')) text.pop_back();
    if (text.ends_with('.')) text.pop_back();
  }
  if (language == Language::French) std::ranges::replace(text, '.', ',');
  return sign + text;
}

bool is_right_guess(double guess, double answer) {
  return live_number_text(Language::English, guess) == live_number_text(Language::English, answer);
}

}  // namespace lanescope::lesson
