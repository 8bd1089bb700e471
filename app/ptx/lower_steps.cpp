// One step per instruction. The row of opcode.def says what each operand is, so nothing here depends on
// single instructions but for control flow, where threads end and jump.

#include "ptx/step_lowering.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace lanescope::ptx {
Result<void> StepLowering::run(const std::vector<uint32_t>& functions) {
  functions_ = functions;
  if (std::ranges::any_of(functions, [&](uint32_t n) { return uses_stack(module_.functions[n]); }))
    program_.stack = new_slot(SlotWidth::Double);
  for (size_t n = 0; n < functions.size(); ++n) {
    function_ = &module_.functions[functions[n]];
    lowered_ = &program_.functions[n];
    is_kernel_ = n == 0;
    TRY_VOID(run_function());
  }
  return {};
}

Result<void> StepLowering::run_function() {
  const Function& function = *function_;
  first_register_ = program_.slots.size();
  if (first_register_ + function.registers.size() >= kNoSlot)
    return fail(ErrorKind::Limit,
                fmt::format("kernel {} and its functions have more than the {} registers that can be "
                            "executed",
                            program_.kernel, kNoSlot - 1),
                function.location);
  for (const Register& reg : function.registers)
    program_.slots.push_back({.width = width_of(reg.type), .content = SlotContent::PerLane});
  high_slots_.clear();
  for (uint32_t n = 0; n < function.registers.size(); ++n)
    if (function.registers[n].type == Type::b128) high_slots_[n] = new_slot(SlotWidth::Double);
  carry_ = kNoSlot;
  lowered_->frame = is_kernel_ ? constant_slot(0, Type::u64) : new_slot(SlotWidth::Double);
  lowered_->first_step = static_cast<uint32_t>(program_.steps.size());
  step_of_.clear();
  kept_stack_ = kNoSlot;
  if (is_kernel_ && program_.stack != kNoSlot) add_begin_of_stack();
  if (!is_kernel_ && uses_stack(function)) keep_stack();
  for (const Instruction& instruction : function.instructions) {
    step_of_.push_back(static_cast<uint32_t>(program_.steps.size()));
    TRY_VOID(add(instruction));
  }
  // PTX lets a function end without a last `ret`.
  const bool ends_in_label = std::ranges::any_of(
      function.labels, [&](const Label& label) { return label.instruction == function.instructions.size(); });
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
void StepLowering::resolve_labels() {
  for (uint32_t at = lowered_->first_step; at < lowered_->end_step; ++at) {
    Step& step = program_.steps[at];
    if (step.op == Op::bra)
      step.immediate = static_cast<int32_t>(step_of_[static_cast<uint32_t>(step.immediate)]);
    if (step.op != Op::brx_idx) continue;
    for (uint32_t n = 0; n < static_cast<uint32_t>(step.immediate); ++n)
      program_.lists[step.list + n] = step_of_[program_.lists[step.list + n]];
  }
}

void StepLowering::add_end() {
  Step step;
  step.op = is_kernel_ ? Op::exit : Op::ret;
  step.modifiers = modifiers({});
  bring_back_stack(step);
  program_.steps.push_back(step);
  const bool is_empty = program_.steps.size() == lowered_->first_step + 1;
  program_.origins.push_back(is_empty ? Origin{} : program_.origins.back());
  program_.origins.back().ptx_text = is_kernel_ ? "(end of the kernel)" : "(end of the function)";
}

std::unexpected<Error> StepLowering::unsupported(std::string_view what) const {
  return fail(ErrorKind::Unsupported,
              fmt::format("{} cannot be executed yet: {}", what, text_of(module_, *now_)),
              location_of(module_, *now_));
}

Result<void> StepLowering::add(const Instruction& instruction) {
  now_ = &instruction;
  const OpcodeRow& row = row_of(instruction.op);
  Step step;
  step.op = instruction.op == Op::ret && is_kernel_ ? Op::exit : instruction.op;
  step.type = instruction.type.value_or(Type::b32);
  step.second_type = instruction.second_type.value_or(Type::b32);
  step.modifiers = modifiers(instruction.modifiers);
  if (instruction.guard) {
    step.guard = slot_of_register(instruction.guard->predicate);
    if (instruction.guard->negated) step.flags |= Step::kGuardNegated;
  }
  if (instruction.op == Op::call) return add_call(step);
  if (instruction.op == Op::alloca_) return add_alloca(step);
  if (instruction.op == Op::stacksave || instruction.op == Op::stackrestore) return add_stack_move(step);
  if (step.op == Op::ret) bring_back_stack(step);
  if (step.type == Type::b128) {
    constants_.clear();
    addresses_ = 0;
    return add_wide(step);
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
        if (spec.type == OperandType::Coordinates) {
          ++sources;
          TRY_VOID(add_coordinates(step, std::get<VectorOperand>(in_list(spec, operand)), type));
          break;
        }
        TRY_VOID(add_source(step, sources++, in_list(spec, operand),
                            spec.role == OperandRole::ReadPredicate ? Type::pred : type));
        break;
      case OperandRole::Address:
        TRY_VOID(add_address(step, sources++, std::get<AddressOperand>(operand)));
        if (passes_parameters(std::get<AddressOperand>(operand))) step.modifiers = in_frame();
        break;
      case OperandRole::Constant:
        if (std::holds_alternative<Absent>(operand)) break;
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
  if (step.op == Op::barrier_cluster_wait) {
    if (volume(program_.cluster) > 1) return add_cluster_wait(step);
    step.op = Op::barrier_sync;
    step.source[0] = constant_slot(0, Type::u32);
  }
  if (instruction.modifiers.carry_out) step.destination[1] = carry_slot();
  if (step.op == Op::addc || step.op == Op::subc || step.op == Op::madc) step.source[3] = carry_slot();
  if (is_memory(step.op) && instruction.modifiers.space != Space::Parameter) TRY_VOID(add_sites(step));
  push(step, written_by(row));
  return {};
}

/// A loop that looks whether all have arrived, as a wait for an mbarrier is one.
Result<void> StepLowering::add_cluster_wait(Step step) {
  const Slot is_over = new_slot(SlotWidth::Predicate);
  if (step.guard != kNoSlot) {  // lanes that do not wait see the phase as complete
    Step assume;
    assume.op = Op::mov;
    assume.type = assume.second_type = Type::pred;
    assume.modifiers = modifiers({});
    assume.source[0] = constant_slot(1, Type::pred);
    assume.destination[0] = is_over;
    push(assume);
  }
  step.destination[0] = is_over;
  push(step);
  Step again;
  again.op = Op::bra;
  again.modifiers = modifiers({});
  again.guard = is_over;
  again.flags = Step::kGuardNegated;
  again.immediate = static_cast<int32_t>(step_of_.size() - 1);  // this instruction: resolve_labels()
  push(again);
  return {};
}

void StepLowering::push(const Step& step, std::vector<std::string> written) {
  program_.steps.push_back(step);
  program_.origins.push_back({.source = source_of(module_, *now_),
                              .called_from = callers(),
                              .ptx_line = now_->ptx_line,
                              .ptx_text = text_of(module_, *now_),
                              .written = std::move(written)});
}

/// Where the inlined function of the instruction was called: one list for all that have its place.
std::shared_ptr<const std::vector<Location>> StepLowering::callers() {
  if (!now_->place || !module_.places[*now_->place].inlined_at) return nullptr;
  auto& known = callers_[*now_->place];
  if (!known) known = std::make_shared<const std::vector<Location>>(callers_of(module_, *now_));
  return known;
}

/// Names of the registers that the instruction writes: those of vectors come last, as in Step.
std::vector<std::string> StepLowering::written_by(const OpcodeRow& row) const {
  std::vector<std::string> names;
  std::vector<std::string> in_vectors;
  for (int n = 0; n < row.operand_count; ++n) {
    const OperandSpec& spec = row.operands[static_cast<size_t>(n)];
    if (spec.role != OperandRole::Destination && spec.role != OperandRole::SetPredicate) continue;
    const Operand operand = in_list(spec, now_->operands[static_cast<size_t>(n)]);
    if (const auto* reg = std::get_if<RegisterOperand>(&operand))
      names.push_back(function_->registers[reg->index].name);
    if (const auto* vector = std::get_if<VectorOperand>(&operand)) {
      for (const ScalarOperand& element : vector->elements)
        if (const auto* reg = std::get_if<RegisterOperand>(&element))
          in_vectors.push_back(function_->registers[reg->index].name);
    }
  }
  if (now_->modifiers.carry_out) names.emplace_back("CC.CF");
  names.insert(names.end(), in_vectors.begin(), in_vectors.end());
  return names;
}

Type StepLowering::type_of(const OperandSpec& spec, const Step& step) const {
  switch (spec.type) {
    case OperandType::First:
    case OperandType::Texel:
      return step.type;
    case OperandType::Coordinates:
      return now_->second_type.value_or(Type::s32);
    case OperandType::Second:
      return step.second_type;
    case OperandType::Third:
      return now_->modifiers.third_type;
    case OperandType::Fragment:
      return Type::b32;
    case OperandType::Wide:
      return now_->modifiers.part == ProductPart::Wide ? widened(step.type) : step.type;
    case OperandType::Fixed:
      return spec.fixed;
  }
  return step.type;
}

/// A part of a matrix, a texel and coordinates are lists also where they are one register or constant.
Operand StepLowering::in_list(const OperandSpec& spec, const Operand& operand) {
  const bool is_list = spec.type == OperandType::Fragment || spec.type == OperandType::Texel ||
                       spec.type == OperandType::Coordinates;
  if (!is_list) return operand;
  if (const auto* reg = std::get_if<RegisterOperand>(&operand)) return VectorOperand{{*reg}};
  if (const auto* constant = std::get_if<Immediate>(&operand)) return VectorOperand{{*constant}};
  return operand;
}

uint16_t StepLowering::modifiers(const Modifiers& wanted) {
  const auto found = std::ranges::find(program_.modifiers, wanted);
  if (found != program_.modifiers.end()) return static_cast<uint16_t>(found - program_.modifiers.begin());
  program_.modifiers.push_back(wanted);
  return static_cast<uint16_t>(program_.modifiers.size() - 1);
}

/// The instruction after the label. A jump to where the function does nothing but end is an end: then
/// threads that leave early have left, and the others need not wait for them at a barrier.
int32_t StepLowering::target(uint32_t label, Step& step) {
  const uint32_t index = function_->labels[label].instruction;
  const bool is_last = index >= function_->instructions.size();
  const Instruction* const instruction = is_last ? nullptr : &function_->instructions[index];
  const bool exits = !is_last && instruction->op == Op::exit && !instruction->guard;
  // One that brings the stack back does more than end.
  const bool returns =
      kept_stack_ == kNoSlot && (is_last || (instruction->op == Op::ret && !instruction->guard));
  if (exits || returns) step.op = exits || is_kernel_ ? Op::exit : Op::ret;
  return exits || returns ? 0 : static_cast<int32_t>(index);
}

void StepLowering::add_branch_table(Step& step, const BranchTable& table) {
  step.list = static_cast<uint32_t>(program_.lists.size());
  step.immediate = static_cast<int32_t>(table.targets.size());
  for (const uint32_t label : table.targets) program_.lists.push_back(function_->labels[label].instruction);
}

Result<void> lower_steps(const Module& module, const std::vector<uint32_t>& functions, Program& program) {
  return StepLowering(module, program).run(functions);
}

}  // namespace lanescope::ptx
