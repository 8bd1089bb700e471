#include "compile/host_evaluator.h"

#include "base/real_chars.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace lanescope::compile {
namespace {

using Value = std::optional<HostValue>;
using Triple = std::array<int64_t, 3>;

constexpr int kDeepest = 60;
constexpr int kMostSteps = 20000;

bool is(const std::vector<Token>& tokens, size_t n, std::string_view text) {
  return n < tokens.size() && tokens[n].text == text;
}

std::optional<int64_t> integer_of(const Value& value) {
  if (!value || !std::holds_alternative<int64_t>(*value)) return {};
  return std::get<int64_t>(*value);
}

std::optional<double> real_of(const Value& value) {
  if (!value) return {};
  if (const auto* real = std::get_if<double>(&*value)) return *real;
  if (const auto* integer = std::get_if<int64_t>(&*value)) return static_cast<double>(*integer);
  return {};
}

Value literal(std::string_view text) {
  std::string digits;
  for (const char c : text)
    if (c != '\'') digits += c;
  const bool is_hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
  if (!is_hexadecimal && digits.find_first_of(".eE") != std::string::npos) {
    double real = 0;
    const auto [stop, status] = real_from_chars(digits.data(), digits.data() + digits.size(), real);
    const std::string_view suffix(stop, digits.data() + digits.size());
    if (status != std::errc{} || !(suffix.empty() || suffix == "f" || suffix == "F")) return {};
    return real;
  }
  const bool is_octal = !is_hexadecimal && digits.size() > 1 && digits[0] == '0';
  const char* begin = digits.data() + (is_hexadecimal ? 2 : 0);
  int64_t integer = 0;
  const auto [stop, status] = std::from_chars(begin, digits.data() + digits.size(), integer,
                                              is_hexadecimal ? 16
                                              : is_octal     ? 8
                                                             : 10);
  const std::string_view suffix(stop, digits.data() + digits.size());
  if (status != std::errc{} || suffix.find_first_not_of("uUlL") != std::string_view::npos) return {};
  return integer;
}

/// Precedence of the operator at `next`, with its text; 0 where none is.
int precedence_of(const std::vector<Token>& tokens, size_t next, std::string& op) {
  if (next >= tokens.size() || tokens[next].kind != Token::Kind::Mark) return 0;
  op = tokens[next].text;
  const bool is_joined = next + 1 < tokens.size() && tokens[next + 1].kind == Token::Kind::Mark &&
                         tokens[next].text.data() + 1 == tokens[next + 1].text.data();
  if (is_joined)
    for (const std::string_view two : {"||", "&&", "==", "!=", "<=", ">=", "<<", ">>"})
      if (two == op + std::string(tokens[next + 1].text)) op = two;
  constexpr std::array<std::pair<std::string_view, int>, 18> kOperators{{{"||", 1},
                                                                         {"&&", 2},
                                                                         {"|", 3},
                                                                         {"^", 4},
                                                                         {"&", 5},
                                                                         {"==", 6},
                                                                         {"!=", 6},
                                                                         {"<", 7},
                                                                         {">", 7},
                                                                         {"<=", 7},
                                                                         {">=", 7},
                                                                         {"<<", 8},
                                                                         {">>", 8},
                                                                         {"+", 9},
                                                                         {"-", 9},
                                                                         {"*", 10},
                                                                         {"/", 10},
                                                                         {"%", 10}}};
  for (const auto& [text, precedence] : kOperators)
    if (text == op) return precedence;
  return 0;
}

Value integer_operation(const std::string& op, int64_t a, int64_t b) {
  int64_t result = 0;
  if (op == "+") return __builtin_add_overflow(a, b, &result) ? Value() : Value(result);
  if (op == "-") return __builtin_sub_overflow(a, b, &result) ? Value() : Value(result);
  if (op == "*") return __builtin_mul_overflow(a, b, &result) ? Value() : Value(result);
  if (op == "/" || op == "%") {
    if (b == 0 || (a == INT64_MIN && b == -1)) return {};
    return op == "/" ? a / b : a % b;
  }
  if (op == "<<" || op == ">>") {
    if (a < 0 || b < 0 || b > 62 || (op == "<<" && a > (INT64_MAX >> b))) return {};
    return op == "<<" ? a << b : a >> b;
  }
  if (op == "|") return a | b;
  if (op == "&") return a & b;
  if (op == "^") return a ^ b;
  if (op == "||") return int64_t{a != 0 || b != 0};
  if (op == "&&") return int64_t{a != 0 && b != 0};
  if (op == "==") return int64_t{a == b};
  if (op == "!=") return int64_t{a != b};
  if (op == "<") return int64_t{a < b};
  if (op == ">") return int64_t{a > b};
  if (op == "<=") return int64_t{a <= b};
  if (op == ">=") return int64_t{a >= b};
  return {};
}

Value real_operation(const std::string& op, double a, double b) {
  if (op == "+") return a + b;
  if (op == "-") return a - b;
  if (op == "*") return a * b;
  if (op == "/") return b == 0 ? Value() : Value(a / b);
  if (op == "<") return int64_t{a < b};
  if (op == ">") return int64_t{a > b};
  if (op == "<=") return int64_t{a <= b};
  if (op == ">=") return int64_t{a >= b};
  return {};
}

Value operation(const std::string& op, const Value& a, const Value& b) {
  const auto one = integer_of(a), other = integer_of(b);
  if (one && other) return integer_operation(op, *one, *other);
  const auto left = real_of(a), right = real_of(b);
  return left && right ? real_operation(op, *left, *right) : Value();
}

Value truncated(const Value& value) {
  const auto real = real_of(value);
  if (integer_of(value)) return value;
  if (!real || !(std::abs(*real) < 9e15)) return {};
  return static_cast<int64_t>(*real);
}

/// The words of a type from `next` on, "unsigned int" or "std::size_t"; moves `next` past them.
std::string type_words(const std::vector<Token>& tokens, size_t& next) {
  std::string words;
  while (next < tokens.size() && (tokens[next].kind == Token::Kind::Word || tokens[next].text == ":")) {
    const bool joins = tokens[next].text == ":" || words.ends_with(':') || words.empty();
    words += (joins ? "" : " ") + std::string(tokens[next].text);
    ++next;
  }
  return words;
}

}  // namespace

