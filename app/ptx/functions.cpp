// Heads and bodies of .entry and .func: parameters, launch bounds, declarations, labels.
// Source: PTX ISA, "Kernel and Function Directives", "Performance-Tuning Directives", "Control Flow
// Directives". Tests: tests/unit/ptx/function_test.cpp

#include "ptx/parser.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::ptx {

namespace {

/// Errors that leave the end of a function to be found by its braces.
bool concerns_one_function(const Error& error) {
  return error.kind == ErrorKind::Unsupported || error.kind == ErrorKind::Syntax;
}

}  // namespace

/// .param .u64 .ptr .global .align 16 name, or .param .align 8 .b8 name[24]
Result<Parameter> Parser::parse_parameter() {
  const Token at = now_;
  if (at.is(".reg")) return error(ErrorKind::Unsupported, at, "parameters in registers are not supported");
  if (!at.is(".param")) return unexpected_token(".param");
  TRY_VOID(advance());
  TRY(const Declaration declaration, parse_declaration(Space::Parameter, Linkage::Here));
  while (now_.kind == TokenKind::Dotted) {
    // What a pointer points to: a promise about the argument, no part of the layout.
    const Token attribute = now_;
    TRY_VOID(advance());
    if (attribute.is(".align")) {
      TRY_VOID(parse_alignment());
    } else if (!attribute.is(".ptr") && !attribute.is(".global") && !attribute.is(".const") &&
               !attribute.is(".shared") && !attribute.is(".local")) {
      return error(ErrorKind::Unsupported, attribute,
                   fmt::format("the parameter attribute '{}' is not supported", attribute.text));
    }
  }
  TRY(const Variable variable, parse_variable(declaration));
  constexpr uint64_t kMostBytes = 32764;  // of a kernel of compute capability 7.0 and later
  if (variable.size_bytes > kMostBytes) {
    return error(ErrorKind::Limit, at,
                 fmt::format("'{}' is larger than the {} bytes that a kernel's parameters may have",
                             variable.name, kMostBytes));
  }
  Parameter parameter;
  parameter.name = variable.name;
  parameter.type = variable.type;
  parameter.size_bytes = static_cast<uint32_t>(variable.size_bytes);
  parameter.alignment = variable.alignment;
  parameter.ptx_line = variable.ptx_line;
  return parameter;
}

/// The list in parentheses. Offsets: each parameter at the next multiple of its alignment.
Result<std::vector<Parameter>> Parser::parse_parameters() {
  std::vector<Parameter> parameters;
  TRY_VOID(expect('(', "the name of a function"));
  uint64_t offset = 0;
  while (!now_.is(')')) {
    TRY(Parameter parameter, parse_parameter());
    offset = (offset + parameter.alignment - 1) / parameter.alignment * parameter.alignment;
    parameter.offset = static_cast<uint32_t>(offset);
    offset += parameter.size_bytes;
    if (offset > UINT32_MAX / 2)
      return error(ErrorKind::Limit, now_, "the parameters are larger than any kernel's");
    parameters.push_back(std::move(parameter));
    TRY(const bool has_more, accept(','));
    if (!has_more) break;
  }
  TRY_VOID(expect(')', "the parameters"));
  return parameters;
}

/// 256 or 32, 8 or 32, 8, 1
Result<Dim3> Parser::parse_extent() {
  Dim3 extent;
  for (uint32_t* part : {&extent.x, &extent.y, &extent.z}) {
    TRY(const uint64_t count, parse_number_in("a number of threads or blocks", 0, UINT32_MAX));
    *part = static_cast<uint32_t>(count);
    if (!now_.is(',') || part == &extent.z) break;
    TRY_VOID(advance());
  }
  return extent;
}

