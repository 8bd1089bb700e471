// One instruction: guard, name, modifiers, operands. Source: PTX ISA, "Instruction Statements", "Instruction
// Operands". Tests: tests/unit/ptx/instruction_test.cpp

#include "ptx/check.h"
#include "ptx/parser.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::ptx {

namespace {

constexpr size_t kMostParts = 16;      // dotted parts of a name; the longest real ones have about ten
constexpr size_t kMostNameParts = 6;   // of a row's spelling, after the first
constexpr size_t kMostElements = 128;  // of a vector or of a call's list; wgmma has as many

void set_type(Instruction& instruction, size_t place, Type type) {
  switch (place) {
    case 0:
      instruction.type = type;
      break;
    case 1:
      instruction.second_type = type;
      break;
    case 2:
      instruction.modifiers.third_type = type;
      break;
    default:
      instruction.modifiers.fourth_type = type;
  }
}

/// ptxas takes the parts of a name in any order: vote.ballot.sync.b32 is vote.sync.ballot.b32. The row of
/// which most parts are there; they become the first `used` ones of `parts`.
const OpcodeRow* take_row_in_any_order(std::string_view word, std::vector<Token>& parts, size_t& used) {
  const auto order_for = [&](std::string_view spelling) {
    std::vector<Token> rest = parts, taken;
    while (!spelling.empty()) {
      const std::string_view part = spelling.substr(0, spelling.find('.', 1));
      const auto found = std::ranges::find(rest, part, &Token::text);
      if (found == rest.end()) return std::pair(std::vector<Token>(), size_t{0});
      taken.push_back(*found);
      rest.erase(found);
      spelling.remove_prefix(part.size());
    }
    const size_t count = taken.size();
    taken.insert(taken.end(), rest.begin(), rest.end());
    return std::pair(taken, count);
  };
  const OpcodeRow* best = nullptr;
  std::vector<Token> best_order;
  for (const OpcodeRow& row : opcode_rows()) {
    if (!row.spelling.starts_with(word) || !row.spelling.substr(word.size()).starts_with('.')) continue;
    auto [order, count] = order_for(row.spelling.substr(word.size()));
    if (count <= used) continue;
    best = &row;
    best_order = std::move(order);
    used = count;
  }
  if (best != nullptr) parts = std::move(best_order);
  return best;
}

/// Whether the operand may be a vector. ptxas 13.0 refuses vectors of one in atomics.
bool takes_vector_of_one(const OpcodeRow& row, const OperandSpec& spec) {
  return spec.packs || (row.modifiers.contains(ModifierGroup::Vector) && !updates_memory(row.op));
}

/// The element of a vector of one, such as Triton writes: ld.global.b32 {%r1}, [%rd1].
Operand only_element(const Operand& vector) {
  return std::visit([](const auto& one) { return Operand(one); },
                    std::get<VectorOperand>(vector).elements.front());
}

/// After a register of a video instruction: .b0, .h1, .h10, .b3210.
std::optional<Selector> selector_named(std::string_view text) {
  if (text.size() < 3 || text.size() > 6 || (text[1] != 'b' && text[1] != 'h')) return std::nullopt;
  Selector selector{.unit = static_cast<uint8_t>(text[1] == 'b' ? 1 : 2),
                    .count = static_cast<uint8_t>(text.size() - 2)};
  for (const char digit : text.substr(2)) {
    if (digit < '0' || digit > '7') return std::nullopt;
    selector.digits = static_cast<uint16_t>(selector.digits << 4 | (digit - '0'));
  }
  return selector;
}

}  // namespace

Result<uint32_t> Parser::parse_register(std::string_view what) {
  const Token at = now_;
  TRY(const std::string_view name, expect_word(what));
  const auto index = scopes_.find_register(name, function_.registers);
  if (!index)
    return error(ErrorKind::Syntax, at, fmt::format("{} was expected, '{}' is not declared", what, name));
  return *index;
}

Result<std::optional<Guard>> Parser::parse_guard() {
  TRY(const bool is_guarded, accept('@'));
  if (!is_guarded) return std::nullopt;
  Guard guard;
  TRY(guard.negated, accept('!'));
  const Token at = now_;
  TRY(guard.predicate, parse_register("a predicate register"));
  if (function_.registers[guard.predicate].type != Type::pred) {
    return error(ErrorKind::Syntax, at,
                 fmt::format("'{}' guards an instruction but is no predicate", at.text));
  }
  return guard;
}