std::optional<HostValue> value_of(const HostNames& names, std::string_view expression, size_t file, size_t at,
                                  const HostNumbers& known) {
  return HostEvaluator(names, file, at).evaluate(expression, known);
}

Value HostEvaluator::evaluate(std::string_view expression, const HostNumbers& known) {
  return evaluate_at(expression, at_, known);
}

Value HostEvaluator::evaluate_at(std::string_view expression, size_t at, const HostNumbers& known) {
  constexpr size_t kLongest = 2000;
  if (expression.size() > kLongest) return {};
  Frame frame{.tokens = tokens_of(expression), .at = at, .known = &known};
  return evaluate_all(frame);
}

Value HostEvaluator::evaluate_all(Frame& frame) {
  Value value = ternary(frame);
  return frame.next == frame.tokens.size() ? value : Value();
}

Value HostEvaluator::ternary(Frame& frame) {
  if (++steps_ > kMostSteps || depth_ > kDeepest) return {};
  ++depth_;
  Value value = binary(frame, 1);
  if (is(frame.tokens, frame.next, "?")) {
    ++frame.next;
    const Value yes = ternary(frame);
    if (!is(frame.tokens, frame.next, ":")) {
      value = {};
    } else {
      ++frame.next;
      const Value no = ternary(frame);
      const auto condition = real_of(value);
      value = !condition ? Value() : *condition != 0 ? yes : no;
    }
  }
  --depth_;
  return value;
}

Value HostEvaluator::binary(Frame& frame, int precedence) {
  Value value = unary(frame);
  std::string op;
  while (true) {
    const int found = precedence_of(frame.tokens, frame.next, op);
    if (found < precedence || found == 0) return value;
    if (++steps_ > kMostSteps) return {};
    frame.next += op.size();
    value = operation(op, value, binary(frame, found + 1));
  }
}

HostEvaluator::Type HostEvaluator::type_of(std::string_view name) const {
  if (name.empty()) return {};
  const std::string plain = names_.types().plain(name);
  const auto layout = names_.types().layout_of(plain);
  if (!layout) return {};
  return {static_cast<int64_t>(layout->bytes), plain == "float" || plain == "double"};
}