Result<void> Parser::parse_bounds(LaunchBounds& bounds) {
  while (now_.kind == TokenKind::Dotted) {
    const Token directive = now_;
    TRY_VOID(advance());
    if (directive.is(".maxntid")) {
      TRY(bounds.max_threads, parse_extent());
    } else if (directive.is(".reqntid")) {
      TRY(bounds.required_threads, parse_extent());
    } else if (directive.is(".reqnctapercluster")) {
      TRY(bounds.required_cluster, parse_extent());
    } else if (directive.is(".minnctapersm")) {
      TRY(const uint64_t count, parse_number_in("a number of blocks", 0, UINT32_MAX));
      bounds.min_blocks = static_cast<uint32_t>(count);
    } else if (directive.is(".maxnreg")) {
      TRY(const uint64_t count, parse_number_in("a number of registers", 0, UINT32_MAX));
      bounds.max_registers = static_cast<uint32_t>(count);
    } else if (directive.is(".maxclusterrank")) {
      // It bounds the clusters of a launch; here they are those that .reqnctapercluster requires.
      TRY_VOID(parse_number_in("a number of blocks", 1, UINT32_MAX));
    } else if (directive.is(".pragma")) {
      TRY_VOID(parse_pragma());
    } else if (directive.is(".blocksareclusters")) {
      return error(
          ErrorKind::Unsupported, directive,
          "a grid that counts clusters (.blocksareclusters, of __block_size__ with a cluster) is not "
          "supported; write __cluster_dims__ and launch blocks");
    } else if (!directive.is(".noreturn") && !directive.is(".explicitcluster")) {
      return error(ErrorKind::Unsupported, directive,
                   fmt::format("the directive '{}' is not supported", directive.text));
    }
  }
  return {};
}

Result<uint32_t> Parser::declare_function(Function function, const Token& name) {
  const auto next = static_cast<uint32_t>(module_.functions.size());
  const auto [found, is_new] = names_.emplace(name.text, SymbolOperand{SymbolKind::Function, next, 0});
  if (is_new) {
    module_.functions.push_back(std::move(function));
    first_places_.emplace_back();
    refused_places_.emplace_back();
    return next;
  }
  const uint32_t index = found->second.index;
  const bool is_function = found->second.kind == SymbolKind::Function;
  // A prototype may come before the definition, and be repeated.
  if (is_function && function.is_declaration) return index;
  if (!is_function || !module_.functions[index].is_declaration) {
    return error(ErrorKind::Syntax, name, fmt::format("'{}' is declared a second time", name.text));
  }
  module_.functions[index] = std::move(function);
  return index;
}

Result<void> Parser::parse_head(Function& function, Token& name, FunctionKind kind, Linkage linkage) {
  function.is_kernel = kind == FunctionKind::Kernel;
  if (now_.is('(') && kind == FunctionKind::Device) {
    TRY(function.results, parse_parameters());
  }
  name = now_;
  function.ptx_line = name.line;
  TRY(function.name, expect_word("the name of a function"));
  if (now_.is('(')) {
    TRY(function.parameters, parse_parameters());
  }
  if (!function.parameters.empty()) {
    function.parameter_bytes = function.parameters.back().offset + function.parameters.back().size_bytes;
  }
  TRY_VOID(parse_bounds(function.bounds));
  function.is_declaration = now_.is(';') || linkage == Linkage::Extern;
  return {};
}

/// From a bracket to after the one that closes it.
Result<void> Parser::skip_list(char open, char close) {
  size_t depth = 0;
  do {
    if (now_.is(open)) ++depth;
    if (now_.is(close)) --depth;
    if (now_.kind == TokenKind::End) return unexpected_token(fmt::format("'{}'", close));
    TRY_VOID(advance());
  } while (depth > 0);
  return {};
}

/// The head of a function that cannot be read because of `error`: its name, from its start up to its body.
Result<Function> Parser::skip_head(Token& name, FunctionKind kind, Linkage linkage, Error error) {
  if (now_.is('(')) TRY_VOID(skip_list('(', ')'));
  name = now_;
  Function function;
  TRY(function.name, expect_word("the name of a function"));
  function.is_kernel = kind == FunctionKind::Kernel;
  function.ptx_line = name.line;
  while (!now_.is('{') && !now_.is(';')) {
    if (now_.kind == TokenKind::End) return unexpected_token("the body of a function");
    TRY_VOID(advance());
  }
  function.is_declaration = now_.is(';') || linkage == Linkage::Extern;
  function.refused = std::move(error);
  return function;
}

