// One step per instruction. The row of opcode.def says what each operand is, so nothing here knows single
// instructions but for control flow, where threads end and jump.

#include "ptx/lower_passes.h"
#include "ptx/matrix_fragment.h"
#include "ptx/opcode.h"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

namespace lanescope::ptx {
namespace {

SlotWidth width_of(Type type) {
  if (type == Type::pred) return SlotWidth::Predicate;
  return size_bytes(type) <= 4 ? SlotWidth::Word : SlotWidth::Double;
}

Type wide(Type type) {
  switch (type) {
    case Type::u16:
      return Type::u32;
    case Type::s16:
      return Type::s32;
    case Type::u32:
      return Type::u64;
    case Type::s32:
      return Type::s64;
    default:
      return type;
  }
}

/// Unsigned integers of a size, for the parts of a vector that is packed into one register.
Type bits_of(int bytes) {
  switch (bytes) {
    case 1:
      return Type::b8;
    case 2:
      return Type::b16;
    case 4:
      return Type::b32;
    default:
      return Type::b64;
  }
}

bool changes_while_running(SpecialRegister special) {
  switch (special) {
    case SpecialRegister::clock:
    case SpecialRegister::clock_hi:
    case SpecialRegister::clock64:
    case SpecialRegister::globaltimer:
    case SpecialRegister::globaltimer_lo:
    case SpecialRegister::globaltimer_hi:
      return true;
    default:
      return false;
  }
}

bool is_memory(Op op) {
  switch (op) {
    case Op::ld:
    case Op::ldu:
    case Op::st:
    case Op::atom:
    case Op::red:
    case Op::ldmatrix:
    case Op::stmatrix:
    case Op::wmma_load_a:
    case Op::wmma_load_b:
    case Op::wmma_load_c:
    case Op::wmma_store_d:
    case Op::cp_async:
    case Op::cp_async_bulk_to_shared:
    case Op::cp_async_bulk_to_global:
      return true;
    default:
      return false;
  }
}

bool is_async_copy(Op op) {
  return op == Op::cp_async || op == Op::cp_async_bulk_to_shared || op == Op::cp_async_bulk_to_global;
}

MemorySite::Kind kind_of(Op op) {
  switch (op) {
    case Op::st:
    case Op::stmatrix:
    case Op::wmma_store_d:
      return MemorySite::Kind::Store;
    case Op::atom:
      return MemorySite::Kind::Atomic;
    case Op::red:
      return MemorySite::Kind::Reduction;
    default:
      return is_async_copy(op) ? MemorySite::Kind::AsyncCopy : MemorySite::Kind::Load;
  }
}

/// A number of bytes that no type says.
constexpr uint8_t kMatrixRowBytes = 16;
constexpr uint8_t kBulkPieceBytes = 16;  // MODEL: of each of 32 neighbours

class StepLowering {
 public:
  StepLowering(const Module& module, Program& program) : module_(module), program_(program) {}

  Result<void> run(const std::vector<uint32_t>& functions) {
    functions_ = functions;
    for (size_t n = 0; n < functions.size(); ++n) {
      function_ = &module_.functions[functions[n]];
      lowered_ = &program_.functions[n];
      is_kernel_ = n == 0;
      TRY_VOID(run_function());
    }
    return {};
  }

