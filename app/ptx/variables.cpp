// Declarations of variables, and what they hold at the start.
// Source: PTX ISA, "Variable Declarations", "Initializers". Tests: tests/unit/ptx/variable_test.cpp

#include "ptx/literal.h"
#include "ptx/parser.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

namespace lanescope::ptx {

namespace {

/// Bytes of one element, all components of a vector together.
uint64_t element_bytes(const Variable& variable) {
  return static_cast<uint64_t>(size_bytes(variable.type)) * static_cast<uint64_t>(variable.vector_width);
}

/// Absent where the product is more than any memory holds.
std::optional<uint64_t> multiply(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product) || product > kMaximumVariableBytes) return std::nullopt;
  return product;
}

}  // namespace

Result<Type> Parser::parse_type() {
  if (now_.kind != TokenKind::Dotted) return unexpected_token("a type such as .u32");
  const auto type = type_named(now_.text.substr(1));
  if (!type)
    return error(ErrorKind::Unsupported, now_, fmt::format("the type '{}' is not supported", now_.text));
  TRY_VOID(advance());
  return *type;
}

/// The number after .align.
Result<uint32_t> Parser::parse_alignment() {
  const Token at = now_;
  TRY(const uint64_t bytes, parse_number_in("an alignment in bytes", 1, uint64_t{1} << 20));
  if (!std::has_single_bit(bytes)) {
    return error(ErrorKind::Syntax, at,
                 fmt::format("an alignment is a power of two, which {} is not", bytes));
  }
  return static_cast<uint32_t>(bytes);
}

/// From after the space up to the type: .align 16 .v4 .f32
Result<Parser::Declaration> Parser::parse_declaration(Space space, Linkage linkage) {
  Declaration declaration;
  declaration.space = space;
  declaration.linkage = linkage;
  while (true) {
    const Token token = now_;
    if (token.is(".align")) {
      TRY_VOID(advance());
      TRY(declaration.alignment, parse_alignment());
    } else if (token.is(".v2") || token.is(".v4")) {
      declaration.vector_width = token.is(".v2") ? 2 : 4;
      TRY_VOID(advance());
    } else if (token.is(".attribute")) {
      TRY_VOID(parse_attributes());
    } else {
      TRY(declaration.type, parse_type());
      if (declaration.type == Type::pred) {
        return error(ErrorKind::Syntax, token, "a predicate cannot be kept in memory; declare it with .reg");
      }
      return declaration;
    }
  }
}

/// .attribute(.managed): the variable's memory can be read by the host too, which changes nothing for a
/// kernel.
Result<void> Parser::parse_attributes() {
  TRY_VOID(advance());
  TRY_VOID(expect('(', ".attribute"));
  const Token attribute = now_;
  if (!attribute.is(".managed"))
    return error(ErrorKind::Unsupported, attribute,
                 fmt::format("the attribute '{}' of a variable is not supported", attribute.text));
  TRY_VOID(advance());
  return expect(')', "an attribute");
}

/// [4][33], or [] for an array whose initializer or launch gives the size: that dimension is 0.
Result<std::vector<uint64_t>> Parser::parse_dimensions() {
  std::vector<uint64_t> dimensions;
  while (now_.is('[')) {
    const Token at = now_;
    TRY_VOID(advance());
    int64_t count = 0;
    if (!now_.is(']')) {
      TRY(count, parse_integer("the size of an array"));
      if (count < 1)
        return error(ErrorKind::Syntax, at, fmt::format("an array of {} elements is not possible", count));
    } else if (!dimensions.empty()) {
      return error(ErrorKind::Syntax, at, "only the first dimension of an array may be left open");
    }
    TRY_VOID(expect(']', "the size of an array"));
    dimensions.push_back(static_cast<uint64_t>(count));
    if (dimensions.size() > static_cast<size_t>(kMaximumNesting)) {
      return error(ErrorKind::Limit, at,
                   fmt::format("an array has more than {} dimensions", kMaximumNesting));
    }
  }
  return dimensions;
}