/// What is wrong in one function does not concern the others, which may be all that is wanted of the file.
Result<void> Parser::parse_function(FunctionKind kind, Linkage linkage) {
  const Mark head = mark();
  Function function;
  Token name;
  if (auto read = parse_head(function, name, kind, linkage); !read) {
    if (!concerns_one_function(read.error())) return read;
    go_back(head);
    auto skipped = skip_head(name, kind, linkage, read.error());
    if (!skipped) return read;
    function = *std::move(skipped);
  }
  const bool is_declaration = function.is_declaration;
  const std::optional<Error> refused = function.refused;
  TRY(const uint32_t index, declare_function(std::move(function), name));
  if (is_declaration) return expect(';', "the head of a function without a body");
  if (!now_.is('{')) return unexpected_token("'{' after the head of a function");
  const Mark body = mark();
  const auto names_before = static_cast<std::ptrdiff_t>(function_names_.size());
  if (refused) return skip_body(index, body, *refused);
  auto read = parse_body(index);
  if (read || !concerns_one_function(read.error())) return read;
  module_.functions[index] = std::move(function_);
  refused_places_[index] = place_;
  function_names_.erase(function_names_.begin() + names_before, function_names_.end());
  return skip_body(index, body, std::move(read).error());
}

/// Leaves the function with its head alone.
Result<void> Parser::skip_body(uint32_t index, const Mark& begin, Error error) {
  go_back(begin);
  if (!skip_list('{', '}')) return std::unexpected(std::move(error));
  Function& function = module_.functions[index];
  function.registers.clear();
  function.variables.clear();
  function.instructions.clear();
  function.labels.clear();
  function.branch_tables.clear();
  function.refused = std::move(error);
  return {};
}

Result<void> Parser::parse_body(uint32_t index) {
  TRY_VOID(expect('{', "the head of a function"));
  function_ = std::move(module_.functions[index]);
  scopes_ = Scopes();
  label_uses_.clear();
  prototypes_.clear();
  prototype_uses_.clear();
  place_.reset();
  place_of_.clear();
  const auto first_place = static_cast<uint32_t>(module_.places.size());
  const auto declare = [&](const std::vector<Parameter>& parameters, SymbolKind kind) {
    for (uint32_t i = 0; i < parameters.size(); ++i) {
      if (!scopes_.declare_symbol(parameters[i].name, {kind, i, 0})) return false;
    }
    return true;
  };
  // The names are views into function_, which stays in its place until the body is complete.
  if (!declare(function_.parameters, SymbolKind::Parameter) ||
      !declare(function_.results, SymbolKind::Result)) {
    return error(ErrorKind::Syntax, now_,
                 fmt::format("two parameters of '{}' have one name", function_.name));
  }
  while (!now_.is('}') || scopes_.depth() > 1) {
    if (now_.kind == TokenKind::End)
      return unexpected_token(fmt::format("'}}' after the body of '{}'", function_.name));
    TRY_VOID(parse_statement());
  }
  TRY_VOID(resolve_labels());
  if (module_.places.size() > first_place) first_places_[index] = first_place;
  module_.functions[index] = std::move(function_);
  scopes_ = Scopes();
  return advance();
}

Result<void> Parser::parse_statement() {
  const Token token = now_;
  if (token.is('{')) {
    if (scopes_.depth() > static_cast<size_t>(kMaximumNesting)) {
      return error(ErrorKind::Limit, token,
                   fmt::format("braces are nested more than {} deep", kMaximumNesting));
    }
    scopes_.open();
    return advance();
  }
  if (token.is('}')) {
    scopes_.close();
    return advance();
  }
  if (token.kind == TokenKind::Word && ahead_.is(':')) return parse_label();
  if (token.kind == TokenKind::Word || token.is('@')) return parse_instruction();
  if (token.kind != TokenKind::Dotted) return unexpected_token("an instruction, a label or a declaration");
  TRY_VOID(advance());
  if (token.is(".loc")) return parse_loc();
  if (token.is(".reg")) return parse_registers();
  if (token.is(".param")) return parse_locals(Space::Parameter, Linkage::Here);
  if (token.is(".local")) return parse_locals(Space::Local, Linkage::Here);
  if (token.is(".shared")) return parse_locals(Space::Shared, Linkage::Here);
  if (token.is(".extern") && now_.is(".shared")) {
    TRY_VOID(advance());
    return parse_locals(Space::Shared, Linkage::Extern);
  }
  if (token.is(".pragma")) return parse_pragma();
  if (token.is(".file")) return parse_file();
  return error(ErrorKind::Unsupported, token,
               fmt::format("the directive '{}' is not supported here", token.text));
}

/// .reg .b32 %r<100>, %sum;
Result<void> Parser::parse_registers() {
  if (now_.is(".v2") || now_.is(".v4")) {
    return error(ErrorKind::Unsupported, now_, "registers of a vector type are not supported");
  }
  TRY(const Type type, parse_type());
  while (true) {
    const Token at = now_;
    TRY(const std::string_view name, expect_word("the name of a register"));
    TRY_VOID(parse_declared_registers(name, type, at));
    TRY(const bool has_more, accept(','));
    if (!has_more) break;
  }
  return expect(';', "a declaration of registers");
}

