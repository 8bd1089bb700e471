// The values of expressions in host code, where the text alone shows them: literals, macros, constants and
// variables that are set once, dim3, arithmetic, functions of one return statement. Method: the definitions
// of names are collected with the scope that they hold in; an expression is then evaluated by precedence.
// What is set twice, depends on a parameter or is not understood has no value. Tests:
// tests/unit/compile/host_launches_test.cpp

#pragma once

#include "compile/host_types.h"
#include "compile/source_tokens.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lanescope::compile {

using HostValue = std::variant<int64_t, double, std::array<int64_t, 3>>;

/// Numbers by name: the arguments of a template or of a function.
using HostNumbers = std::map<std::string, HostValue, std::less<>>;

class HostNames {
 public:
  /// The names that a file defines. Its text must outlive this. The names of a file that was added before are
  /// visible too, as far as they are global.
  void add_file(std::string_view text, const std::vector<Token>& tokens);
  /// "NAME" or "NAME=VALUE", as on a compiler's command line.
  void add_macro(std::string_view definition);

  /// "const float*", as far as the text says it; empty for an unknown name.
  std::string type_at(std::string_view name, size_t file, size_t at) const;
  /// "n" of `std::vector<float> v(n)` and "{0, 4}" of `Range r = {0, 4}`, as far as the text says it.
  std::string value_at(std::string_view name, size_t file, size_t at) const;

  const HostTypes& types() const { return types_; }

 private:
  friend class HostEvaluator;
  /// A variable, or a parameter, from `begin` to `end` of its file.
  struct Definition {
    size_t file = 0, begin = 0, end = 0;
    bool is_global = false;
    std::string type = {};   // "dim3", "int"
    std::string value = {};  // empty: not known; of dim3 a(1, 2) the arguments
  };
  /// An assignment, or anything else that may change a variable.
  struct Change {
    size_t file = 0, at = 0, scope_begin = 0;
    std::string value = {};  // of a plain assignment
  };
  struct Macro {
    std::vector<std::string> parameters = {};
    bool has_parameters = false;
    std::string text = {};
    bool is_ambiguous = false;
  };

  friend class HostNameReader;
  void define(std::string_view definition);
  /// The definition that holds at a place: the innermost, of this file before one of another.
  const Definition* find(std::string_view name, size_t file, size_t at) const;

  size_t files_ = 0;
  HostTypes types_;
  std::multimap<std::string, Definition, std::less<>> definitions_;
  std::multimap<std::string, Change, std::less<>> changes_;
  std::map<std::string, Macro, std::less<>> macros_;  // and functions of one return statement
};

/// The tokens without the branches of `#if 0` and of an `#ifdef` whose name no file defines. A name that
/// begins with _ may be the compiler's.
std::vector<Token> tokens_of_branches(const std::vector<Token>& tokens,
                                      const std::vector<std::string>& defines);

/// The text of tokens, with one space where the source has any between them.
std::string text_of(const Token* begin, const Token* end);

}  // namespace lanescope::compile
