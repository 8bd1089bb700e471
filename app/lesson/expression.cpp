#include "lesson/expression.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace lanescope::lesson {
namespace {

constexpr size_t kMaximumLength = 256;
constexpr int kMaximumDepth = 32;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

/// One level of the grammar per function, the loosest operators first.
class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, const Location& where) : rest_(text) {
    expression_.steps_.clear();
    expression_.text_ = text;
    expression_.where_ = where;
  }

  Result<Expression> parse() {
    if (rest_.size() > kMaximumLength)
      return fail(
          ErrorKind::Syntax,
          fmt::format("an expression has at most {} characters, this one {}", kMaximumLength, rest_.size()),
          expression_.where_);
    TRY_VOID(binary(0));
    skip_spaces();
    if (!rest_.empty()) return wrong("an operator or the end");
    return std::move(expression_);
  }

 private:
  using Operation = Expression::Operation;
  struct Operator {
    std::string_view text;
    Operation operation;
    int level;
  };
  /// A longer spelling comes before its prefix.
  static constexpr std::array kOperators{
      Operator{"||", Operation::Or, 0},        Operator{"&&", Operation::And, 1},
      Operator{"==", Operation::Equal, 2},     Operator{"!=", Operation::NotEqual, 2},
      Operator{"<=", Operation::LessEqual, 3}, Operator{">=", Operation::GreaterEqual, 3},
      Operator{"<", Operation::Less, 3},       Operator{">", Operation::Greater, 3},
      Operator{"+", Operation::Add, 4},        Operator{"-", Operation::Subtract, 4},
      Operator{"*", Operation::Multiply, 5},   Operator{"/", Operation::Divide, 5},
      Operator{"%", Operation::Remainder, 5}};
  static constexpr int kUnaryLevel = 6;
  static constexpr std::array<std::pair<std::string_view, Operation>, 3> kFunctions{
      {{"ceil_div", Operation::CeilDivide}, {"min", Operation::Minimum}, {"max", Operation::Maximum}}};

  std::unexpected<Error> wrong(std::string_view expected) const {
    const std::string found = rest_.empty() ? "it ends" : fmt::format("'{}' was found", rest_.substr(0, 20));
    return fail(ErrorKind::Syntax,
                fmt::format("in '{}' {} was expected, and {}; for example \"ceil_div(n, 256)\"",
                            expression_.text_, expected, found),
                expression_.where_);
  }

  void skip_spaces() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t')) rest_.remove_prefix(1);
  }

  bool take(std::string_view text) {
    skip_spaces();
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }

  const Operator* take_operator(int level) {
    skip_spaces();
    const auto found =
        std::ranges::find_if(kOperators, [&](const Operator& one) { return rest_.starts_with(one.text); });
    if (found == kOperators.end() || found->level != level) return nullptr;
    rest_.remove_prefix(found->text.size());
    return &*found;
  }

  void add(Operation operation, int64_t value = 0) { expression_.steps_.push_back({operation, value}); }

  Result<void> binary(int level) {
    if (level == kUnaryLevel) return unary();
    TRY_VOID(binary(level + 1));
    while (const Operator* const found = take_operator(level)) {
      TRY_VOID(binary(level + 1));
      add(found->operation);
    }
    return {};
  }

  Result<void> unary() {
    if (++depth_ > kMaximumDepth)
      return fail(ErrorKind::Syntax, fmt::format("an expression is nested at most {} deep", kMaximumDepth),
                  expression_.where_);
    if (take("-")) {
      TRY_VOID(unary());
      add(Operation::Negate);
    } else if (take("!")) {
      TRY_VOID(unary());
      add(Operation::Not);
    } else {
      TRY_VOID(primary());
    }
    --depth_;
    return {};
  }

  Result<void> primary() {
    skip_spaces();
    if (take("(")) {
      TRY_VOID(binary(0));
      if (!take(")")) return wrong("')'");
      return {};
    }
    if (!rest_.empty() && is_digit(rest_.front())) return number();
    if (!rest_.empty() && is_letter(rest_.front())) return name();
    return wrong("a number, the name of a toggle or '('");
  }

  Result<void> number() {
    int64_t value = 0;
    const auto [end, status] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (status != std::errc{}) return wrong("a number below 2^63");
    rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
    if (!rest_.empty() && is_letter(rest_.front())) return wrong("an operator");
    add(Operation::Constant, value);
    return {};
  }

  Result<void> name() {
    size_t length = 0;
    while (length < rest_.size() &&
           (is_letter(rest_[length]) || is_digit(rest_[length]) || rest_[length] == '.'))
      ++length;
    TRY(const size_t index, index_length(rest_.substr(length)));
    length += index;
    const std::string_view name = rest_.substr(0, length);
    for (const auto& [function, operation] : kFunctions)
      if (name == function) {
        rest_.remove_prefix(length);
        return call(operation);
      }
    rest_.remove_prefix(length);
    auto& names = expression_.names_;
    const auto known = std::ranges::find(names, name);
    add(Operation::Name, known - names.begin());
    if (known == names.end()) names.emplace_back(name);
    return {};
  }

  /// Characters of "[12]" at the beginning of `text`; 0 where there is none.
  Result<size_t> index_length(std::string_view text) const {
    if (!text.starts_with('[')) return 0;
    const size_t end = text.find_first_not_of("0123456789", 1);
    if (end == 1 || end == std::string_view::npos || text[end] != ']')
      return wrong("an index, as in out[3],");
    return end + 1;
  }

  Result<void> call(Operation operation) {
    if (!take("(")) return wrong("'('");
    TRY_VOID(binary(0));
    if (!take(",")) return wrong("','");
    TRY_VOID(binary(0));
    if (!take(")")) return wrong("')'");
    add(operation);
    return {};
  }

  std::string_view rest_;
  Expression expression_;
  int depth_ = 0;
};

