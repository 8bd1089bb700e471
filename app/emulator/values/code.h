// A program as it is executed for one launch: each step with the function that executes it and its operands
// as offsets in the register file. Method: the register file of a block holds slot after slot, and within a
// slot warp after warp, so that one call can execute a step for all warps of the block. What no step changes
// and all warps share is there once, and read with stride 0. Tests: tests/unit/emulator/*

#pragma once

#include "base/dim3.h"
#include "emulator/values/detour.h"
#include "ptx/program.h"
#include "trace/batch_order.h"
#include "trace/site.h"

#include <array>
#include <cstdint>
#include <vector>

namespace lanescope::emulator {

struct Warps;
struct Step;

/// Executes a step for all warps of a group.
using Execute = void (*)(Warps&, const Step&);

/// Function that executes a step. `knows_forms`: operands may be in forms (form.h); otherwise the values of
/// all operands have to be in lanes.
struct Handler {
  // NOLINTNEXTLINE(google-explicit-constructor): tables of handlers name functions
  constexpr Handler(Execute how = nullptr, bool with_forms = false) : execute(how), knows_forms(with_forms) {}
  constexpr explicit operator bool() const { return execute != nullptr; }

  Execute execute;
  bool knows_forms;
};

/// Address of an operand in the register file.
struct Operand {
  uint32_t offset = 0;  // of warp 0, in bytes from the start of the register file
  uint16_t stride = 0;  // bytes from one warp's to the next: 0 if all warps share the value
  ptx::SlotWidth width = ptx::SlotWidth::Word;
};

/// Layout of the forms of registers (form.h). A register's form begins kBytes before the register's cells.
struct FormLayout {
  static constexpr uint32_t kBytes = 64;
  uint32_t row_lanes = 0;  // block.x if that is 2, 4, 8 or 16, else kLanes
};

struct Step {
  Execute handler = nullptr;
  Execute in_lanes = nullptr;  // what `handler` calls when it has put all operands into lanes
  std::array<Operand, 2> destination;
  std::array<Operand, 4> source;
  Operand guard;
  const Operand* list = nullptr;  // [element] of a vector operand
  uint8_t list_size = 0;
  uint8_t list_written = 0;  // number of destinations, which come first in `list`
  bool guarded = false;
  bool guard_negated = false;
  bool is_free_in_detour = false;          // find_free_destinations()
  bool keeps_constant = false;             // sources that are the same in all lanes give results that are
  uint8_t negated = 0;                     // bit n: source predicate n is negated
  ptx::Space space = ptx::Space::Generic;  // memory
  ptx::Type type = ptx::Type::b32;
  ptx::Type second_type = ptx::Type::b32;
  ptx::Combination combination = ptx::Combination::None;  // setp, set
  bool flush_to_zero = false;
  bool saturate = false;
  bool relu = false;
  ptx::Rounding rounding = ptx::Rounding::None;
  uint16_t site = 0;
  trace::Kind kind = trace::Kind::Load;  // memory
  trace::Detail detail = trace::Detail::Plain;
  bool address_is_word = false;  // 32 bits wide
  // Bounds of the shared memory that the step may access: the array from which its address is computed, or
  // all if the array is not known.
  uint32_t shared_first = 0;
  uint32_t shared_end = 0;
  int32_t immediate = 0;
  uint32_t index = 0;  // in Program::steps
};

/// A slot that is filled before the block's first step.
struct Preset {
  Operand where;
  ptx::SlotInfo slot;
};

/// Data of a function that a call needs.
struct CodeFunction {
  Operand frame;  // its local memory begins there
  bool has_frame = false;
  std::vector<Operand> registers;  // that its steps write
};

/// Fills the cells of an operand's lanes from its form.
using FillLanes = void (*)(std::byte* registers, const Operand&, const FormLayout&, uint32_t warps);

struct Code {
  const ptx::Program* program = nullptr;
  Dim3 grid;
  Dim3 block;
  uint32_t batch = 1;         // blocks that run as one group: batch.h
  uint32_t warps = 0;         // of a group: of all its blocks
  uint32_t shared_bytes = 0;  // static and dynamic
  uint32_t dynamic_shared_bytes = 0;
  uint32_t register_bytes = 0;  // size of the register file
  bool one_worker = false;      // no two blocks run at the same time
  bool is_reference = false;    // Engine::Reference: without groups, patterns and fast checks
  bool passes_over = false;     // OutOfBounds::IsPassedOver
  FormLayout forms;
  FillLanes fill_lanes = nullptr;
  std::vector<Step> steps;  // [step of the program]
  std::vector<Operand> lists;
  std::vector<Preset> presets;          // the same for all blocks
  std::vector<Preset> per_block;        // depend on the block's index
  std::vector<Operand> written;         // all registers that steps write
  std::vector<CodeFunction> functions;  // [function of the program]
  std::vector<uint32_t> next_wait;      // [step] the first from there on, within its block, that waits for
                                        // other lanes; the block's end if there is none
  std::vector<uint8_t> polls;           // [block] whether it reads what others may write
  Detours detours;                      // [block]
  std::shared_ptr<const ptx::ConvergenceBarriers> barriers;  // null: lanes reconverge wherever paths meet

  uint32_t warps_of_block() const { return warps / batch; }
  /// The numbers of warps in a group.
  trace::BatchOrder order() const { return {batch}; }
};

/// Finds the handler of a step; null where there is none.
using FindHandler = Handler (*)(const ptx::Program&, const ptx::Step&);

/// Functions of the executor that are compiled for one instruction set (exec/executor.h).
struct Executor {
  FindHandler find_handler;
  Execute with_lanes;  // the handler of a step whose own handler knows no forms
  FillLanes fill_lanes;
};

}  // namespace lanescope::emulator