/// The longest row of the table that the name starts with; what is left are modifiers and types.
Result<const OpcodeRow*> Parser::parse_opcode(Instruction& instruction) {
  const Token name = now_;
  TRY(const std::string_view word, expect_word("an instruction"));
  std::vector<Token> parts;
  while (now_.kind == TokenKind::Dotted) {
    if (parts.size() == kMostParts)
      return error(ErrorKind::Limit, name, "an instruction has too many modifiers");
    parts.push_back(now_);
    TRY_VOID(advance());
  }
  std::string spelling(word);
  for (const Token& part : parts) spelling += part.text;
  if (const RefusedRow* refused = refused_as(spelling)) {
    return error(ErrorKind::Unsupported, name,
                 fmt::format("the instruction '{}' is not executed: {}", spelling, refused->reason));
  }
  spelling = word;
  const OpcodeRow* row = row_named(spelling);
  size_t used = 0;
  for (size_t i = 0; i < std::min<size_t>(parts.size(), kMostNameParts); ++i) {
    spelling += parts[i].text;
    if (const OpcodeRow* longer = row_named(spelling)) {
      row = longer;
      used = i + 1;
    }
  }
  if (row == nullptr) row = take_row_in_any_order(word, parts, used);
  if (row == nullptr) {
    return error(ErrorKind::Unsupported, name, fmt::format("the instruction '{}' is not supported", word));
  }
  instruction.op = row->op;
  // bar.red has the row of barrier.red, which is aligned only where it says so.
  instruction.modifiers.aligned = word == "bar";
  if (const auto& access = row->traits.access) {
    if (access->shape == AccessShape::Texture) instruction.modifiers.space = Space::Texture;
    if (access->shape == AccessShape::Surface) instruction.modifiers.space = Space::Surface;
    if (access->shape == AccessShape::Descriptors) instruction.modifiers.space = Space::Shared;
  }
  TRY_VOID(apply_modifiers(*row, instruction, std::span(parts).subspan(used)));
  return row;
}

Result<void> Parser::apply_modifiers(const OpcodeRow& row, Instruction& instruction,
                                     std::span<const Token> parts) {
  uint64_t groups_seen = 0;
  size_t types_seen = 0;
  const TypeCount counts = types_of(row);
  for (const Token& part : parts) {
    const std::string_view name = part.text.substr(1);
    if (const ModifierRow* modifier = modifier_named(name, row.modifiers.without(groups_seen))) {
      groups_seen |= uint64_t{1} << static_cast<uint64_t>(modifier->group);
      modifier->set(instruction.modifiers);
      continue;
    }
    if (modifier_named(name, row.modifiers) != nullptr) {
      return error(ErrorKind::Syntax, part,
                   fmt::format("'{}' contradicts or repeats a modifier before it", part.text));
    }
    const auto type = type_named(name);
    const TypeSet& allowed = types_seen == 0 ? row.types : row.second_types;
    if (type && types_seen < counts.most && allowed.contains(*type)) {
      set_type(instruction, types_seen++, *type);
      continue;
    }
    const std::string_view what = type ? "type" : is_modifier(name) ? "modifier" : "unknown modifier";
    return error(ErrorKind::Unsupported, part,
                 fmt::format("the {} '{}' of '{}' is not supported", what, part.text, row.spelling));
  }
  if (types_seen < counts.least) {
    return error(ErrorKind::Syntax, parts.empty() ? last_ : parts.back(),
                 fmt::format("'{}' needs {}", row.spelling,
                             counts.least > 2    ? fmt::format("{} types, the result's first", counts.least)
                             : counts.least == 2 ? "two types, such as .f32.s32"
                                                 : "a type, such as .u32"));
  }
  if (row.op == Op::wmma_mma && types_seen == 2) {  // .f32.f16: D and C; A and B are of halves
    instruction.modifiers.fourth_type = *instruction.second_type;
    instruction.second_type = instruction.modifiers.third_type = Type::f16;
  }
  return {};
}

/// %r1, %tid.x, tile+8
Result<ScalarOperand> Parser::parse_name() {
  const Token at = now_;
  if (at.text == "_") {
    TRY_VOID(advance());
    return Sink{};
  }
  if (const auto index = scopes_.find_register(at.text, function_.registers)) {
    TRY_VOID(advance());
    return RegisterOperand{*index, false};
  }
  if (!at.text.starts_with('%')) {
    TRY(const SymbolOperand symbol, parse_symbol());
    return symbol;
  }
  std::string_view name = at.text;
  TRY_VOID(advance());
  if (now_.kind == TokenKind::Dotted && now_.begin == at.begin + at.text.size()) {
    name = text_.substr(at.begin, at.text.size() + now_.text.size());
    TRY_VOID(advance());
  }
  if (const auto special = special_register_named(name)) return *special;
  const char last = name.back();
  const bool looks_declared = last >= '0' && last <= '9' && name.find('.') == std::string_view::npos;
  if (looks_declared)
    return error(ErrorKind::Syntax, at, fmt::format("the register '{}' is not declared", name));
  return error(ErrorKind::Unsupported, at,
               fmt::format("'{}' is neither declared nor a special register that is supported", name));
}