Value HostEvaluator::size_of(Frame& frame) {
  size_t close = frame.next;
  for (int depth = 0; close < frame.tokens.size(); ++close) {
    if (is(frame.tokens, close, "(")) ++depth;
    if (is(frame.tokens, close, ")") && --depth == 0) break;
  }
  const size_t first = frame.next + 1;
  if (close >= frame.tokens.size() || first >= close) return {};
  const std::string inner = text_of(&frame.tokens[first], &frame.tokens[close]);
  const bool is_pointee = is(frame.tokens, first, "*") || is(frame.tokens, first + 1, "[");
  const std::string_view name = frame.tokens[is(frame.tokens, first, "*") ? first + 1 : first].text;
  frame.next = close + 1;
  if (const Type type = type_of(inner); type.bytes != 0 && !is_pointee) return type.bytes;
  // sizeof(*x), sizeof(x[0]), sizeof(x)
  std::string type = names_.types().plain(names_.type_at(name, file_, frame.at));
  if (is_pointee && type.ends_with('*')) type.pop_back();
  const Type of_name = type_of(type);
  return of_name.bytes != 0 ? Value(of_name.bytes) : Value();
}

Value HostEvaluator::unary(Frame& frame) {
  if (++steps_ > kMostSteps || depth_ > kDeepest || frame.next >= frame.tokens.size()) return {};
  const std::string_view text = frame.tokens[frame.next].text;
  if (text != "-" && text != "+" && text != "!" && text != "~") return postfix(frame, primary(frame));
  ++frame.next;
  ++depth_;
  const Value value = unary(frame);
  --depth_;
  if (text == "+") return value;
  if (text == "-") return operation("-", int64_t{0}, value);
  const auto integer = integer_of(value);
  if (!integer) return {};
  return text == "!" ? Value(int64_t{*integer == 0}) : Value(~*integer);
}

Value HostEvaluator::primary(Frame& frame) {
  const std::vector<Token>& tokens = frame.tokens;
  const Token& token = tokens[frame.next];
  if (token.text == "(") {
    size_t next = frame.next + 1;
    const Type type = type_of(type_words(tokens, next));
    if (type.bytes != 0 && is(tokens, next, ")")) {  // (int) x
      frame.next = next + 1;
      ++depth_;
      const Value value = unary(frame);
      --depth_;
      if (!type.is_real) return truncated(value);
      const auto real = real_of(value);
      return real ? Value(*real) : Value();
    }
    ++frame.next;
    const Value value = ternary(frame);
    if (!is(tokens, frame.next, ")")) return {};
    ++frame.next;
    return value;
  }
  if (token.kind != Token::Kind::Word) return {};
  if (token.text.front() >= '0' && token.text.front() <= '9') {
    ++frame.next;
    return literal(token.text);
  }
  size_t next = frame.next;
  std::string word = type_words(tokens, next);
  if (word.find(' ') != std::string::npos) return {};
  frame.next = next;
  if (word == "true" || word == "false") return int64_t{word == "true"};
  if (word == "sizeof" && is(tokens, next, "(")) return size_of(frame);
  if (word == "static_cast" && is(tokens, next, "<")) {
    const Type type = type_of(type_words(tokens, ++next));
    if (type.bytes == 0 || !is(tokens, next, ">") || !is(tokens, next + 1, "(")) return {};
    frame.next = next + 1;
    const Value value = primary(frame);
    const auto real = real_of(value);
    return !type.is_real ? truncated(value) : real ? Value(*real) : Value();
  }
  if (is(tokens, next, "(") || (word == "dim3" && is(tokens, next, "{"))) return call(frame, word);
  return name(frame, word);
}

Value HostEvaluator::postfix(Frame& frame, Value value) {
  while (is(frame.tokens, frame.next, ".") && frame.next + 1 < frame.tokens.size()) {
    const std::string_view member = frame.tokens[frame.next + 1].text;
    frame.next += 2;
    // The value of a std::vector is its count, so size() does not change it.
    if (member == "size" && is(frame.tokens, frame.next, "(") && is(frame.tokens, frame.next + 1, ")")) {
      frame.next += 2;
      if (!integer_of(value)) value = {};
      continue;
    }
    const auto* triple = value ? std::get_if<Triple>(&*value) : nullptr;
    const size_t index = member == "x" ? 0 : member == "y" ? 1 : member == "z" ? 2 : 3;
    value = triple != nullptr && index < 3 ? Value((*triple)[index]) : Value();
  }
  return value;
}

std::optional<std::vector<Value>> HostEvaluator::arguments(Frame& frame) {
  const std::string_view close = is(frame.tokens, frame.next, "{") ? "}" : ")";
  ++frame.next;
  std::vector<Value> values;
  while (!is(frame.tokens, frame.next, close)) {
    if (frame.next >= frame.tokens.size()) return {};
    values.push_back(ternary(frame));
    if (is(frame.tokens, frame.next, ",")) {
      ++frame.next;
    } else if (!is(frame.tokens, frame.next, close)) {
      return {};
    }
  }
  ++frame.next;
  return values;
}

