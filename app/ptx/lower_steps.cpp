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
  StepLowering(const Module& module, const Function& kernel, Program& program)
      : module_(module), kernel_(kernel), program_(program) {}

  Result<void> run() {
    if (kernel_.registers.size() >= kNoSlot)
      return fail(ErrorKind::Limit,
                  fmt::format("kernel {} has {} registers; at most {} can be executed", kernel_.name,
                              kernel_.registers.size(), kNoSlot - 1),
                  kernel_.location);
    for (const Register& reg : kernel_.registers) {
      if (reg.type == Type::b128)
        return fail(
            ErrorKind::Unsupported,
            fmt::format("128-bit register {} of kernel {} cannot be executed yet", reg.name, kernel_.name),
            Location{module_.file_name, kernel_.ptx_line});
      program_.slots.push_back({.width = width_of(reg.type), .content = SlotContent::PerLane});
    }
    for (const Instruction& instruction : kernel_.instructions) TRY_VOID(add(instruction));
    // PTX lets a kernel end without a last `ret`.
    if (program_.steps.empty() || !never_falls_through(program_.steps.back()) || ends_in_label()) add_exit();
    if (program_.slots.size() >= kNoSlot)
      return fail(ErrorKind::Limit, fmt::format("kernel {} has too many constants", kernel_.name),
                  kernel_.location);
    return {};
  }

 private:
  bool ends_in_label() const {
    return std::ranges::any_of(
        kernel_.labels, [&](const Label& label) { return label.instruction == program_.steps.size(); });
  }

  void add_exit() {
    Step step;
    step.op = Op::exit;
    step.modifiers = modifiers({});
    program_.steps.push_back(step);
    program_.origins.push_back(program_.origins.empty() ? Origin{} : program_.origins.back());
    program_.origins.back().ptx_text = "(end of the kernel)";
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
    step.op = instruction.op == Op::ret ? Op::exit : instruction.op;
    step.type = instruction.type.value_or(Type::b32);
    step.second_type = instruction.second_type.value_or(Type::b32);
    step.modifiers = modifiers(instruction.modifiers);
    if (instruction.op == Op::call) return unsupported("a call");
    if (step.type == Type::b128) return unsupported("a 128-bit type");
    if (instruction.guard) {
      step.guard = static_cast<Slot>(instruction.guard->predicate);
      if (instruction.guard->negated) step.flags |= Step::kGuardNegated;
    }
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
          add_branch_table(step, kernel_.branch_tables[std::get<BranchTableOperand>(operand).index]);
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
    program_.steps.push_back(step);
    program_.origins.push_back({.source = source_of(module_, instruction),
                                .ptx_line = instruction.ptx_line,
                                .ptx_text = text_of(module_, instruction)});
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
    step.destination[static_cast<size_t>(n)] = static_cast<Slot>(std::get<RegisterOperand>(operand).index);
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
      slot = static_cast<Slot>(reg->index);
    } else if (const auto* symbol = std::get_if<SymbolOperand>(&address.base)) {
      TRY(slot, symbol_slot({.kind = symbol->kind, .index = symbol->index, .offset = 0}, Type::u64));
    } else {
      slot = constant_slot(0, Type::u64);
    }
    return {};
  }

  Result<Slot> slot_of(const Operand& operand, Type type) {
    if (const auto* reg = std::get_if<RegisterOperand>(&operand)) return static_cast<Slot>(reg->index);
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
      carry_ = static_cast<Slot>(program_.slots.size());
      program_.slots.push_back({.width = SlotWidth::Predicate, .content = SlotContent::PerLane});
    }
    return carry_;
  }

  Slot constant_slot(uint64_t value, Type type) {
    return fixed_slot({.width = width_of(type), .content = SlotContent::Constant, .value = value});
  }

  Result<Slot> symbol_slot(const SymbolOperand& symbol, Type type) {
    size_t index = symbol.index;
    switch (symbol.kind) {
      case SymbolKind::Function:
        return unsupported("the address of a function");
      case SymbolKind::Result:
        return unsupported("the result of a function");
      case SymbolKind::Parameter:
        return constant_slot(kernel_.parameters[index].offset + static_cast<uint64_t>(symbol.offset), type);
      case SymbolKind::Local:
        index += module_.globals.size();
        break;
      case SymbolKind::Global:
        break;
    }
    const auto offset = static_cast<int32_t>(symbol.offset);
    if (offset != symbol.offset) return unsupported("an offset beyond 32 bits");
    const ProgramVariable& variable = program_.variables[index];
    if (variable.space == Space::Parameter) return unsupported("a parameter of a call");
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

  /// Index of the step behind the label. A jump to where the kernel does nothing but end is an end: then
  /// threads that leave early have left, and the others need not wait for them at a barrier.
  int32_t target(uint32_t label, Step& step) {
    const uint32_t instruction = kernel_.labels[label].instruction;
    const bool ends =
        instruction >= kernel_.instructions.size() ||
        (!kernel_.instructions[instruction].guard && (kernel_.instructions[instruction].op == Op::ret ||
                                                      kernel_.instructions[instruction].op == Op::exit));
    if (ends) step.op = Op::exit;
    return ends ? 0 : static_cast<int32_t>(instruction);
  }

  void add_branch_table(Step& step, const BranchTable& table) {
    step.list = static_cast<uint32_t>(program_.lists.size());
    step.immediate = static_cast<int32_t>(table.targets.size());
    for (const uint32_t label : table.targets) program_.lists.push_back(kernel_.labels[label].instruction);
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
  const Function& kernel_;
  Program& program_;
  const Instruction* now_ = nullptr;
  Slot carry_ = kNoSlot;
  // Of the instruction that is being lowered: what Program::lists keeps behind its slots.
  std::vector<uint32_t> constants_;
  int addresses_ = 0;
  std::map<std::tuple<SlotWidth, SlotContent, SpecialRegister, uint64_t>, Slot> fixed_slots_;
};

}  // namespace

Result<void> lower_steps(const Module& module, const Function& kernel, Program& program) {
  return StepLowering(module, kernel, program).run();
}

}  // namespace lanescope::ptx
