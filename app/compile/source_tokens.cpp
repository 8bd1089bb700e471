#include "compile/source_tokens.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>

namespace lanescope::compile {
namespace {

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

/// End of the line at `at`, which a backslash continues; the newline itself is not part of it.
size_t end_of_line(std::string_view text, size_t at) {
  while (true) {
    const size_t end = text.find('\n', at);
    if (end == std::string_view::npos) return text.size();
    const size_t last = end != 0 && text[end - 1] == '\r' ? end - 1 : end;
    if (last <= at || text[last - 1] != '\\') return end;
    at = end + 1;
  }
}

/// End of R"mark(...)mark" whose quotation mark is at `quote`; the end of the text where it is not closed.
size_t end_of_raw_string(std::string_view text, size_t quote) {
  constexpr size_t kLongestMark = 16;
  const size_t open = text.find('(', quote);
  if (open == std::string_view::npos || open - quote > kLongestMark + 1)
    return std::min(quote + 1, text.size());
  std::string close = ")";
  close += text.substr(quote + 1, open - quote - 1);
  close += '"';
  const size_t end = text.find(close, open);
  return end == std::string_view::npos ? text.size() : end + close.size();
}

size_t end_of_literal(std::string_view text, size_t quote) {
  const char mark = text[quote];
  size_t end = quote + 1;
  while (end < text.size() && text[end] != mark && text[end] != '\n') {
    const bool continues = text[end] == '\\';
    end += continues ? 2 : 1;
  }
  // An apostrophe in text that is no program closes nothing.
  const bool is_open = end < text.size() && text[end] == '\n';
  return std::min(is_open ? end : end + 1, text.size());
}

/// End of the comment at `at`, or `at` where none starts.
size_t end_of_comment(std::string_view text, size_t at) {
  const std::string_view rest = text.substr(at, 2);
  if (rest == "//") return end_of_line(text, at);
  if (rest != "/*") return at;
  const size_t end = text.find("*/", at + 2);
  return end == std::string_view::npos ? text.size() : end + 2;
}

/// A comment or a literal in a directive may hold what looks like the other.
size_t end_of_directive(std::string_view text, size_t at) {
  while (at < text.size() && text[at] != '\n') {
    if (const size_t behind = end_of_comment(text, at); behind != at) {
      at = behind;
    } else if (text[at] == '"') {
      // An apostrophe is no literal here: #error don't
      at = end_of_literal(text, at);
    } else if (text[at] == '\\' && at + 1 < text.size()) {
      at += text.substr(at + 1).starts_with("\r\n") ? 3 : 2;
    } else {
      ++at;
    }
  }
  return std::min(at, text.size());
}

/// 1'000 is one number, 'a' is a character.
size_t end_of_word(std::string_view text, size_t at) {
  const bool is_number = std::isdigit(static_cast<unsigned char>(text[at])) != 0;
  size_t end = at + 1;
  while (end < text.size()) {
    if (is_word(text[end])) {
      ++end;
    } else if (is_number && text[end] == '.') {
      ++end;
    } else if (is_number && (text[end] == '+' || text[end] == '-') &&
               (text[end - 1] == 'e' || text[end - 1] == 'E') && !text.substr(at, 2).starts_with("0x")) {
      ++end;
    } else if (is_number && text[end] == '\'' && end + 1 < text.size() && is_word(text[end + 1])) {
      end += 2;
    } else {
      break;
    }
  }
  return end;
}

bool is_raw_prefix(std::string_view word) {
  constexpr std::array<std::string_view, 5> kPrefixes{"R", "LR", "uR", "UR", "u8R"};
  return std::ranges::find(kPrefixes, word) != kPrefixes.end();
}

}  // namespace

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool takes_attribute_arguments(std::string_view word) {
  constexpr std::array<std::string_view, 7> kWords{"alignas",  "decltype", "noexcept",  "asm",
                                                   "explicit", "requires", "__declspec"};
  if (word.starts_with("__") && word.ends_with("__")) return true;
  return std::ranges::find(kWords, word) != kWords.end();
}

namespace {

/// Calls `add` with each token, which may ignore it.
template <class Add>
void scan(std::string_view source, Add&& add) {
  int line = 1;
  bool begins_line = true;  // nothing but space and comments so far
  for (size_t at = 0; at < source.size();) {
    using enum Token::Kind;
    const char c = source[at];
    if (c == '\n') {
      ++line;
      ++at;
      begins_line = true;
      continue;
    }
    if (is_space(c)) {
      ++at;
      continue;
    }
    size_t end = c == '/' ? end_of_comment(source, at) : at;
    const auto found = [&](Token::Kind kind) { add(kind, source.substr(at, end - at), line); };
    bool may_have_lines = true;
    if (end != at) {
      // A comment is no token.
    } else if (begins_line && (c == '#' || source.substr(at).starts_with("%:"))) {
      end = end_of_directive(source, at);
      found(Directive);
    } else {
      if (is_word(c)) {
        end = end_of_word(source, at);
        may_have_lines =
            end < source.size() && source[end] == '"' && is_raw_prefix(source.substr(at, end - at));
        if (may_have_lines) end = end_of_raw_string(source, end);
        found(may_have_lines ? Literal : Word);
      } else if (c == '"' || c == '\'') {
        end = end_of_literal(source, at);
        found(Literal);
      } else {
        end = at + 1;
        // A backslash that continues the line is no character of the program.
        const bool continues =
            c == '\\' && (source.substr(end).starts_with('\n') || source.substr(end).starts_with("\r\n"));
        may_have_lines = false;
        if (!continues) found(Mark);
      }
      begins_line = false;
    }
    if (may_have_lines) line += static_cast<int>(std::ranges::count(source.substr(at, end - at), '\n'));
    at = end;
  }
}

}  // namespace

std::vector<Token> tokens_of(std::string_view source) {
  constexpr size_t kBytesOfToken = 4;  // of most programs, with the space between tokens
  std::vector<Token> tokens;
  tokens.reserve(source.size() / kBytesOfToken);
  scan(source,
       [&](Token::Kind kind, std::string_view text, int line) { tokens.push_back({kind, text, line}); });
  return tokens;
}

std::vector<Token> directives_of(std::string_view source) {
  std::vector<Token> tokens;
  scan(source, [&](Token::Kind kind, std::string_view text, int line) {
    if (kind == Token::Kind::Directive) tokens.push_back({kind, text, line});
  });
  return tokens;
}

std::vector<Token> directives_of(const std::vector<Token>& tokens) {
  std::vector<Token> directives;
  std::ranges::copy_if(tokens, std::back_inserter(directives),
                       [](const Token& token) { return token.kind == Token::Kind::Directive; });
  return directives;
}

std::vector<Token> code_tokens_of(std::string_view source) { return code_tokens_of(tokens_of(source)); }

std::vector<Token> code_tokens_of(std::vector<Token> tokens) {
  std::erase_if(tokens, [](const Token& token) {
    return token.kind == Token::Kind::Literal || token.kind == Token::Kind::Directive;
  });
  return tokens;
}

Directive directive_of(const Token& token) {
  std::string text;
  const std::string_view all = token.text;
  for (size_t at = all.starts_with("%:") ? 2 : 1; at < all.size();) {
    if (const size_t behind = end_of_comment(all, at); behind != at) {
      text += ' ';
      at = behind;
    } else if (all[at] == '\\' &&
               (all.substr(at + 1).starts_with('\n') || all.substr(at + 1).starts_with("\r\n"))) {
      at += all[at + 1] == '\r' ? 3 : 2;
    } else if (all[at] == '"') {
      const size_t end = end_of_literal(all, at);
      text += all.substr(at, end - at);
      at = end;
    } else {
      text += is_space(all[at]) ? ' ' : all[at];
      ++at;
    }
  }
  const auto trim = [](std::string_view part) {
    const size_t first = part.find_first_not_of(' ');
    if (first == std::string_view::npos) return std::string();
    return std::string(part.substr(first, part.find_last_not_of(' ') - first + 1));
  };
  const std::string whole = trim(text);
  size_t end = 0;
  while (end < whole.size() && is_word(whole[end])) ++end;
  return {whole.substr(0, end), trim(std::string_view(whole).substr(end))};
}

}  // namespace lanescope::compile
