#include "compile/host_main.h"

#include "compile/source_tokens.h"

#include <array>

namespace lanescope::compile {
namespace {

/// The index after the parenthesis that closes the one at `open`; the end where none does.
size_t after_parentheses(const std::vector<Token>& tokens, size_t open) {
  int depth = 0;
  for (size_t at = open; at < tokens.size(); ++at) {
    if (tokens[at].text == "(") ++depth;
    if (tokens[at].text == ")" && --depth == 0) return at + 1;
  }
  return tokens.size();
}

}  // namespace

bool defines_main(std::string_view source) {
  constexpr std::array<std::string_view, 3> kReturned{"int", "void", "auto"};
  const std::vector<Token> tokens = code_tokens_of(source);
  for (size_t at = 1; at + 1 < tokens.size(); ++at) {
    if (tokens[at].text != "main" || tokens[at + 1].text != "(" || !is_one_of(tokens[at - 1].text, kReturned))
      continue;
    size_t next = after_parentheses(tokens, at + 1);
    while (next < tokens.size() && tokens[next].text != "{" && tokens[next].text != ";") ++next;
    if (next < tokens.size() && tokens[next].text == "{") return true;
  }
  return false;
}

}  // namespace lanescope::compile