Result<ScalarOperand> Parser::parse_scalar() {
  const bool is_negated = now_.is('!');
  if (is_negated) {
    TRY_VOID(advance());
    TRY(const uint32_t index, parse_register("a predicate register after '!'"));
    return RegisterOperand{index, true};
  }
  if (now_.kind == TokenKind::Word && !now_.is("WARP_SZ")) return parse_name();
  TRY(const Immediate value, parse_constant());
  return value;
}

Result<VectorOperand> Parser::parse_list(char open, char close) {
  VectorOperand list;
  TRY_VOID(expect(open, "an instruction"));
  while (!now_.is(close)) {
    if (list.elements.size() == kMostElements) {
      return error(ErrorKind::Limit, now_, fmt::format("a list has more than {} elements", kMostElements));
    }
    TRY(ScalarOperand element, parse_scalar());
    list.elements.push_back(element);
    TRY(const bool has_more, accept(','));
    if (!has_more) break;
  }
  TRY_VOID(expect(close, "a list of operands"));
  return list;
}

Result<Operand> Parser::parse_value() {
  if (now_.is('{')) return parse_list('{', '}');
  TRY(const ScalarOperand scalar, parse_scalar());
  return std::visit([](const auto& value) { return Operand(value); }, scalar);
}

/// [%rd1+8], [tile], [64]
Result<AddressOperand> Parser::parse_address() {
  AddressOperand address;
  TRY_VOID(expect('[', "an instruction that accesses memory"));
  if (now_.kind != TokenKind::Word || now_.is("WARP_SZ")) {
    TRY(address.offset, parse_integer("an address"));
  } else if (const auto index = scopes_.find_register(now_.text, function_.registers)) {
    TRY_VOID(advance());
    address.base = RegisterOperand{*index, false};
    if (now_.is('+') || now_.is('-')) {
      TRY(address.offset, parse_integer("an offset in bytes"));
    }
  } else {
    TRY(SymbolOperand symbol, parse_symbol());
    address.offset = std::exchange(symbol.offset, 0);
    address.base = symbol;
  }
  TRY_VOID(expect(']', "an address"));
  return address;
}

/// A placeholder, which resolve_labels replaces.
Operand Parser::use_label(std::string_view name, const Token& token, uint32_t place, OperandRole role) {
  label_uses_.push_back({name, scopes_.current(), token, LabelUse::Target::Instruction,
                         static_cast<uint32_t>(function_.instructions.size()), place});
  if (role == OperandRole::BranchTable) return BranchTableOperand{};
  return LabelOperand{};
}

Result<Operand> Parser::parse_operand(const OperandSpec& spec, uint32_t place) {
  const Token at = now_;
  switch (spec.role) {
    case OperandRole::Address: {
      TRY(const AddressOperand address, parse_address());
      return address;
    }
    case OperandRole::Label:
    case OperandRole::BranchTable: {
      TRY(const std::string_view name, expect_word("a label"));
      return use_label(name, at, place, spec.role);
    }
    case OperandRole::Constant: {
      TRY(const int64_t value, parse_integer("an integer constant"));
      return Immediate{ImmediateKind::Integer, static_cast<uint64_t>(value)};
    }
    default:
      return parse_value();
  }
}