Result<void> Parser::parse_declared_registers(std::string_view name, Type type, const Token& at) {
  bool is_new = false;
  if (now_.is('<')) {
    TRY_VOID(advance());
    TRY(const uint64_t count, parse_number_in("a number of registers", 0, UINT32_MAX));
    TRY_VOID(expect('>', "a number of registers"));
    is_new = scopes_.declare_registers(name, static_cast<uint32_t>(count), type);
  } else {
    is_new = scopes_.declare_register(name, type);
  }
  if (!is_new) return error(ErrorKind::Syntax, at, fmt::format("'{}' is declared a second time", name));
  return {};
}

Result<void> Parser::parse_label() {
  const Token at = now_;
  TRY_VOID(advance());
  TRY_VOID(advance());
  if (now_.is(".branchtargets")) return parse_branch_targets(at.text, at);
  if (now_.is(".callprototype") || now_.is(".calltargets")) return parse_call_targets(at.text);
  if (!scopes_.declare_label(at.text, static_cast<uint32_t>(function_.labels.size()))) {
    return error(ErrorKind::Syntax, at, fmt::format("the label '{}' is defined twice", at.text));
  }
  function_.labels.push_back({std::string(at.text), static_cast<uint32_t>(function_.instructions.size())});
  return {};
}

/// name: .branchtargets A, B, C;
Result<void> Parser::parse_branch_targets(std::string_view name, const Token& at) {
  TRY_VOID(advance());
  const auto index = static_cast<uint32_t>(function_.branch_tables.size());
  if (!scopes_.declare_branch_table(name, index)) {
    return error(ErrorKind::Syntax, at, fmt::format("the label '{}' is defined twice", name));
  }
  BranchTable table{std::string(name), {}};
  while (true) {
    const Token target = now_;
    TRY(const std::string_view label, expect_word("a label"));
    label_uses_.push_back({label, scopes_.current(), target, LabelUse::Target::BranchTable, index,
                           static_cast<uint32_t>(table.targets.size())});
    table.targets.push_back(0);
    TRY(const bool has_more, accept(','));
    if (!has_more) break;
  }
  function_.branch_tables.push_back(std::move(table));
  return expect(';', "the targets of a branch");
}

/// name: .callprototype (.param .b32 _) _ (.param .b64 _); or .calltargets f, g; What a call passes says the
/// same, and whom it reaches is in its pointer, so the name alone is kept.
Result<void> Parser::parse_call_targets(std::string_view name) {
  prototypes_.push_back(name);
  while (!now_.is(';')) {
    if (now_.kind == TokenKind::End || now_.is('{') || now_.is('}'))
      return unexpected_token("';' after a prototype or a list of targets");
    TRY_VOID(advance());
  }
  return advance();
}

/// Labels and tables may follow their use, so they are looked up when the function is complete.
Result<void> Parser::resolve_labels() {
  for (const PrototypeUse& use : prototype_uses_) {
    if (std::ranges::find(prototypes_, use.name) == prototypes_.end())
      return error(ErrorKind::Syntax, use.token,
                   fmt::format("there is no .callprototype or .calltargets list '{}' here", use.name));
  }
  for (const LabelUse& use : label_uses_) {
    if (use.target == LabelUse::Target::BranchTable) {
      const auto label = scopes_.find_label(use.name, use.scope);
      if (!label) return error(ErrorKind::Syntax, use.token, fmt::format("there is no label '{}'", use.name));
      function_.branch_tables[use.index].targets[use.place] = *label;
      continue;
    }
    Operand& operand = function_.instructions[use.index].operands[use.place];
    const bool is_label = std::holds_alternative<LabelOperand>(operand);
    const auto index =
        is_label ? scopes_.find_label(use.name, use.scope) : scopes_.find_branch_table(use.name, use.scope);
    if (!index) {
      return error(
          ErrorKind::Syntax, use.token,
          fmt::format("there is no {} '{}' here", is_label ? "label" : ".branchtargets list", use.name));
    }
    operand = is_label ? Operand(LabelOperand{*index}) : Operand(BranchTableOperand{*index});
  }
  return {};
}

}  // namespace lanescope::ptx