 private:
  Result<void> run_function() {
    const Function& function = *function_;
    first_register_ = program_.slots.size();
    if (first_register_ + function.registers.size() >= kNoSlot)
      return fail(ErrorKind::Limit,
                  fmt::format("kernel {} and its functions have more than the {} registers that can be "
                              "executed",
                              program_.kernel, kNoSlot - 1),
                  function.location);
    for (const Register& reg : function.registers) {
      if (reg.type == Type::b128)
        return fail(ErrorKind::Unsupported,
                    fmt::format("128-bit register {} of {} cannot be executed yet", reg.name, function.name),
                    Location{module_.file_name, function.ptx_line});
      program_.slots.push_back({.width = width_of(reg.type), .content = SlotContent::PerLane});
    }
    carry_ = kNoSlot;
    lowered_->frame = is_kernel_ ? constant_slot(0, Type::u64) : new_slot(SlotWidth::Double);
    lowered_->first_step = static_cast<uint32_t>(program_.steps.size());
    step_of_.clear();
    for (const Instruction& instruction : function.instructions) {
      step_of_.push_back(static_cast<uint32_t>(program_.steps.size()));
      TRY_VOID(add(instruction));
    }
    // PTX lets a function end without a last `ret`.
    const bool ends_in_label = std::ranges::any_of(function.labels, [&](const Label& label) {
      return label.instruction == function.instructions.size();
    });
    step_of_.push_back(static_cast<uint32_t>(program_.steps.size()));
    const bool is_empty = program_.steps.size() == lowered_->first_step;
    if (is_empty || !never_falls_through(program_.steps.back()) || ends_in_label) add_end();
    lowered_->end_step = static_cast<uint32_t>(program_.steps.size());
    resolve_labels();
    if (program_.slots.size() >= kNoSlot)
      return fail(ErrorKind::Limit,
                  fmt::format("kernel {} and its functions have too many constants", program_.kernel),
                  function.location);
    return {};
  }

  /// From instructions of the function to steps.
  void resolve_labels() {
    for (uint32_t at = lowered_->first_step; at < lowered_->end_step; ++at) {
      Step& step = program_.steps[at];
      if (step.op == Op::bra)
        step.immediate = static_cast<int32_t>(step_of_[static_cast<uint32_t>(step.immediate)]);
      if (step.op != Op::brx_idx) continue;
      for (uint32_t n = 0; n < static_cast<uint32_t>(step.immediate); ++n)
        program_.lists[step.list + n] = step_of_[program_.lists[step.list + n]];
    }
  }

  void add_end() {
    Step step;
    step.op = is_kernel_ ? Op::exit : Op::ret;
    step.modifiers = modifiers({});
    program_.steps.push_back(step);
    const bool is_empty = program_.steps.size() == lowered_->first_step + 1;
    program_.origins.push_back(is_empty ? Origin{} : program_.origins.back());
    program_.origins.back().ptx_text = is_kernel_ ? "(end of the kernel)" : "(end of the function)";
  }

  std::unexpected<Error> unsupported(std::string_view what) const {
    return fail(ErrorKind::Unsupported,
                fmt::format("{} cannot be executed yet: {}", what, text_of(module_, *now_)),
                Location{module_.file_name, now_->ptx_line});
  }

  Result<void> add(const Instruction& instruction) {
    now_ = &instruction;
    const OpcodeRow& row = row_of(instruction.op);
    Step step;
    step.op = instruction.op == Op::ret && is_kernel_ ? Op::exit : instruction.op;
    step.type = instruction.type.value_or(Type::b32);
    step.second_type = instruction.second_type.value_or(Type::b32);
    step.modifiers = modifiers(instruction.modifiers);
    if (step.type == Type::b128) return unsupported("a 128-bit type");
    if (instruction.guard) {
      step.guard = slot_of_register(instruction.guard->predicate);
      if (instruction.guard->negated) step.flags |= Step::kGuardNegated;
    }
    if (instruction.op == Op::call) return add_call(step);
    int destinations = 0;
    int sources = 0;
    constants_.clear();
    addresses_ = 0;
    for (int n = 0; n < row.operand_count; ++n) {
      const OperandSpec& spec = row.operands[static_cast<size_t>(n)];
      const Operand& operand = instruction.operands[static_cast<size_t>(n)];
      const Type type = type_of(spec, step);
      switch (spec.role) {
        case OperandRole::Destination:
        case OperandRole::SetPredicate:
          TRY_VOID(add_destination(step, destinations++, in_list(spec, operand)));
          break;
        case OperandRole::Source:
        case OperandRole::ReadPredicate:
          TRY_VOID(add_source(step, sources++, in_list(spec, operand),
                              spec.role == OperandRole::ReadPredicate ? Type::pred : type));
          break;
        case OperandRole::Address:
          TRY_VOID(add_address(step, sources++, std::get<AddressOperand>(operand)));
          if (passes_parameters(std::get<AddressOperand>(operand))) step.modifiers = in_frame();
          break;
        case OperandRole::Constant:
          if (addresses_ == 0) {
            step.immediate = static_cast<int32_t>(bits_as(std::get<Immediate>(operand), Type::u32));
          } else {
            constants_.push_back(static_cast<uint32_t>(bits_as(std::get<Immediate>(operand), Type::u32)));
          }
          break;
        case OperandRole::Label:
          step.immediate = target(std::get<LabelOperand>(operand).index, step);
          break;
        case OperandRole::BranchTable:
          add_branch_table(step, function_->branch_tables[std::get<BranchTableOperand>(operand).index]);
          break;
      }
    }
    if (!constants_.empty()) {
      step.list = static_cast<uint32_t>(program_.lists.size());
      program_.lists.insert(program_.lists.end(), constants_.begin(), constants_.end());
    }
    if (step.op == Op::barrier_cluster_wait) {  // a cluster is one block
      step.op = Op::barrier_sync;
      step.source[0] = constant_slot(0, Type::u32);
    }
    if (instruction.modifiers.carry_out) step.destination[1] = carry_slot();
    if (step.op == Op::addc || step.op == Op::subc || step.op == Op::madc) step.source[3] = carry_slot();
    if (is_memory(step.op) && instruction.modifiers.space != Space::Parameter) TRY_VOID(add_sites(step));
    push(step);
    return {};
  }