Expression::Expression(int64_t value) : text_(fmt::to_string(value)), steps_{{Operation::Constant, value}} {}

Result<Expression> Expression::parse(std::string_view text, const Location& where) {
  return ExpressionParser(text, where).parse();
}

Result<int64_t> Expression::apply(Operation operation, int64_t left, int64_t right) const {
  int64_t value = 0;
  bool overflows = false;
  const auto divide = [&](auto&& quotient) -> Result<int64_t> {
    if (right == 0)
      return fail(ErrorKind::Usage, fmt::format("'{}' divides by zero as the toggles are set", text_),
                  where_);
    if (right == -1) {
      overflows = __builtin_sub_overflow(int64_t{0}, left, &value);
      return operation == Operation::Remainder ? 0 : value;
    }
    return quotient();
  };
  Result<int64_t> result = 0;
  switch (operation) {
    case Operation::Constant:
    case Operation::Name:
      return left;
    case Operation::Negate:
      overflows = __builtin_sub_overflow(int64_t{0}, left, &value);
      result = value;
      break;
    case Operation::Not:
      return left == 0 ? 1 : 0;
    case Operation::Multiply:
      overflows = __builtin_mul_overflow(left, right, &value);
      result = value;
      break;
    case Operation::Add:
      overflows = __builtin_add_overflow(left, right, &value);
      result = value;
      break;
    case Operation::Subtract:
      overflows = __builtin_sub_overflow(left, right, &value);
      result = value;
      break;
    case Operation::Divide:
      result = divide([&] { return left / right; });
      break;
    case Operation::Remainder:
      result = divide([&] { return left % right; });
      break;
    case Operation::CeilDivide:
      result =
          divide([&] { return left / right + (left % right != 0 && (left < 0) == (right < 0) ? 1 : 0); });
      break;
    case Operation::Less:
      return left < right ? 1 : 0;
    case Operation::LessEqual:
      return left <= right ? 1 : 0;
    case Operation::Greater:
      return left > right ? 1 : 0;
    case Operation::GreaterEqual:
      return left >= right ? 1 : 0;
    case Operation::Equal:
      return left == right ? 1 : 0;
    case Operation::NotEqual:
      return left != right ? 1 : 0;
    case Operation::And:
      return left != 0 && right != 0 ? 1 : 0;
    case Operation::Or:
      return left != 0 || right != 0 ? 1 : 0;
    case Operation::Minimum:
      return std::min(left, right);
    case Operation::Maximum:
      return std::max(left, right);
  }
  if (overflows)
    return fail(ErrorKind::Limit, fmt::format("'{}' exceeds 63 bits as the toggles are set", text_), where_);
  return result;
}

Result<double> Expression::apply(Operation operation, double left, double right) const {
  switch (operation) {
    case Operation::Multiply:
      return left * right;
    case Operation::Add:
      return left + right;
    case Operation::Subtract:
      return left - right;
    case Operation::Negate:
      return -left;
    case Operation::Minimum:
      return std::min(left, right);
    case Operation::Maximum:
      return std::max(left, right);
    case Operation::Divide:
      if (right != 0) return left / right;
      return fail(ErrorKind::Usage, fmt::format("'{}' divides by zero", text_), where_);
    default: {
      // What has a meaning for whole numbers alone: comparisons, remainders.
      TRY(const int64_t value, apply(operation, int64_t{std::llround(left)}, int64_t{std::llround(right)}));
      return static_cast<double>(value);
    }
  }
}

template <class Number, class AnyLookup>
Result<Number> Expression::evaluate_as(const AnyLookup& lookup) const {
  std::vector<Number> stack;
  const auto pop = [&] {
    const Number value = stack.back();
    stack.pop_back();
    return value;
  };
  for (const Step& step : steps_) {
    if (step.operation == Operation::Constant) {
      stack.push_back(static_cast<Number>(step.value));
      continue;
    }
    if (step.operation == Operation::Name) {
      auto value = lookup(names_[static_cast<size_t>(step.value)]);
      if (!value)
        return fail(value.error().kind, fmt::format("'{}': {}", text_, value.error().message), where_);
      stack.push_back(*value);
      continue;
    }
    const bool has_one = step.operation == Operation::Negate || step.operation == Operation::Not;
    const Number right = has_one ? 0 : pop();
    const Number left = pop();
    TRY(const Number value, apply(step.operation, left, right));
    stack.push_back(value);
  }
  return stack.back();
}

Result<int64_t> Expression::evaluate(const Lookup& lookup) const { return evaluate_as<int64_t>(lookup); }

Result<double> Expression::evaluate_real(const RealLookup& lookup) const {
  return evaluate_as<double>(lookup);
}

}  // namespace lanescope::lesson
