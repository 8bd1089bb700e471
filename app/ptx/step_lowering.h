// Makes the steps of a kernel and its functions, one or more per instruction, and the slots, sites and frames
// that they need. Its source files: lower_steps.cpp (functions and instructions), lower_operands.cpp
// (operands as slots), lower_wide.cpp (values of 128 bits), lower_frames.cpp (parameters of functions,
// calls), lower_stack.cpp (alloca), lower_sites.cpp (memory instructions).

#pragma once

#include "ptx/fragment_access.h"
#include "ptx/lower_passes.h"
#include "ptx/opcode.h"

#include <map>
#include <string_view>
#include <tuple>
#include <vector>

namespace lanescope::ptx {

/// The width of a register that holds a value of this type.
SlotWidth width_of(Type type);

class StepLowering {
 public:
  StepLowering(const Module& module, Program& program) : module_(module), program_(program) {}

  Result<void> run(const std::vector<uint32_t>& functions);

 private:
  // lower_steps.cpp
  Result<void> run_function();
  void resolve_labels();
  void add_end();
  std::unexpected<Error> unsupported(std::string_view what) const;
  Result<void> add(const Instruction& instruction);
  Result<void> add_cluster_wait(Step step);
  void push(const Step& step, std::vector<std::string> written = {});
  std::vector<std::string> written_by(const OpcodeRow& row) const;
  Type type_of(const OperandSpec& spec, const Step& step) const;
  static Operand in_list(const OperandSpec& spec, const Operand& operand);
  int32_t target(uint32_t label, Step& step);
  void add_branch_table(Step& step, const BranchTable& table);
  uint16_t modifiers(const Modifiers& wanted);
  std::shared_ptr<const std::vector<Location>> callers();

  // lower_operands.cpp
  Result<void> add_destination(Step& step, int n, const Operand& operand);
  Result<void> add_source(Step& step, int n, const Operand& operand, Type type);
  Result<void> add_list(Step& step, const VectorOperand& vector, Type type);
  Result<void> add_coordinates(Step& step, VectorOperand vector, Type type);
  Result<void> add_address(Step& step, int n, const AddressOperand& address);
  Result<Slot> slot_of(const Operand& operand, Type type);
  Slot carry_slot();
  Slot constant_slot(uint64_t value, Type type);
  Result<Slot> symbol_slot(const SymbolOperand& symbol, Type type);
  Slot fixed_slot(const SlotInfo& info);
  Slot new_slot(SlotWidth width);
  Slot slot_of_register(uint32_t index) const { return static_cast<Slot>(first_register_ + index); }

  // lower_frames.cpp
  bool passes_parameters(const AddressOperand& address) const;
  uint16_t in_frame();
  bool is_in_frame(const SymbolOperand& symbol) const;
  Result<int32_t> frame_offset(const SymbolOperand& symbol) const;
  Result<Slot> frame_address(const SymbolOperand& symbol, Type type);
  Result<void> add_call(Step step);

  // lower_stack.cpp
  bool uses_stack(const Function& function) const;
  void add_begin_of_stack();
  void keep_stack();
  void bring_back_stack(const Step& before);
  Result<void> add_alloca(Step step);
  Result<void> add_stack_move(Step step);
  Step move_stack(Slot from, Slot to);

  // lower_wide.cpp
  Result<std::array<Slot, 2>> halves_of(const Operand& operand);
  std::vector<std::string> names_of_halves(const Operand& operand) const;
  Result<void> add_wide(Step step);
  Result<void> add_wide_move(Step step);

  // lower_sites.cpp
  Result<void> add_sites(Step& step);
  uint8_t bytes_per_lane(const Step& step, AccessShape shape) const;
  FragmentAccess fragment_access(const Step& step) const;
  MemoryDetail detail_of(const Step& step, AccessShape shape) const;

  const Module& module_;
  Program& program_;
  std::vector<uint32_t> functions_;  // of the module, in the program's order
  const Function* function_ = nullptr;
  ProgramFunction* lowered_ = nullptr;
  bool is_kernel_ = true;
  size_t first_register_ = 0;            // its slot
  std::map<uint32_t, Slot> high_slots_;  // [register of 128 bits] of its upper half
  std::vector<uint32_t> step_of_;        // [instruction]
  uint32_t next_call_ = 0;               // in Program::calls
  const Instruction* now_ = nullptr;
  std::map<uint32_t, std::shared_ptr<const std::vector<Location>>> callers_;  // [place of the module]
  Slot carry_ = kNoSlot;
  Slot kept_stack_ = kNoSlot;  // of a function that uses the stack: what it was when it was called
  // Of the instruction that is being lowered: what Program::lists has after its slots.
  std::vector<uint32_t> constants_;
  int addresses_ = 0;
  std::map<std::tuple<SlotWidth, SlotContent, SpecialRegister, uint64_t, uint32_t>, Slot> fixed_slots_;
};

}  // namespace lanescope::ptx