  void push(const Step& step) {
    program_.steps.push_back(step);
    program_.origins.push_back({.source = source_of(module_, *now_),
                                .ptx_line = now_->ptx_line,
                                .ptx_text = text_of(module_, *now_)});
  }

  Slot slot_of_register(uint32_t index) const { return static_cast<Slot>(first_register_ + index); }

  Slot new_slot(SlotWidth width) {
    program_.slots.push_back({.width = width, .content = SlotContent::PerLane});
    return static_cast<Slot>(program_.slots.size() - 1);
  }

  /// A .param address: of the launch's parameters in a kernel, else of what functions pass each other.
  bool passes_parameters(const AddressOperand& address) const {
    if (now_->modifiers.space != Space::Parameter) return false;
    const auto* symbol = std::get_if<SymbolOperand>(&address.base);
    return symbol != nullptr ? is_in_frame(*symbol) : !is_kernel_;
  }

  uint16_t in_frame() {
    Modifiers moved = now_->modifiers;
    moved.space = Space::Frame;
    return modifiers(moved);
  }

  /// Whether the symbol lies at an offset from the start of the function's frame.
  bool is_in_frame(const SymbolOperand& symbol) const {
    switch (symbol.kind) {
      case SymbolKind::Parameter:
      case SymbolKind::Result:
        return !is_kernel_;
      case SymbolKind::Local: {
        const Space space = function_->variables[symbol.index].space;
        return space == Space::Parameter || (space == Space::Local && !is_kernel_);
      }
      default:
        return false;
    }
  }

  Result<int32_t> frame_offset(const SymbolOperand& symbol) const {
    if (symbol.kind == SymbolKind::Local) {
      const uint64_t offset = program_.variables[lowered_->first_variable + symbol.index].offset;
      if (offset == kNotPassed) return unsupported("a .param variable that no call passes");
      return static_cast<int32_t>(offset);
    }
    const CallLayout layout = lay_out_parameters(*function_);
    const auto& offsets = symbol.kind == SymbolKind::Result ? layout.results : layout.arguments;
    return static_cast<int32_t>(offsets[symbol.index]);
  }

