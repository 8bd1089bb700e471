// Recursive descent over a PTX file: the state that the parts of the grammar share.
// Method: one token of look-ahead; depth of nesting and size are bounded, for a PTX file may come from
// anywhere. The grammar is spread over parser.cpp (the file, its directives), variables.cpp (declarations and
// their initializers), constants.cpp (constant expressions), functions.cpp (heads and bodies), places.cpp
// (.loc) and instructions.cpp. Source: PTX ISA, "Directives". Tests: tests/unit/ptx/*_test.cpp

#pragma once

#include "ptx/lexer.h"
#include "ptx/module.h"
#include "ptx/opcode.h"
#include "ptx/scope.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace lanescope::ptx {

inline constexpr size_t kMaximumTextBytes = size_t{64} << 20;
inline constexpr uint64_t kMaximumVariableBytes = uint64_t{1} << 40;
inline constexpr uint64_t kMaximumInitialBytes = uint64_t{256} << 20;
inline constexpr int kMaximumNesting = 32;

class Parser {
 public:
  Parser(std::string_view text, std::string_view file_name);

  Result<Module> parse();

 private:
  enum class Linkage : uint8_t { Here, Extern };
  enum class FunctionKind : uint8_t { Kernel, Device };  // .entry, .func
  /// The part of a declaration before its name: space, alignment, type.
  struct Declaration {
    Space space = Space::Global;
    Type type = Type::b8;
    int vector_width = 1;
    uint32_t alignment = 0;  // 0: that of the type
    Linkage linkage = Linkage::Here;
  };
  /// A use of a label, to be resolved when the function is complete.
  struct LabelUse {
    std::string_view name;
    uint32_t scope = 0;
    Token token;
    enum class Target : uint8_t { Instruction, BranchTable } target = Target::Instruction;
    uint32_t index = 0;  // of the instruction or the branch table
    uint32_t place = 0;  // operand, or target within the table
  };
  /// A .loc's function name, which is in .debug_str at the end of the file.
  struct FunctionNameUse {
    uint32_t place = 0;
    std::string_view label;
    uint64_t offset = 0;
    Token token;
  };
  /// A .callprototype or .calltargets list that a call names.
  struct PrototypeUse {
    std::string_view name;
    Token token;
  };
  struct FileUse {
    uint32_t place = 0;
    uint32_t number = 0;
    Token token;
  };

  /// Where to continue after something that cannot be read.
  struct Mark {
    Lexer lexer;
    Token now, ahead, last;
  };

  // Tokens.
  Mark mark() const { return {lexer_, now_, ahead_, last_}; }
  void go_back(const Mark& mark);
  Result<void> advance();
  Result<void> expect(char mark, std::string_view after);
  Result<bool> accept(char mark);
  Result<std::string_view> expect_word(std::string_view what);
  std::unexpected<Error> error(ErrorKind kind, const Token& token, std::string_view message) const;
  std::unexpected<Error> unexpected_token(std::string_view expected) const;

  // parser.cpp
  Result<void> parse_version();
  Result<void> parse_target();
  Result<void> parse_address_size();
  Result<void> parse_file();
  Result<void> parse_section();
  Result<void> parse_top_level();
  Result<void> parse_pragma();

  // constants.cpp
  Result<Immediate> parse_constant();
  Result<Immediate> parse_constant(int precedence, int depth);
  Result<Immediate> parse_primary(int depth);
  Result<int64_t> parse_integer(std::string_view what);
  Result<uint64_t> parse_number_in(std::string_view what, uint64_t least, uint64_t most);

