// alloca, stacksave, stackrestore: local memory whose size is known when the kernel runs. Method: it is
// allocated after the frames of all functions, and one register of every thread has how much is taken. A
// function that allocates saves the pointer in a register of its frame and restores it where it returns, so
// the rest is ordinary steps. Source: PTX ISA, "Stack Manipulation Instructions". Tests:
// tests/unit/ptx/lower_test.cpp, tests/unit/emulator/stack_test.cpp

#include "ptx/step_lowering.h"

#include <algorithm>

namespace lanescope::ptx {
namespace {

/// The alignment of alloca without an operand for it.
constexpr uint64_t kLeastAlignment = 8;

}  // namespace

bool StepLowering::uses_stack(const Function& function) const {
  return std::ranges::any_of(function.instructions, [](const Instruction& instruction) {
    return traits_of(instruction.op).effect == Effect::MovesStack;
  });
}

Step StepLowering::move_stack(Slot from, Slot to) {
  Step move;
  move.op = Op::mov;
  move.type = move.second_type = Type::u64;
  move.modifiers = modifiers({});
  move.source[0] = from;
  move.destination[0] = to;
  return move;
}

/// The first step of the kernel. Where the frames end is filled in when their size is known.
void StepLowering::add_begin_of_stack() {
  program_.slots.push_back({.width = SlotWidth::Double, .content = SlotContent::Constant});
  now_ = &function_->instructions.front();
  push(move_stack(static_cast<Slot>(program_.slots.size() - 1), program_.stack));
  program_.origins.back().ptx_text = "(begin of the stack)";
}

/// The first step of a function that is called.
void StepLowering::keep_stack() {
  kept_stack_ = new_slot(SlotWidth::Double);
  now_ = &function_->instructions.front();
  push(move_stack(program_.stack, kept_stack_));
  program_.origins.back().ptx_text = "(keeps the stack)";
}

/// Before a return: for the lanes that return.
void StepLowering::bring_back_stack(const Step& before) {
  if (kept_stack_ == kNoSlot) return;
  Step move = move_stack(kept_stack_, program_.stack);
  move.guard = before.guard;
  move.flags = before.flags;
  push(move);
}

/// The stack is the second destination and the second source, as the carry of an addition is.
Result<void> StepLowering::add_alloca(Step step) {
  TRY_VOID(add_destination(step, 0, now_->operands[0]));
  TRY_VOID(add_source(step, 0, now_->operands[1], step.type));
  const auto* alignment = std::get_if<Immediate>(&now_->operands[2]);
  step.immediate =
      static_cast<int32_t>(std::max(alignment != nullptr ? alignment->bits : 0, kLeastAlignment));
  step.source[1] = step.destination[1] = program_.stack;
  std::vector<std::string> written = written_by(row_of(step.op));
  written.emplace_back("stack");
  push(step, std::move(written));
  return {};
}

/// Of 32 bits, as compilers write it, the upper half is zero.
Result<void> StepLowering::add_stack_move(Step step) {
  const bool saves = step.op == Op::stacksave;
  const bool is_short = width_of(step.type) == SlotWidth::Word;
  if (is_short) {
    step.op = Op::cvt;
    step.second_type = saves ? Type::u64 : Type::u32;
    step.type = saves ? Type::u32 : Type::u64;
  } else {
    step.op = Op::mov;
    step.second_type = step.type;
  }
  if (saves) {
    TRY_VOID(add_destination(step, 0, now_->operands[0]));
    step.source[0] = program_.stack;
    push(step, written_by(row_of(Op::stacksave)));
  } else {
    TRY_VOID(add_source(step, 0, now_->operands[0], is_short ? Type::u32 : Type::u64));
    step.destination[0] = program_.stack;
    push(step, {"stack"});
  }
  return {};
}

}  // namespace lanescope::ptx
