// Whole-number expressions of a lesson's launch over the values of its toggles: "ceil_div(size.columns,
// tile)". Method: recursive descent into postfix steps, evaluated with a stack; depth and length are bounded,
// and overflow and division by zero are errors. A name may end in an index, "out[3]". Operators as in C: ||
// && == != < <= > >= + - * / % ! and unary -, comparisons give 1 or 0; functions: ceil_div, min, max. Tests:
// tests/unit/lesson/expression_test.cpp

#pragma once

#include "base/error.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::lesson {

class Expression {
 public:
  /// Value of a name; the error says why it has none.
  using Lookup = std::function<Result<int64_t>(std::string_view name)>;

  /// A constant.
  Expression(int64_t value = 0);  // NOLINT(google-explicit-constructor): a number is an expression

  /// Errors: Syntax, at `where`.
  static Result<Expression> parse(std::string_view text, const Location& where);

  /// Errors: those of `lookup`; Limit on overflow, Usage on division by zero; both name the expression and
  /// its location.
  Result<int64_t> evaluate(const Lookup& lookup) const;

  /// The same in real numbers: `/` does not round. Errors: those of `lookup`; Usage on division by zero.
  using RealLookup = std::function<Result<double>(std::string_view name)>;
  Result<double> evaluate_real(const RealLookup& lookup) const;

  /// Every name it refers to, in order of appearance.
  const std::vector<std::string>& names() const { return names_; }
  const std::string& text() const { return text_; }
  const Location& where() const { return where_; }

 private:
  friend class ExpressionParser;
  enum class Operation : uint8_t {
    Constant,
    Name,
    Negate,
    Not,
    Multiply,
    Divide,
    Remainder,
    Add,
    Subtract,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    And,
    Or,
    CeilDivide,
    Minimum,
    Maximum
  };
  struct Step {
    Operation operation;
    int64_t value = 0;  // the constant, or the index into names_
  };

  Result<int64_t> apply(Operation operation, int64_t left, int64_t right) const;
  Result<double> apply(Operation operation, double left, double right) const;
  template <class Number, class AnyLookup>
  Result<Number> evaluate_as(const AnyLookup& lookup) const;

  std::string text_;
  Location where_;
  std::vector<Step> steps_;
  std::vector<std::string> names_;
};

}  // namespace lanescope::lesson