  /// Computes where something in the frame lies, for an instruction that wants its address.
  Result<Slot> frame_address(const SymbolOperand& symbol, Type type) {
    TRY(const int32_t offset, frame_offset(symbol));
    const uint64_t total = static_cast<uint64_t>(offset) + static_cast<uint64_t>(symbol.offset);
    if (is_kernel_) return constant_slot(total, type);
    Step sum;
    sum.op = Op::add;
    sum.type = sum.second_type = Type::u64;
    sum.modifiers = modifiers({});
    sum.source[0] = lowered_->frame;
    sum.source[1] = constant_slot(total, Type::u64);
    sum.destination[0] = new_slot(SlotWidth::Double);
    push(sum);
    if (width_of(type) == SlotWidth::Double) return sum.destination[0];
    Step low = sum;
    low.op = Op::cvt;
    low.type = Type::u32;
    low.source = {sum.destination[0], kNoSlot, kNoSlot, kNoSlot};
    low.destination[0] = new_slot(SlotWidth::Word);
    push(low);
    return low.destination[0];
  }

  /// Registers and constants of the lists are written to the callee's frame before the call, and results read
  /// behind it; .param variables lie there already.
  Result<void> add_call(Step step) {
    step.list = next_call_++;
    const Call& call = program_.calls[step.list];
    const auto& results = std::get<VectorOperand>(now_->operands[0]).elements;
    const auto& arguments = std::get<VectorOperand>(now_->operands[2]).elements;
    const auto* callee = std::get_if<SymbolOperand>(&now_->operands[1]);
    const Function* formal = callee != nullptr ? &module_.functions[callee->index] : nullptr;
    const auto pass = [&](Op op, const ScalarOperand& operand, Type type, uint32_t offset) -> Result<void> {
      if (std::holds_alternative<SymbolOperand>(operand) || std::holds_alternative<Sink>(operand)) return {};
      Step move;
      move.op = op;
      move.type = type;
      move.modifiers = in_frame();
      move.guard = step.guard;
      move.flags = step.flags;
      move.source[0] = lowered_->frame;
      move.immediate = static_cast<int32_t>(call.frame_offset + offset);
      TRY(const Slot slot, slot_of(std::visit([](const auto& one) { return Operand(one); }, operand), type));
      if (width_of(type) != program_.slots[slot].width) return unsupported("a register of another size here");
      (op == Op::st ? move.source[1] : move.destination[0]) = slot;
      push(move);
      return {};
    };
    const auto type_of_passed = [&](const ScalarOperand& operand, const Parameter* parameter) {
      const auto* reg = std::get_if<RegisterOperand>(&operand);
      const auto bytes = parameter != nullptr ? static_cast<int>(parameter->size_bytes)
                         : reg != nullptr     ? size_bytes(function_->registers[reg->index].type)
                                              : 8;
      return bits_of(bytes);
    };
    for (size_t n = 0; n < arguments.size(); ++n)
      TRY_VOID(pass(Op::st, arguments[n],
                    type_of_passed(arguments[n], formal != nullptr ? &formal->parameters[n] : nullptr),
                    call.arguments[n]));
    step.source[1] = lowered_->frame;
    if (const auto* pointer = std::get_if<RegisterOperand>(&now_->operands[1])) {
      if (program_.slots[slot_of_register(pointer->index)].width != SlotWidth::Double)
        return unsupported("a pointer to a function of less than 64 bits");
      step.source[0] = slot_of_register(pointer->index);
    }
    push(step);
    for (size_t n = 0; n < results.size(); ++n)
      TRY_VOID(pass(Op::ld, results[n],
                    type_of_passed(results[n], formal != nullptr ? &formal->results[n] : nullptr),
                    call.results[n]));
    return {};
  }

  Type type_of(const OperandSpec& spec, const Step& step) const {
    switch (spec.type) {
      case OperandType::First:
        return step.type;
      case OperandType::Second:
        return step.second_type;
      case OperandType::Third:
        return now_->modifiers.third_type;
      case OperandType::Fragment:
        return Type::b32;
      case OperandType::Wide:
        return now_->modifiers.part == ProductPart::Wide ? wide(step.type) : step.type;
      case OperandType::Fixed:
        return spec.fixed;
    }
    return step.type;
  }

  /// A part of a matrix is a list also where it is one register.
  static Operand in_list(const OperandSpec& spec, const Operand& operand) {
    const auto* reg = std::get_if<RegisterOperand>(&operand);
    if (spec.type != OperandType::Fragment || reg == nullptr) return operand;
    return VectorOperand{{*reg}};
  }

