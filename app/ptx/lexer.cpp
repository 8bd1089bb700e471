#include "ptx/lexer.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::ptx {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool starts_name(char c) { return is_letter(c) || c == '_' || c == '$'; }
bool continues_word(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '$'; }

/// Past the digits, letters, fraction and exponent of the number that starts at `at`.
size_t end_of_number(std::string_view text, size_t at) {
  const bool has_prefix = text[at] == '0' && at + 1 < text.size() && is_letter(text[at + 1]);
  size_t end = at;
  while (end < text.size()) {
    const char c = text[end];
    const bool is_fraction = c == '.' && !has_prefix && end + 1 < text.size() && is_digit(text[end + 1]);
    const bool is_sign =
        (c == '+' || c == '-') && !has_prefix && (text[end - 1] == 'e' || text[end - 1] == 'E');
    if (!is_digit(c) && !is_letter(c) && !is_fraction && !is_sign) break;
    ++end;
  }
  return end;
}

}  // namespace

Result<void> Lexer::skip_blank() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    const std::string_view rest = text_.substr(at_, 2);
    if (c == '\n') {
      ++line_;
      ++at_;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      ++at_;
    } else if (rest == "//") {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (rest == "/*") {
      const size_t end = text_.find("*/", at_ + 2);
      if (end == std::string_view::npos) {
        return fail(ErrorKind::Syntax, "this comment has no end; add */", Location{file_name_, line_});
      }
      for (; at_ < end + 2; ++at_) line_ += text_[at_] == '\n';
    } else {
      break;
    }
  }
  return {};
}

Token Lexer::token(TokenKind kind, size_t end) {
  const Token made{kind, text_.substr(at_, end - at_), static_cast<uint32_t>(at_), line_};
  at_ = end;
  return made;
}

Result<Token> Lexer::next() {
  TRY_VOID(skip_blank());
  if (at_ >= text_.size()) return token(TokenKind::End, text_.size());
  const char c = text_[at_];
  size_t end = at_ + 1;
  // A lone % is the remainder of a constant expression.
  const bool starts_register = c == '%' && end < text_.size() && starts_name(text_[end]);
  if (starts_name(c) || starts_register) {
    while (end < text_.size() && continues_word(text_[end])) ++end;
    return token(TokenKind::Word, end);
  }
  if (c == '.') {
    const auto continues = [&](size_t i) {
      if (i >= text_.size()) return false;
      return continues_word(text_[i]) ||
             (text_[i] == ':' && (text_.substr(i, 2) == "::" || text_[i - 1] == ':'));
    };
    while (continues(end)) ++end;
    if (end == at_ + 1) {
      return fail(ErrorKind::Syntax, "a name was expected after this dot", Location{file_name_, line_});
    }
    return token(TokenKind::Dotted, end);
  }
  if (is_digit(c)) return token(TokenKind::Number, end_of_number(text_, at_));
  if (c == '"') {
    end = text_.find_first_of("\"\n\\", end);
    // A backslash escapes what follows it: a quotation mark in the name of a file.
    while (end != std::string_view::npos && text_[end] == '\\') end = text_.find_first_of("\"\n\\", end + 2);
    if (end == std::string_view::npos || text_[end] == '\n') {
      return fail(ErrorKind::Syntax, "this string has no end; add a quotation mark",
                  Location{file_name_, line_});
    }
    return token(TokenKind::String, end + 1);
  }
  if (std::string_view("()[]{}<>,;:@!|+-*/~&^%=?").find(c) != std::string_view::npos) {
    return token(TokenKind::Mark, end);
  }
  return fail(ErrorKind::Syntax,
              fmt::format("PTX has no character like this one (code {}); is this a PTX file?",
                          static_cast<unsigned char>(c)),
              Location{file_name_, line_});
}

}  // namespace lanescope::ptx
