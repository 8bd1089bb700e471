// Names of a PTX function: what `%r12`, `param0` or `$L__BB0_3` means between which braces.
// Method: one table per pair of braces, searched from the inside out; a range `%r<100>` is kept as declared,
// and a register comes into being when an instruction first mentions it. Source: PTX ISA, "Parameterized
// Variable Names". Tests: tests/unit/ptx/scope_test.cpp

#pragma once

#include "ptx/module.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lanescope::ptx {

/// The scopes of one function. Names are views into the text that is parsed.
class Scopes {
 public:
  Scopes() { open(); }

  void open();
  /// Only for a scope that open() opened.
  void close();
  size_t depth() const { return depth_; }
  uint32_t current() const { return current_; }

  /// Each declaration returns whether the name was still free in the innermost scope.
  bool declare_register(std::string_view name, Type type);
  /// %r<10>: the names %r0 .. %r9.
  bool declare_registers(std::string_view prefix, uint32_t count, Type type);
  bool declare_symbol(std::string_view name, SymbolOperand symbol);
  bool declare_label(std::string_view name, uint32_t index);
  bool declare_branch_table(std::string_view name, uint32_t index);

  /// Index of the register, which is added to `registers` when it is met for the first time.
  std::optional<uint32_t> find_register(std::string_view name, std::vector<Register>& registers);
  std::optional<SymbolOperand> find_symbol(std::string_view name) const;
  /// Labels may be used before they are defined: look them up at the end, from the scope of the use.
  std::optional<uint32_t> find_label(std::string_view name, uint32_t scope) const;
  std::optional<uint32_t> find_branch_table(std::string_view name, uint32_t scope) const;

 private:
  struct Range {
    uint32_t count = 0;
    Type type = Type::b32;
  };
  struct Scope {
    std::optional<uint32_t> parent;
    std::unordered_map<std::string_view, Type> declared;       // registers declared by name
    std::unordered_map<std::string_view, Range> ranges;        // by prefix
    std::unordered_map<std::string_view, uint32_t> mentioned;  // registers: their index
    std::unordered_map<std::string_view, SymbolOperand> symbols;
    std::unordered_map<std::string_view, uint32_t> labels;
    std::unordered_map<std::string_view, uint32_t> branch_tables;
  };

  static std::optional<Type> declared_type(const Scope& scope, std::string_view name);

  std::vector<Scope> scopes_;  // closed ones too: labels are looked up at the end
  uint32_t current_ = 0;
  size_t depth_ = 0;
};

}  // namespace lanescope::ptx