  // variables.cpp
  Result<Declaration> parse_declaration(Space space, Linkage linkage);
  Result<Variable> parse_variable(const Declaration& declaration);
  Result<SymbolOperand> parse_symbol();
  std::optional<uint64_t> element_bytes_of(const SymbolOperand& symbol) const;
  Result<Type> parse_type();
  Result<uint32_t> parse_alignment();
  Result<void> parse_attributes();
  Result<std::vector<uint64_t>> parse_dimensions();
  Result<void> parse_initializer(Variable& variable, std::span<const uint64_t> dimensions, uint64_t offset);
  Result<void> parse_element(Variable& variable, uint64_t offset);
  Result<void> parse_address_element(Variable& variable, uint64_t offset);
  Result<void> store_element(Variable& variable, uint64_t offset, uint64_t bits);
  Result<void> parse_globals(Space space, Linkage linkage);
  Result<void> parse_global_list(Space space, Linkage linkage);
  Result<void> skip_globals(Error error);
  Result<void> declare_global(Variable variable, const Token& name);

  // functions.cpp
  Result<void> parse_function(FunctionKind kind, Linkage linkage);
  Result<void> parse_head(Function& function, Token& name, FunctionKind kind, Linkage linkage);
  Result<Function> skip_head(Token& name, FunctionKind kind, Linkage linkage, Error error);
  Result<void> skip_body(uint32_t index, const Mark& begin, Error error);
  Result<void> skip_list(char open, char close);
  Result<std::vector<Parameter>> parse_parameters();
  Result<Parameter> parse_parameter();
  Result<void> parse_bounds(LaunchBounds& bounds);
  Result<Dim3> parse_extent();
  Result<uint32_t> declare_function(Function function, const Token& name);
  Result<void> parse_body(uint32_t index);
  Result<void> parse_declared_registers(std::string_view name, Type type, const Token& at);
  Result<void> parse_statement();
  Result<void> parse_registers();
  Result<void> parse_locals(Space space, Linkage linkage);
  Result<void> parse_label();
  Result<void> parse_branch_targets(std::string_view name, const Token& at);
  Result<void> parse_call_targets(std::string_view name);
  Result<void> resolve_labels();

  // places.cpp
  Result<void> parse_loc();
  Result<void> parse_inlining(Place& place);
  Result<void> resolve_places();

  // instructions.cpp
  Result<void> parse_instruction();
  Result<std::optional<Guard>> parse_guard();
  Result<const OpcodeRow*> parse_opcode(Instruction& instruction);
  Result<void> apply_modifiers(const OpcodeRow& row, Instruction& instruction, std::span<const Token> parts);
  Result<void> parse_operands(const OpcodeRow& row, Instruction& instruction);
  Result<void> parse_cache_policy(const OpcodeRow& row, Instruction& instruction);
  Result<Operand> parse_operand(const OperandSpec& spec, uint32_t place);
  Operand use_label(std::string_view name, const Token& token, uint32_t place, OperandRole role);
  Result<Operand> parse_value();
  Result<ScalarOperand> parse_scalar();
  Result<ScalarOperand> parse_name();
  Result<VectorOperand> parse_list(char open, char close);
  Result<AddressOperand> parse_address();
  Result<void> parse_call(Instruction& instruction);
  Result<uint32_t> parse_register(std::string_view what);

  std::string_view text_;
  Lexer lexer_;
  Token now_;
  Token ahead_;
  Token last_;  // the token before now_
  Module module_;
  std::unordered_map<std::string_view, SymbolOperand> names_;  // of the module
  std::unordered_map<std::string_view, std::string> strings_;  // .debug_str by label
  std::vector<FunctionNameUse> function_names_;
  std::vector<FileUse> file_uses_;
  std::unordered_map<std::string_view, uint32_t> refused_;  // index in Module::refused_variables
  std::vector<std::optional<uint32_t>> first_places_;       // of each function of the module
  std::vector<std::optional<uint32_t>> refused_places_;     // of each function: where its error is

  // Of the function whose body is read.
  Function function_;
  Scopes scopes_;
  std::vector<LabelUse> label_uses_;
  std::vector<std::string_view> prototypes_;  // .callprototype and .calltargets
  std::vector<PrototypeUse> prototype_uses_;
  std::optional<uint32_t> place_;
  std::map<std::tuple<uint32_t, int, int>, uint32_t> place_of_;  // the latest by file, line, column
};

}  // namespace lanescope::ptx
