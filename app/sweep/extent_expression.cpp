#include "sweep/extent_expression.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace lanescope::sweep {
namespace {

constexpr size_t kLongestText = 200;  // which also bounds the depth of parentheses
constexpr double kLargestExtent = 2147483647;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

class Parser {
 public:
  Parser(std::string_view text, const ExtentNames& names) : text_(text), names_(names) {}

  Result<Dim3> extent() {
    if (text_.size() > kLongestText)
      return fail(ErrorKind::Usage,
                  fmt::format("an expression of at most {} characters was expected, it has {}", kLongestText,
                              text_.size()));
    Dim3 extent{1, 1, 1};
    for (uint32_t* const size : {&extent.x, &extent.y, &extent.z}) {
      TRY(const double value, sum());
      if (!(value >= 1 && value <= kLargestExtent) || value != std::floor(value))
        return fail(ErrorKind::Usage,
                    fmt::format("'{}' is {:.6g}, and a whole number from 1 was expected; ceil() rounds up",
                                text_, value));
      *size = static_cast<uint32_t>(value);
      if (is_at_end()) return extent;
      if (!takes('x')) break;
    }
    return wrong("an operator or x between two sizes, of which there are at most three");
  }

 private:
  Result<double> sum() {
    TRY(double value, product());
    for (;;) {
      if (takes('+')) {
        TRY(const double more, product());
        value += more;
      } else if (takes('-')) {
        TRY(const double less, product());
        value -= less;
      } else {
        return value;
      }
    }
  }

  Result<double> product() {
    TRY(double value, factor());
    for (;;) {
      if (takes('*')) {
        TRY(const double more, factor());
        value *= more;
      } else if (takes('/')) {
        TRY(const double divisor, factor());
        if (divisor == 0) return fail(ErrorKind::Usage, fmt::format("'{}' divides by zero", text_));
        value /= divisor;
      } else {
        return value;
      }
    }
  }

  Result<double> factor() {
    if (takes('(')) return parenthesis();
    if (at_ < text_.size() && is_digit(text_[at_])) return number_in(digits());
    const size_t start = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const std::string_view name = known_name(text_.substr(start, at_ - start));
    at_ = start + name.size();
    if (name.empty()) return wrong("a number, a name or ceil()");
    if (name == "ceil") {
      if (!takes('(')) return wrong("( after ceil");
      TRY(const double value, parenthesis());
      return std::ceil(value);
    }
    if (name == "block" && at_ + 1 < text_.size() && text_[at_] == '.') return of_block();
    const std::string* value = value_of(name);
    if (value == nullptr)
      return fail(ErrorKind::Usage,
                  fmt::format("'{}' has no -D of the name '{}'; known are block.x, block.y, "
                              "block.z, ceil() and the names of -D",
                              text_, name));
    return number_in(*value);
  }

  /// Null for what is no name.
  const std::string* value_of(std::string_view name) const {
    const auto found = std::ranges::find(names_.values, name, &std::pair<std::string, std::string>::first);
    return found == names_.values.end() ? nullptr : &found->second;
  }

  /// "TILE" of "TILExTILE", where that is no name and TILE is one; else the whole word.
  std::string_view known_name(std::string_view word) const {
    if (value_of(word) != nullptr) return word;
    for (size_t x = word.find('x', 1); x != std::string_view::npos; x = word.find('x', x + 1))
      if (value_of(word.substr(0, x)) != nullptr) return word.substr(0, x);
    return word;
  }

  Result<double> parenthesis() {
    TRY(const double value, sum());
    if (!takes(')')) return wrong(")");
    return value;
  }

  Result<double> of_block() {
    const char axis = text_[at_ + 1];
    if (axis < 'x' || axis > 'z') return wrong("block.x, block.y or block.z");
    if (!names_.block)
      return fail(ErrorKind::Usage,
                  fmt::format("'{}' names the block, which is not known; give --block", text_));
    at_ += 2;
    return axis == 'x' ? names_.block->x : axis == 'y' ? names_.block->y : names_.block->z;
  }

  std::string_view digits() {
    const size_t start = at_;
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }

  Result<double> number_in(std::string_view digits) const {
    uint32_t value = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (problem == std::errc() && end == digits.data() + digits.size()) return value;
    return fail(ErrorKind::Usage,
                fmt::format("'{}' needs a whole number below 2^32, and has '{}'", text_, digits));
  }

  /// Whether the character is next, after spaces; it is read then.
  bool takes(char c) {
    if (is_at_end() || text_[at_] != c) return false;
    ++at_;
    is_at_end();  // goes on to what follows
    return true;
  }

  bool is_at_end() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ == text_.size();
  }

  std::unexpected<Error> wrong(std::string_view expected) const {
    return fail(ErrorKind::Usage,
                fmt::format("'{}': {} was expected {}", text_, expected,
                            at_ >= text_.size() ? "at its end" : fmt::format("at '{}'", text_.substr(at_))));
  }

  std::string_view text_;
  const ExtentNames& names_;
  size_t at_ = 0;
};

}  // namespace

Result<Dim3> extent_of(std::string_view text, const ExtentNames& names) {
  return Parser(text, names).extent();
}

}  // namespace lanescope::sweep