Value HostEvaluator::call(Frame& frame, const std::string& name) {
  const auto values = arguments(frame);
  if (!values) return {};
  std::string_view plain = name;
  if (plain.starts_with("std::")) plain.remove_prefix(5);
  if (plain == "dim3") {
    Triple triple{1, 1, 1};
    if (values->size() > 3 || values->empty()) return {};
    for (size_t n = 0; n < values->size(); ++n) {
      const auto integer = integer_of(truncated((*values)[n]));
      if (!integer) return {};
      triple[n] = *integer;
    }
    return triple;
  }
  // Macros and functions of the file come before the known functions below.
  if (const auto macro = names_.macros_.find(name); macro != names_.macros_.end()) {
    if (!macro->second.has_parameters || macro->second.is_ambiguous ||
        macro->second.parameters.size() != values->size() || depth_ > kDeepest)
      return {};
    HostNumbers known = *frame.known;
    for (size_t n = 0; n < values->size(); ++n) {
      if (!(*values)[n]) return {};
      known[macro->second.parameters[n]] = *(*values)[n];
    }
    ++depth_;
    const Value value = evaluate_at(macro->second.text, frame.at, known);
    --depth_;
    return value;
  }
  if (values->size() == 1) {
    const Value& value = values->front();
    const auto real = real_of(value);
    if (!real) return {};
    if (plain == "ceil" || plain == "ceilf") return std::ceil(*real);
    if (plain == "floor" || plain == "floorf") return std::floor(*real);
    if (plain == "sqrt" || plain == "sqrtf") return *real < 0 ? Value() : Value(std::sqrt(*real));
    if (const Type type = type_of(plain); type.bytes != 0)
      return type.is_real ? Value(*real) : truncated(value);
  }
  if (values->size() == 2 && (plain == "min" || plain == "max")) {
    const auto a = integer_of(values->front()), b = integer_of(values->back());
    if (a && b) return plain == "min" ? std::min(*a, *b) : std::max(*a, *b);
  }
  return {};
}

Value HostEvaluator::name(const Frame& frame, std::string_view name) {
  if (const size_t colons = name.rfind("::"); colons != std::string_view::npos)
    name.remove_prefix(colons + 2);
  if (const auto known = frame.known->find(name); known != frame.known->end()) return known->second;
  if (++steps_ > kMostSteps || depth_ > kDeepest) return {};
  const HostNames::Definition* found = names_.find(name, file_, frame.at);
  steps_ += static_cast<int>(names_.definitions_.count(name) + names_.changes_.count(name));
  if (found == nullptr) {
    const auto macro = names_.macros_.find(name);
    if (macro == names_.macros_.end() || macro->second.has_parameters || macro->second.is_ambiguous)
      return {};
    ++depth_;
    const Value value = evaluate_at(macro->second.text, frame.at, *frame.known);
    --depth_;
    return value;
  }
  std::string value = found->value;
  size_t at = found->begin;
  size_t changes = 0;
  const auto [begin, end] = names_.changes_.equal_range(name);
  for (auto each = begin; each != end; ++each) {
    const HostNames::Change& change = each->second;
    // A global variable may be changed by any function.
    const bool is_between = found->is_global
                                ? change.file == found->file
                                : change.file == file_ && change.at > found->begin && change.at < frame.at;
    if (!is_between) continue;
    ++changes;
    const bool is_first_value = found->value.empty() && change.scope_begin < found->begin;
    value = is_first_value ? change.value : "";
    at = change.at;
  }
  if (changes > 1 || value.empty()) return {};
  ++depth_;
  const bool is_list = found->type == "dim3" && changes == 0 && !value.starts_with("dim3");
  Value result = evaluate_at(value, at, *frame.known);
  if (is_list && (!result || !std::holds_alternative<Triple>(*result))) {
    if (value.starts_with('{')) value = value.substr(1, value.size() - 2);
    result = evaluate_at("dim3(" + value + ")", at, *frame.known);
  }
  --depth_;
  if (result && !std::holds_alternative<Triple>(*result) && type_of(found->type).bytes != 0 &&
      !type_of(found->type).is_real)
    return truncated(result);
  return result;
}

}  // namespace lanescope::compile