  Result<void> add_destination(Step& step, int n, const Operand& operand) {
    if (std::holds_alternative<Absent>(operand) || std::holds_alternative<Sink>(operand)) return {};
    if (const auto* vector = std::get_if<VectorOperand>(&operand)) {
      TRY_VOID(add_list(step, *vector, Type::b32));
      step.list_written = step.list_size;
      return {};
    }
    step.destination[static_cast<size_t>(n)] = slot_of_register(std::get<RegisterOperand>(operand).index);
    return {};
  }

  Result<void> add_source(Step& step, int n, const Operand& operand, Type type) {
    if (std::holds_alternative<Absent>(operand)) return {};
    if (const auto* vector = std::get_if<VectorOperand>(&operand)) {
      const auto parts = static_cast<int>(vector->elements.size());
      return add_list(step, *vector, step.op == Op::mov ? bits_of(size_bytes(type) / parts) : type);
    }
    if (const auto* reg = std::get_if<RegisterOperand>(&operand); reg && reg->negated)
      step.flags |= static_cast<uint8_t>(Step::kFirstSourceNegated << n);
    if (const auto* special = std::get_if<SpecialRegister>(&operand);
        special && changes_while_running(*special)) {
      step.immediate = static_cast<int32_t>(*special);  // and no source: only mov takes one
      return {};
    }
    TRY(step.source[static_cast<size_t>(n)], slot_of(operand, type));
    return {};
  }

  Result<void> add_list(Step& step, const VectorOperand& vector, Type type) {
    if (step.list_size == 0) step.list = static_cast<uint32_t>(program_.lists.size());
    step.list_size = static_cast<uint8_t>(step.list_size + vector.elements.size());
    for (const ScalarOperand& element : vector.elements) {
      Slot slot = kNoSlot;
      if (!std::holds_alternative<Sink>(element)) {
        const Operand operand = std::visit([](const auto& one) { return Operand(one); }, element);
        TRY(slot, slot_of(operand, type));
      }
      program_.lists.push_back(slot);
    }
    return {};
  }

  Result<void> add_address(Step& step, int n, const AddressOperand& address) {
    const auto offset = static_cast<int32_t>(address.offset);
    if (offset != address.offset) return unsupported("an address offset beyond 32 bits");
    if (addresses_++ == 0) {
      step.immediate = offset;
    } else {
      constants_.push_back(static_cast<uint32_t>(offset));
    }
    Slot& slot = step.source[static_cast<size_t>(n)];
    if (const auto* reg = std::get_if<RegisterOperand>(&address.base)) {
      slot = slot_of_register(reg->index);
    } else if (const auto* symbol = std::get_if<SymbolOperand>(&address.base);
               symbol != nullptr && is_in_frame(*symbol)) {
      if (addresses_ > 1) return unsupported("a parameter or local variable as second address");
      TRY(const int32_t in_frame, frame_offset(*symbol));
      if (__builtin_add_overflow(step.immediate, in_frame, &step.immediate))
        return unsupported("an address offset beyond 32 bits");
      slot = lowered_->frame;
    } else if (symbol != nullptr) {
      TRY(slot, symbol_slot({.kind = symbol->kind, .index = symbol->index, .offset = 0}, Type::u64));
    } else {
      slot = constant_slot(0, Type::u64);
    }
    return {};
  }

  Result<Slot> slot_of(const Operand& operand, Type type) {
    if (const auto* reg = std::get_if<RegisterOperand>(&operand)) return slot_of_register(reg->index);
    if (const auto* immediate = std::get_if<Immediate>(&operand))
      return constant_slot(type == Type::pred ? immediate->bits != 0 : bits_as(*immediate, type), type);
    if (const auto* special = std::get_if<SpecialRegister>(&operand)) {
      if (changes_while_running(*special)) return unsupported("a clock outside of mov");
      return fixed_slot({.width = width_of(type), .content = SlotContent::Special, .special = *special});
    }
    if (const auto* symbol = std::get_if<SymbolOperand>(&operand)) return symbol_slot(*symbol, type);
    return unsupported("this operand");
  }

