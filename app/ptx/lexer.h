// PTX text as tokens, one at a time. Method: a hand-written scanner over the caller's text; tokens are views
// into it. Source: PTX ISA, "Syntax". Tests: tests/unit/ptx/lexer_test.cpp

#pragma once

#include "base/error.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace lanescope::ptx {

enum class TokenKind : uint8_t {
  End,
  Word,    // an identifier: add, %r1, $L__BB0_2, transpose
  Dotted,  // what a dot starts: .s32, .global, .x, .L2::128B
  Number,  // spelled as in the text; literal.h gives its value
  String,  // with its quotes
  Mark,    // one character of punctuation
};

struct Token {
  TokenKind kind = TokenKind::End;
  std::string_view text;  // view into the text that is scanned
  uint32_t begin = 0;     // offset in it
  int line = 1;           // of its first character, from 1

  bool is(char mark) const { return kind == TokenKind::Mark && text.front() == mark; }
  bool is(std::string_view spelling) const { return kind != TokenKind::String && text == spelling; }
};

class Lexer {
 public:
  /// `text` must outlive the lexer and its tokens, and be shorter than 4 GiB.
  Lexer(std::string_view text, std::string file_name) : text_(text), file_name_(std::move(file_name)) {}

  /// The next token; End at the end of the text, again and again.
  /// Errors: Syntax for a character that PTX does not have, a comment or a string without an end.
  Result<Token> next();

 private:
  Result<void> skip_blank();
  Token token(TokenKind kind, size_t end);

  std::string_view text_;
  std::string file_name_;
  size_t at_ = 0;
  int line_ = 1;
};

}  // namespace lanescope::ptx
