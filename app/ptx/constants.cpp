// Constant expressions. Method: precedence climbing on 64 bits, signed or unsigned as their literals are; a
// floating-point constant is alone or after a minus. Source: PTX ISA, "Constant Expressions". Tests:
// tests/unit/ptx/constant_test.cpp

#include "ptx/literal.h"
#include "ptx/parser.h"

#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>

namespace lanescope::ptx {

namespace {

struct BinaryOperator {
  char mark;
  int precedence;
  bool is_doubled;  // << and >>
};
constexpr std::array kOperators{
    BinaryOperator{'*', 6, false}, BinaryOperator{'/', 6, false}, BinaryOperator{'%', 6, false},
    BinaryOperator{'+', 5, false}, BinaryOperator{'-', 5, false}, BinaryOperator{'<', 4, true},
    BinaryOperator{'>', 4, true},  BinaryOperator{'&', 3, false}, BinaryOperator{'^', 2, false}};

const BinaryOperator* operator_at(const Token& now, const Token& ahead) {
  for (const BinaryOperator& candidate : kOperators) {
    if (now.is(candidate.mark) && (!candidate.is_doubled || ahead.is(candidate.mark))) return &candidate;
  }
  return nullptr;
}

/// Absent for a division that has no result.
std::optional<uint64_t> divide(uint64_t left, uint64_t right, bool is_unsigned) {
  if (right == 0) return std::nullopt;
  if (is_unsigned) return left / right;
  const auto signed_left = static_cast<int64_t>(left);
  const auto signed_right = static_cast<int64_t>(right);
  if (signed_left == INT64_MIN && signed_right == -1) return std::nullopt;
  return static_cast<uint64_t>(signed_left / signed_right);
}

/// Both are integers. Absent for a division that has no result.
std::optional<Immediate> apply(char mark, const Immediate& left, const Immediate& right) {
  const uint64_t a = left.bits;
  const uint64_t b = right.bits;
  const bool either = left.is_unsigned || right.is_unsigned;
  const auto integer = [](uint64_t bits, bool is_unsigned) {
    return Immediate{ImmediateKind::Integer, bits, is_unsigned};
  };
  switch (mark) {
    case '*':
      return integer(a * b, either);
    case '/':
      if (const auto quotient = divide(a, b, either)) return integer(*quotient, either);
      return std::nullopt;
    case '%':  // of any operands as unsigned ones
      if (b == 0) return std::nullopt;
      return integer(a % b, true);
    case '+':
      return integer(a + b, either);
    case '-':
      return integer(a - b, either);
    // A shift has the type of what is shifted.
    case '<':
      return integer(b < 64 ? a << b : 0, left.is_unsigned);
    case '>':
      if (left.is_unsigned) return integer(b < 64 ? a >> b : 0, true);
      return integer(static_cast<uint64_t>(static_cast<int64_t>(a) >> std::min<uint64_t>(b, 63)), false);
    case '&':
      return integer(a & b, either);
    default:
      return integer(a ^ b, either);
  }
}

}  // namespace

Result<Immediate> Parser::parse_primary(int depth) {
  if (depth > kMaximumNesting) {
    return error(ErrorKind::Limit, now_,
                 fmt::format("a constant is nested more than {} deep", kMaximumNesting));
  }
  const Token token = now_;
  if (token.is('-') || token.is('+') || token.is('~')) {
    TRY_VOID(advance());
    TRY(Immediate value, parse_primary(depth + 1));
    if (token.is('+')) return value;
    if (value.kind != ImmediateKind::Integer) {
      if (token.is('~')) return error(ErrorKind::Syntax, token, "'~' takes an integer");
      value.bits ^= value.kind == ImmediateKind::Float32 ? uint64_t{1} << 31 : uint64_t{1} << 63;
      return value;
    }
    value.bits = token.is('-') ? -value.bits : ~value.bits;
    value.is_unsigned = value.is_unsigned || token.is('~');
    return value;
  }
  if (token.is('(')) {
    TRY_VOID(advance());
    TRY(const Immediate value, parse_constant(0, depth + 1));
    TRY_VOID(expect(')', "a constant"));
    return value;
  }
  if (token.is("WARP_SZ")) {
    TRY_VOID(advance());
    return Immediate{ImmediateKind::Integer, 32};
  }
  if (token.kind != TokenKind::Number) return unexpected_token("a constant");
  const auto value = parse_literal(token.text);
  if (!value) {
    return error(ErrorKind::Syntax, token,
                 fmt::format("'{}' is no number of 64 bits", token.text.substr(0, 60)));
  }
  TRY_VOID(advance());
  return *value;
}

Result<Immediate> Parser::parse_constant(int precedence, int depth) {
  TRY(Immediate value, parse_primary(depth));
  while (const BinaryOperator* found = operator_at(now_, ahead_)) {
    if (found->precedence <= precedence) break;
    const Token mark = now_;
    TRY_VOID(advance());
    if (found->is_doubled) TRY_VOID(advance());
    TRY(const Immediate right, parse_constant(found->precedence, depth + 1));
    if (value.kind != ImmediateKind::Integer || right.kind != ImmediateKind::Integer) {
      return error(ErrorKind::Unsupported, mark, "arithmetic on floating-point constants is not supported");
    }
    const auto result = apply(found->mark, value, right);
    if (!result) return error(ErrorKind::Syntax, mark, "this division of constants has no result");
    value = *result;
  }
  return value;
}

Result<Immediate> Parser::parse_constant() { return parse_constant(0, 0); }

Result<int64_t> Parser::parse_integer(std::string_view what) {
  const Token at = now_;
  TRY(const Immediate value, parse_constant());
  if (value.kind != ImmediateKind::Integer) {
    return error(ErrorKind::Syntax, at,
                 fmt::format("{} was expected, a floating-point number was found", what));
  }
  return static_cast<int64_t>(value.bits);
}

Result<uint64_t> Parser::parse_number_in(std::string_view what, uint64_t least, uint64_t most) {
  if (now_.kind != TokenKind::Number) return unexpected_token(what);
  const auto value = parse_literal(now_.text);
  if (!value || value->kind != ImmediateKind::Integer || value->bits < least || value->bits > most) {
    return error(ErrorKind::Syntax, now_,
                 fmt::format("{} from {} to {} was expected, '{}' was found", what, least, most,
                             now_.text.substr(0, 60)));
  }
  TRY_VOID(advance());
  return value->bits;
}

}  // namespace lanescope::ptx
