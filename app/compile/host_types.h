// The types that a program's text defines: typedef, using, macros that stand for a type, and structs of plain
// fields with their layout. Method: a scan of the tokens. A name with two meanings, or a struct with anything
// but fields whose types are known, has no layout. Source: System V ABI for x86-64, "Data Representation".
// Tests: tests/unit/compile/host_types_test.cpp

#pragma once

#include "compile/source_tokens.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

class HostTypes {
 public:
  struct Field {
    std::string type;  // without typedefs: "unsigned int", "float*"
    std::string name;
    uint64_t count = 1;  // of an array
  };
  struct Layout {
    uint64_t bytes = 0;
    uint64_t alignment = 1;
  };

  /// Tokens of a file, with its directives.
  void read(std::span<const Token> tokens);

  /// Without qualifiers, namespaces of the library and typedefs: "float*" of "const real *__restrict__".
  std::string plain(std::string_view type) const { return plain(type, 0); }
  std::optional<Layout> layout_of(std::string_view type) const {
    Layouts structs;
    return layout_of(type, structs);
  }
  /// Fields of a struct; null for any other type.
  const std::vector<Field>* fields_of(std::string_view type) const;

 private:
  using Layouts = std::map<std::string, std::optional<Layout>>;
  /// `depth`: aliases that were followed.
  std::string plain(std::string_view type, int depth) const;
  /// `structs`: those that were met, each of which is laid out once.
  std::optional<Layout> layout_of(std::string_view type, Layouts& structs) const;
  void add_alias(const std::string& name, std::string type);
  void read_struct(std::span<const Token> tokens, size_t open, size_t close,
                   const std::vector<std::string>& names);

  std::map<std::string, std::string, std::less<>> aliases_;  // an empty type: there are two
  std::map<std::string, std::vector<Field>, std::less<>> structs_;
};

}  // namespace lanescope::compile