  /// The carry flag of extended precision: a predicate like any other.
  Slot carry_slot() {
    if (carry_ == kNoSlot) {
      carry_ = new_slot(SlotWidth::Predicate);
    }
    return carry_;
  }

  Slot constant_slot(uint64_t value, Type type) {
    return fixed_slot({.width = width_of(type), .content = SlotContent::Constant, .value = value});
  }

  Result<Slot> symbol_slot(const SymbolOperand& symbol, Type type) {
    size_t index = symbol.index;
    if (is_in_frame(symbol)) return frame_address(symbol, type);
    switch (symbol.kind) {
      case SymbolKind::Function:
        return constant_slot(function_address(static_cast<uint32_t>(
                                 std::ranges::find(functions_, symbol.index) - functions_.begin())),
                             type);
      case SymbolKind::Result:
        return unsupported("a result here");
      case SymbolKind::Parameter:
        return constant_slot(function_->parameters[index].offset + static_cast<uint64_t>(symbol.offset),
                             type);
      case SymbolKind::Local:
        index += lowered_->first_variable;
        break;
      case SymbolKind::Global:
        break;
    }
    const auto offset = static_cast<int32_t>(symbol.offset);
    if (offset != symbol.offset) return unsupported("an offset beyond 32 bits");
    const ProgramVariable& variable = program_.variables[index];
    if (variable.space != Space::Global)
      return constant_slot(variable.offset + static_cast<uint64_t>(symbol.offset), type);
    return fixed_slot({.width = width_of(type),
                       .content = SlotContent::Symbol,
                       .value = uint64_t{index} << 32 | static_cast<uint32_t>(offset)});
  }

  /// The slot with this content; the same for all who ask for it.
  Slot fixed_slot(const SlotInfo& info) {
    const auto key = std::tuple(info.width, info.content, info.special, info.value);
    const auto [found, is_new] = fixed_slots_.emplace(key, static_cast<Slot>(program_.slots.size()));
    if (is_new) program_.slots.push_back(info);
    return found->second;
  }

  uint16_t modifiers(const Modifiers& wanted) {
    const auto found = std::ranges::find(program_.modifiers, wanted);
    if (found != program_.modifiers.end()) return static_cast<uint16_t>(found - program_.modifiers.begin());
    program_.modifiers.push_back(wanted);
    return static_cast<uint16_t>(program_.modifiers.size() - 1);
  }

  /// The instruction behind the label. A jump to where the function does nothing but end is an end: then
  /// threads that leave early have left, and the others need not wait for them at a barrier.
  int32_t target(uint32_t label, Step& step) {
    const uint32_t index = function_->labels[label].instruction;
    const bool is_last = index >= function_->instructions.size();
    const Instruction* const instruction = is_last ? nullptr : &function_->instructions[index];
    const bool exits = !is_last && instruction->op == Op::exit && !instruction->guard;
    const bool returns = is_last || (instruction->op == Op::ret && !instruction->guard);
    if (exits || returns) step.op = exits || is_kernel_ ? Op::exit : Op::ret;
    return exits || returns ? 0 : static_cast<int32_t>(index);
  }

  void add_branch_table(Step& step, const BranchTable& table) {
    step.list = static_cast<uint32_t>(program_.lists.size());
    step.immediate = static_cast<int32_t>(table.targets.size());
    for (const uint32_t label : table.targets) program_.lists.push_back(function_->labels[label].instruction);
  }