Result<Variable> Parser::parse_variable(const Declaration& declaration) {
  Variable variable;
  variable.space = declaration.space;
  variable.type = declaration.type;
  variable.vector_width = declaration.vector_width;
  variable.is_extern = declaration.linkage == Linkage::Extern;
  variable.ptx_line = now_.line;
  const Token at = now_;
  TRY(variable.name, expect_word("the name of a variable"));
  const uint64_t element = element_bytes(variable);
  variable.alignment = declaration.alignment != 0 ? declaration.alignment : static_cast<uint32_t>(element);
  TRY(std::vector<uint64_t> dimensions, parse_dimensions());
  if (now_.is('<'))
    return error(ErrorKind::Unsupported, now_, "a range of variables (name<N>) is not supported");
  std::optional<uint64_t> size = element;
  for (const uint64_t count : dimensions) {
    if (size) size = multiply(*size, count);
  }
  if (!size) return error(ErrorKind::Limit, at, fmt::format("'{}' is larger than any memory", variable.name));
  variable.size_bytes = *size;

  if (now_.is('=')) {
    const bool may_start_with_values = variable.space == Space::Global || variable.space == Space::Constant;
    if (!may_start_with_values || variable.is_extern) {
      return error(ErrorKind::Syntax, now_,
                   "only .global and .const variables that are defined here have initialisers");
    }
    TRY_VOID(advance());
    if (variable.vector_width > 1) dimensions.push_back(static_cast<uint64_t>(variable.vector_width));
    TRY_VOID(parse_initializer(variable, dimensions, 0));
    if (variable.size_bytes == 0) variable.size_bytes = variable.initial.size();
  } else if (variable.size_bytes == 0 && !variable.is_extern) {
    return error(ErrorKind::Syntax, at,
                 fmt::format("'{}' needs a size, an initialiser, or .extern before it", variable.name));
  }
  return variable;
}

/// A value where `dimensions` is empty, else a list in braces of as many as the first dimension at most.
Result<void> Parser::parse_initializer(Variable& variable, std::span<const uint64_t> dimensions,
                                       uint64_t offset) {
  if (dimensions.empty()) return parse_element(variable, offset);
  uint64_t stride = static_cast<uint64_t>(size_bytes(variable.type));
  for (const uint64_t count : dimensions.subspan(1)) stride *= count;
  TRY_VOID(expect('{', "the = of an array"));
  for (uint64_t i = 0; !now_.is('}'); ++i) {
    if (dimensions.front() != 0 && i >= dimensions.front()) {
      return error(ErrorKind::Syntax, now_,
                   fmt::format("'{}' has more than {} values here", variable.name, dimensions.front()));
    }
    TRY_VOID(parse_initializer(variable, dimensions.subspan(1), offset + i * stride));
    TRY(const bool has_more, accept(','));
    if (!has_more) break;
  }
  return expect('}', "the values of an array");
}

Result<void> Parser::store_element(Variable& variable, uint64_t offset, uint64_t bits) {
  const auto size = static_cast<uint64_t>(size_bytes(variable.type));
  if (offset + size > kMaximumInitialBytes) {
    return error(ErrorKind::Limit, now_,
                 fmt::format("initial values beyond {} MiB are not read", kMaximumInitialBytes >> 20));
  }
  const auto begin = static_cast<size_t>(offset), end = static_cast<size_t>(offset + size);
  if (variable.initial.size() < end) variable.initial.resize(end);
  for (size_t i = 0; i < std::min<size_t>(end - begin, 8); ++i) {
    variable.initial[begin + i] = static_cast<std::byte>(bits >> 8 * i);
  }
  return {};
}

Result<void> Parser::parse_element(Variable& variable, uint64_t offset) {
  const bool is_name = now_.kind == TokenKind::Word && !now_.is("WARP_SZ");
  if (is_name) return parse_address_element(variable, offset);
  const Token at = now_;
  TRY(const Immediate value, parse_constant());
  if (now_.is('('))
    return error(ErrorKind::Unsupported, at, "an initialiser of single bytes of an address is not supported");
  const bool holds_floats = is_float(variable.type);
  if (value.kind != ImmediateKind::Integer && !holds_floats) {
    return error(ErrorKind::Syntax, at,
                 fmt::format("'{}' holds integers; write a bit pattern", variable.name));
  }
  return store_element(variable, offset, bits_as(value, variable.type));
}

/// name, name+8, generic(name), generic(name)+8, generic(name+8)
Result<void> Parser::parse_address_element(Variable& variable, uint64_t offset) {
  const Token at = now_;
  AddressInitializer address;
  address.offset = offset;
  address.generic = now_.is("generic") && ahead_.is('(');
  if (address.generic) {
    TRY_VOID(advance());
    TRY_VOID(advance());
  }
  TRY(const SymbolOperand symbol, parse_symbol());
  address.kind = symbol.kind;
  address.index = symbol.index;
  address.addend = symbol.offset;
  if (address.generic) {
    TRY_VOID(expect(')', "the name of a variable"));
    if (now_.is('+') || now_.is('-')) {
      TRY(const int64_t more, parse_integer("an offset in bytes"));
      address.addend =
          static_cast<int64_t>(static_cast<uint64_t>(address.addend) + static_cast<uint64_t>(more));
    }
  }
  if (size_bytes(variable.type) != 8) {
    return error(ErrorKind::Unsupported, at,
                 "an address is 64 bits; initialising a narrower variable with it is not supported");
  }
  TRY_VOID(store_element(variable, offset, 0));
  variable.addresses.push_back(address);
  return {};
}

