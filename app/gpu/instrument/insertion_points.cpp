#include "gpu/instrument/insertion_points.h"

#include "ptx/lexer.h"

#include <algorithm>
#include <string_view>

namespace lanescope::gpu {
namespace {

/// Offset of the line in the text; lines count from 1.
size_t begin_of_line(std::string_view text, int line) {
  size_t at = 0;
  for (int n = 1; n < line && at < text.size(); ++n) at = std::min(text.find('\n', at), text.size() - 1) + 1;
  return at;
}

/// The current token and those after it.
class Tokens {
 public:
  Tokens(std::string_view text, const std::string& file_name) : lexer_(text, file_name) {}

  const ptx::Token& now() const { return now_; }
  bool at_end() const { return now_.kind == ptx::TokenKind::End; }
  Result<void> advance() {
    TRY(now_, lexer_.next());
    return {};
  }
  template <class Sought>
  Result<void> advance_to(const Sought& sought) {
    while (!at_end() && !now_.is(sought)) TRY_VOID(advance());
    return {};
  }

 private:
  ptx::Lexer lexer_;
  ptx::Token now_{.kind = ptx::TokenKind::Mark, .text = " "};
};

/// Skips a statement that begins with a dot: it ends with a semicolon, .loc at the end of its line.
Result<void> skip_directive(Tokens& tokens) {
  if (tokens.now().is(".loc")) {
    const int line = tokens.now().line;
    while (!tokens.at_end() && tokens.now().line == line) TRY_VOID(tokens.advance());
    return {};
  }
  TRY_VOID(tokens.advance_to(';'));
  return tokens.advance();
}

bool declares_variable(const ptx::Token& token) {
  return token.is(".shared") || token.is(".local") || token.is(".global") || token.is(".const");
}

/// Whether a statement begins after the token.
bool ends_statement(const ptx::Token& token) {
  return token.is(';') || token.is('{') || token.is('}') || token.is(':');
}

/// Passes over the declarations at the beginning of the body: f(offset, end) for each statement.
template <class F>
Result<uint32_t> pass_declarations(const ptx::Module& module, const ptx::Function& function, F&& f) {
  const size_t begin = begin_of_line(module.text, function.ptx_line);
  Tokens tokens(std::string_view(module.text).substr(begin), module.file_name);
  // Another function may begin in the same line.
  TRY_VOID(tokens.advance_to(std::string_view(function.name)));
  TRY_VOID(tokens.advance_to('{'));
  if (tokens.at_end())
    return fail(ErrorKind::Internal, "the body of " + function.name + " was not found again",
                Location{module.file_name, function.ptx_line});
  TRY_VOID(tokens.advance());
  while (tokens.now().kind == ptx::TokenKind::Dotted) {
    const ptx::Token first = tokens.now();
    TRY_VOID(skip_directive(tokens));
    f(first.text, begin + first.begin, begin + tokens.now().begin);
  }
  return static_cast<uint32_t>(begin + tokens.now().begin);
}

}  // namespace

Result<uint32_t> after_declarations(const ptx::Module& module, const ptx::Function& function) {
  return pass_declarations(module, function, [](std::string_view, size_t, size_t) {});
}

Result<std::string> register_declarations(const ptx::Module& module, const ptx::Function& function) {
  std::string text;
  const auto add = [&](std::string_view directive, size_t begin, size_t end) {
    if (directive == ".reg") text.append(module.text, begin, end - begin);
  };
  TRY_VOID(pass_declarations(module, function, add));
  return text;
}

Result<std::optional<int>> late_declaration(const ptx::Module& module, const ptx::Function& function) {
  TRY(const uint32_t begin, after_declarations(module, function));
  Tokens tokens(std::string_view(module.text).substr(begin), module.file_name);
  ptx::Token before{.kind = ptx::TokenKind::Mark, .text = ";"};
  int before_line = 1;
  int depth = 1;
  for (;;) {
    TRY_VOID(tokens.advance());
    if (tokens.at_end()) break;
    const ptx::Token token = tokens.now();
    // A .loc ends at the end of its line.
    const bool begins = ends_statement(before) || token.line != before_line;
    if (begins && declares_variable(token)) {
      const auto above = std::ranges::count(std::string_view(module.text).substr(0, begin), '\n');
      return std::optional(token.line + static_cast<int>(above));
    }
    depth += token.is('{') ? 1 : token.is('}') ? -1 : 0;
    if (depth == 0) break;
    before = token;
    before_line = token.line;
  }
  return std::optional<int>();
}

}  // namespace lanescope::gpu