  Result<void> add_sites(Step& step) {
    MemorySite site;
    site.bytes_per_lane = bytes_per_lane(step);
    site.kind = kind_of(step.op);
    const MemorySite::Detail detail = detail_of(step);
    site.source = source_of(module_, *now_);
    site.ptx_line = now_->ptx_line;
    site.ptx_text = text_of(module_, *now_);
    if (program_.sites.size() + 4 > 0xffff)
      return unsupported("a kernel with more than 65,535 memory accesses");
    step.site = static_cast<uint16_t>(program_.sites.size());
    const auto add_site = [&](MemorySite::Space space) {
      site.space = space;
      site.detail = space == MemorySite::Space::Shared ? detail : MemorySite::Detail::Plain;
      program_.sites.push_back(site);
    };
    if (step.op == Op::cp_async_bulk_to_global) {  // the other way round
      site.kind = MemorySite::Kind::Store;
      add_site(MemorySite::Space::Global);
      site.kind = MemorySite::Kind::Load;
      add_site(MemorySite::Space::Shared);
      return {};
    }
    if (is_async_copy(step.op)) {
      add_site(MemorySite::Space::Global);
      add_site(MemorySite::Space::Shared);
      return {};
    }
    switch (now_->modifiers.space) {
      case Space::Generic:
        add_site(MemorySite::Space::Global);
        add_site(MemorySite::Space::Shared);
        add_site(MemorySite::Space::Local);
        add_site(MemorySite::Space::Constant);
        break;
      case Space::Global:
        add_site(MemorySite::Space::Global);
        break;
      case Space::Shared:
      case Space::SharedCluster:
        add_site(MemorySite::Space::Shared);
        break;
      case Space::Local:
        add_site(MemorySite::Space::Local);
        break;
      case Space::Constant:
        add_site(MemorySite::Space::Constant);
        break;
      case Space::Parameter:
      case Space::Frame:
        break;
    }
    return {};
  }

  uint8_t bytes_per_lane(const Step& step) const {
    switch (step.op) {
      case Op::ldmatrix:
      case Op::stmatrix:
        return kMatrixRowBytes;
      case Op::wmma_load_a:
      case Op::wmma_load_b:
      case Op::wmma_load_c:
      case Op::wmma_store_d:
        return fragment_bytes(step);
      case Op::cp_async:
        return static_cast<uint8_t>(constants_.back());
      case Op::cp_async_bulk_to_shared:
      case Op::cp_async_bulk_to_global:
        return kBulkPieceBytes;
      default:
        return static_cast<uint8_t>(size_bytes(step.type) * now_->modifiers.vector_width);
    }
  }

  /// MODEL: wmma goes to memory register by register, or element by element where those of a register are no
  /// neighbours.
  uint8_t fragment_bytes(const Step& step) const {
    const MatrixRole role = step.op == Op::wmma_load_a   ? MatrixRole::A
                            : step.op == Op::wmma_load_b ? MatrixRole::B
                                                         : MatrixRole::C;
    const Modifiers& m = now_->modifiers;
    const Fragment fragment(role, m.shape, step.type, FragmentOf::Wmma);
    return static_cast<uint8_t>(fragment.piece_bits(m.layout == MatrixLayout::RowMajor) / 8);
  }

  MemorySite::Detail detail_of(const Step& step) const {
    if (step.op == Op::ldmatrix || step.op == Op::stmatrix) return MemorySite::Detail::Matrix;
    if (now_->modifiers.atomic == AtomicOperation::Cas) return MemorySite::Detail::CompareAndSwap;
    return MemorySite::Detail::Plain;
  }

  const Module& module_;
  Program& program_;
  std::vector<uint32_t> functions_;  // of the module, in the program's order
  const Function* function_ = nullptr;
  ProgramFunction* lowered_ = nullptr;
  bool is_kernel_ = true;
  size_t first_register_ = 0;      // its slot
  std::vector<uint32_t> step_of_;  // [instruction]
  uint32_t next_call_ = 0;         // in Program::calls
  const Instruction* now_ = nullptr;
  Slot carry_ = kNoSlot;
  // Of the instruction that is being lowered: what Program::lists keeps behind its slots.
  std::vector<uint32_t> constants_;
  int addresses_ = 0;
  std::map<std::tuple<SlotWidth, SlotContent, SpecialRegister, uint64_t>, Slot> fixed_slots_;
};

}  // namespace

Result<void> lower_steps(const Module& module, const std::vector<uint32_t>& functions, Program& program) {
  return StepLowering(module, program).run(functions);
}

}  // namespace lanescope::ptx