/// Bytes from one element of what the symbol names to the next; absent for what has no elements.
std::optional<uint64_t> Parser::element_bytes_of(const SymbolOperand& symbol) const {
  switch (symbol.kind) {
    case SymbolKind::Global:
      return element_bytes(module_.globals[symbol.index]);
    case SymbolKind::Local:
      return element_bytes(function_.variables[symbol.index]);
    case SymbolKind::Parameter:
      return static_cast<uint64_t>(size_bytes(function_.parameters[symbol.index].type));
    case SymbolKind::Result:
      return static_cast<uint64_t>(size_bytes(function_.results[symbol.index].type));
    case SymbolKind::Function:
      break;
  }
  return std::nullopt;
}

/// A variable or function by name, and what is added to its address: tile, tile+8 in bytes, tile[2] in
/// elements.
Result<SymbolOperand> Parser::parse_symbol() {
  const Token at = now_;
  TRY(const std::string_view name, expect_word("the name of a variable"));
  std::optional<SymbolOperand> symbol = scopes_.find_symbol(name);
  if (const auto found = names_.find(name); !symbol && found != names_.end()) symbol = found->second;
  if (const auto found = refused_.find(name); !symbol && found != refused_.end()) {
    const Error& reason = module_.refused_variables[found->second].error;
    return error(reason.kind, at, fmt::format("'{}' cannot be used ({})", name, reason.message));
  }
  if (!symbol)
    return error(ErrorKind::Syntax, at, fmt::format("nothing named '{}' is declared before this line", name));
  if (now_.is('+') || now_.is('-')) {
    TRY(symbol->offset, parse_integer("an offset in bytes"));
  } else if (now_.is('[')) {
    TRY_VOID(advance());
    TRY(const int64_t index, parse_integer("the index of an element"));
    const auto bytes = element_bytes_of(*symbol);
    if (!bytes || __builtin_mul_overflow(index, static_cast<int64_t>(*bytes), &symbol->offset))
      return error(ErrorKind::Syntax, at, fmt::format("'{}' has no element {}", name, index));
    TRY_VOID(expect(']', "the index of an element"));
  }
  return *symbol;
}

Result<void> Parser::declare_global(Variable variable, const Token& name) {
  const auto found = names_.find(name.text);
  if (found == names_.end()) {
    names_.emplace(name.text,
                   SymbolOperand{SymbolKind::Global, static_cast<uint32_t>(module_.globals.size()), 0});
    module_.globals.push_back(std::move(variable));
    return {};
  }
  // A declaration may come before the definition, and be repeated.
  const bool is_variable = found->second.kind == SymbolKind::Global;
  if (is_variable && variable.is_extern) return {};
  if (!is_variable || !module_.globals[found->second.index].is_extern) {
    return error(ErrorKind::Syntax, name, fmt::format("'{}' is declared a second time", name.text));
  }
  module_.globals[found->second.index] = std::move(variable);
  return {};
}

/// A variable that cannot be represented concerns only the functions that name it.
Result<void> Parser::parse_globals(Space space, Linkage linkage) {
  const Mark begin = mark();
  auto read = parse_global_list(space, linkage);
  if (read || read.error().kind != ErrorKind::Unsupported) return read;
  go_back(begin);
  return skip_globals(std::move(read).error());
}

/// The names of a declaration are its first word, and those after commas outside of initializers.
Result<void> Parser::skip_globals(Error error) {
  bool is_name_next = true;
  while (!now_.is(';')) {
    if (now_.kind == TokenKind::End) return std::unexpected(std::move(error));
    if (now_.is('{')) {
      TRY_VOID(skip_list('{', '}'));
      continue;
    }
    if (is_name_next && now_.kind == TokenKind::Word) {
      is_name_next = false;
      if (refused_.emplace(now_.text, module_.refused_variables.size()).second)
        module_.refused_variables.push_back({std::string(now_.text), error});
    }
    is_name_next |= now_.is(',');
    TRY_VOID(advance());
  }
  return advance();
}

Result<void> Parser::parse_global_list(Space space, Linkage linkage) {
  TRY(const Declaration declaration, parse_declaration(space, linkage));
  while (true) {
    const Token name = now_;
    TRY(Variable variable, parse_variable(declaration));
    TRY_VOID(declare_global(std::move(variable), name));
    TRY(const bool has_more, accept(','));
    if (!has_more) break;
  }
  return expect(';', "a declaration");
}

Result<void> Parser::parse_locals(Space space, Linkage linkage) {
  TRY(const Declaration declaration, parse_declaration(space, linkage));
  while (true) {
    const Token name = now_;
    TRY(Variable variable, parse_variable(declaration));
    const SymbolOperand symbol{SymbolKind::Local, static_cast<uint32_t>(function_.variables.size()), 0};
    if (!scopes_.declare_symbol(name.text, symbol)) {
      return error(ErrorKind::Syntax, name, fmt::format("'{}' is declared a second time", name.text));
    }
    function_.variables.push_back(std::move(variable));
    TRY(const bool has_more, accept(','));
    if (!has_more) break;
  }
  return expect(';', "a declaration");
}

}  // namespace lanescope::ptx
