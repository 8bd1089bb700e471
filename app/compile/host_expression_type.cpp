#include "compile/host_expression_type.h"

#include "compile/source_tokens.h"

#include <vector>

namespace lanescope::compile {
namespace {

/// The tokens of one expression.
struct ExpressionTokens {
  std::vector<Token> all;

  bool is(size_t n, std::string_view text) const { return n < all.size() && all[n].text == text; }
  bool is_name(size_t n) const {
    return n < all.size() && all[n].kind == Token::Kind::Word &&
           (all[n].text.front() < '0' || all[n].text.front() > '9');
  }
  std::string text(size_t begin, size_t end) const {
    return begin >= end ? std::string() : text_of(&all[begin], all.data() + end);
  }
};

/// The words between an opening bracket and the one that closes it, or a comma: the first argument of a list.
std::string first_of_list(std::string_view type) {
  const size_t open = type.find('<');
  if (open == std::string_view::npos) return {};
  int depth = 0;
  size_t end = open + 1;
  for (; end < type.size(); ++end) {
    if (depth == 0 && (type[end] == ',' || type[end] == '>')) break;
    if (type[end] == '<') ++depth;
    if (type[end] == '>') --depth;
  }
  return std::string(type.substr(open + 1, end - open - 1));
}

}  // namespace

std::string type_of_expression(const HostNames& names, std::string_view expression, size_t file, size_t at) {
  const ExpressionTokens tokens{tokens_of(expression)};
  size_t name = tokens.is(0, "&") ? 1 : 0;
  if (tokens.is(name, "(")) {
    size_t close = name + 1;
    while (tokens.is_name(close) || tokens.is(close, ":") || tokens.is(close, "*")) ++close;
    const bool is_cast = tokens.is(close, ")") && tokens.is(close - 1, "*") && close + 1 < tokens.all.size();
    return is_cast ? tokens.text(name + 1, close) : std::string();
  }
  while (tokens.is_name(name) && tokens.is(name + 1, ":") && tokens.is(name + 2, ":")) name += 3;
  if (!tokens.is_name(name)) return {};
  const size_t next = name + 1;
  if (tokens.all[name].text.ends_with("_cast")) {
    if (tokens.is(next, "<")) return first_of_list(expression);
    if (tokens.is(next, "(") && tokens.is(tokens.all.size() - 1, ")"))
      return type_of_expression(names, tokens.text(next + 1, tokens.all.size() - 1), file, at);
    return {};
  }
  const std::string type = names.type_at(tokens.all[name].text, file, at);
  const bool is_member = tokens.is(next, "."), is_element = tokens.is(next, "[");
  if (is_member && !tokens.is(next + 1, "data") && !tokens.is(next + 1, "get")) return {};
  const bool is_sum = type.contains('*') && (tokens.is(next, "+") || tokens.is(next, "-"));
  if (next < tokens.all.size() && !is_member && !is_element && !is_sum) return {};
  const std::string element = is_member || is_element ? first_of_list(type) : std::string();
  return element.empty() ? type : element;
}

}  // namespace lanescope::compile
