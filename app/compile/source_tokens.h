// The tokens of a CUDA source, for the scans that need no compiler: kernels, host code, includes, launches.
// Method: comments are skipped, the rest is split into words, single characters, literals and lines of the
// preprocessor. Any text has tokens. Source: C++17, [lex]. Tests: tests/unit/compile/source_tokens_test.cpp

#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

struct Token {
  enum class Kind {
    Word,       // an identifier or a number
    Mark,       // one character of punctuation
    Literal,    // a string or a character, with its quotation marks
    Directive,  // a line of the preprocessor and the lines that continue it
  };
  Kind kind = Kind::Mark;
  std::string_view text;  // a part of the source
  int line = 1;           // of its first character
};

/// A text with its tokens, which several scans share.
struct SourceText {
  std::string_view text;
  const std::vector<Token>& tokens;
};

/// In the order of the text.
std::vector<Token> tokens_of(std::string_view source);

/// Tokens without literals and directives, in the order of the text.
std::vector<Token> code_tokens_of(std::string_view source);
std::vector<Token> code_tokens_of(std::vector<Token> tokens);

/// The directives alone: all that is needed of most headers.
std::vector<Token> directives_of(std::string_view source);
std::vector<Token> directives_of(const std::vector<Token>& tokens);

bool is_word(char c);

/// True if the range `words` has the word.
bool is_one_of(std::string_view word, const auto& words) {
  return std::ranges::find(words, word) != words.end();
}

/// True if `(` after this word belongs to an attribute: __launch_bounds__(256), alignas(16), and not to the
/// parameters of a function, whose name may begin in the same way.
bool takes_attribute_arguments(std::string_view word);

/// A line of the preprocessor: "include" and "<vector>", "define" and "N 4".
struct Directive {
  std::string keyword;
  std::string rest;  // without comments and continuations, trimmed
};
Directive directive_of(const Token& token);

}  // namespace lanescope::compile