Result<void> Parser::parse_operands(const OpcodeRow& row, Instruction& instruction) {
  const auto specs = std::span(row.operands).first(static_cast<size_t>(row.operand_count));
  for (uint32_t i = 0; i < specs.size(); ++i) {
    const OperandSpec& spec = specs[i];
    const char separator = spec.separator == OperandSeparator::Bar ? '|' : ',';
    const bool is_first = i == 0;
    if (spec.optional && !now_.is(separator)) {
      instruction.operands.emplace_back(Absent{});
      continue;
    }
    if (!is_first) TRY_VOID(expect(separator, "an operand"));
    if (spec.opens) TRY_VOID(expect('[', "an instruction that accesses an image"));
    TRY(Operand operand, parse_operand(spec, i));
    if (spec.closes) TRY_VOID(expect(']', "the coordinates of an image"));
    const auto* const vector = std::get_if<VectorOperand>(&operand);
    if (vector != nullptr && vector->elements.size() == 1 && takes_vector_of_one(row, spec))
      operand = only_element(operand);
    instruction.operands.push_back(std::move(operand));
    const bool may_select =
        row.modifiers.contains(ModifierGroup::VideoOperation) && i < instruction.modifiers.selectors.size();
    if (may_select && now_.kind == TokenKind::Dotted) {
      const auto selector = selector_named(now_.text);
      if (!selector) return unexpected_token("a part of the register such as .b0 or .h1");
      instruction.modifiers.selectors[i] = *selector;
      TRY_VOID(advance());
    }
  }
  if (instruction.modifiers.cache_hint) TRY_VOID(parse_cache_policy(row, instruction));
  // bar.red d, a, r: the number of threads in the middle may be left out.
  if (reduces_predicate(row.op) && std::holds_alternative<Absent>(instruction.operands[3]))
    std::swap(instruction.operands[2], instruction.operands[3]);
  return {};
}

/// The policy is the last operand and changes no value: it is read and dropped.
Result<void> Parser::parse_cache_policy(const OpcodeRow& row, Instruction& instruction) {
  TRY(const bool follows, accept(','));
  if (follows) {
    TRY_VOID(parse_scalar());
    return {};
  }
  for (size_t place = instruction.operands.size(); place-- > 0;) {
    if (std::holds_alternative<Absent>(instruction.operands[place])) continue;
    if (!row.operands[place].optional) break;
    instruction.operands[place] = Absent{};  // it was taken for this one
    return {};
  }
  return unexpected_token("a cache policy after the operands, as .L2::cache_hint requires,");
}

/// call (results), callee, (arguments), prototype: the lists may be left out. A call through a register names
/// its prototype or its targets.
Result<void> Parser::parse_call(Instruction& instruction) {
  VectorOperand results;
  VectorOperand arguments;
  if (now_.is('(')) {
    TRY(results, parse_list('(', ')'));
    TRY_VOID(expect(',', "the results of a call"));
  }
  const Token at = now_;
  TRY(const ScalarOperand callee, parse_scalar());
  if (!std::holds_alternative<SymbolOperand>(callee) && !std::holds_alternative<RegisterOperand>(callee)) {
    return error(ErrorKind::Syntax, at, "the name of a function or a register that holds one was expected");
  }
  if (const auto* symbol = std::get_if<SymbolOperand>(&callee);
      symbol && symbol->kind != SymbolKind::Function) {
    return error(ErrorKind::Syntax, at, fmt::format("'{}' is called but is no function", at.text));
  }
  TRY(bool has_more, accept(','));
  if (has_more && now_.is('(')) {
    TRY(arguments, parse_list('(', ')'));
    TRY(has_more, accept(','));
  }
  const bool through_pointer = std::holds_alternative<RegisterOperand>(callee);
  if (has_more != through_pointer) {
    return error(ErrorKind::Syntax, now_,
                 through_pointer ? "a call through a register names its .callprototype or .calltargets list"
                                 : "a call of a function by its name has no prototype");
  }
  if (has_more) {
    const Token use = now_;
    TRY(const std::string_view prototype, expect_word("the name of a prototype"));
    prototype_uses_.push_back({prototype, use});
  }
  instruction.operands.emplace_back(std::move(results));
  instruction.operands.push_back(std::visit([](const auto& value) { return Operand(value); }, callee));
  instruction.operands.emplace_back(std::move(arguments));
  return {};
}

Result<void> Parser::parse_instruction() {
  Instruction instruction;
  const Token first = now_;
  instruction.ptx_line = first.line;
  instruction.place = place_;
  instruction.text_begin = first.begin;
  TRY(instruction.guard, parse_guard());
  TRY(const OpcodeRow* row, parse_opcode(instruction));
  if (row->op == Op::call) {
    TRY_VOID(parse_call(instruction));
  } else {
    TRY_VOID(parse_operands(*row, instruction));
  }
  instruction.text_size = last_.begin + static_cast<uint32_t>(last_.text.size()) - first.begin;
  TRY_VOID(expect(';', "the operands of an instruction"));
  if (row->op == Op::wgmma_mma_async) take_matrix_constants(instruction);
  auto checked = check_modifiers(*row, instruction);
  if (checked) checked = check_operands(*row, instruction, function_.registers);
  if (!checked) return error(checked.error().kind, first, checked.error().message);
  function_.instructions.push_back(std::move(instruction));
  return {};
}

}  // namespace lanescope::ptx
