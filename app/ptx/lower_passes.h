// The passes of lowering, in the order in which ptx::lower calls them. Each fills or rewrites parts of a
// Program.

#pragma once

#include "base/error.h"
#include "ptx/module.h"
#include "ptx/program.h"
#include "ptx/reconvergence.h"

namespace lanescope::ptx {

/// The lowest multiple of the alignment from `offset` on; no alignment is 0.
template <class T>
constexpr T align(T offset, T alignment) {
  return alignment == 0 ? offset : (offset + alignment - 1) / alignment * alignment;
}

/// The kernel and all functions that it can reach: indices in Module::functions, the kernel first. Fills the
/// names of Program::functions. Errors: Unsupported for a call of a function without a body.
Result<std::vector<uint32_t>> find_functions(const Module& module, uint32_t kernel, Program& program);

/// What a call of a function without a body does; absent where that is not known.
std::optional<Call::Kind> built_in_named(std::string_view name);

/// Offsets of what a call passes, from the start of the callee's frame: results first, then arguments.
struct CallLayout {
  std::vector<uint32_t> results;
  std::vector<uint32_t> arguments;
  uint32_t size_bytes = 0;
};
Result<CallLayout> lay_out_call(const Module& module, const Function& caller, const Instruction& call);
/// The same from the callee's side.
CallLayout lay_out_parameters(const Function& function);

/// Fills parameters, variables and the sizes of the spaces. `functions` as find_functions() gives them.
Result<void> lay_out_memory(const Module& module, const std::vector<uint32_t>& functions, Program& program);

/// Bytes of shared memory, from its start, that the system keeps on compute capability 8.0 and later.
inline constexpr uint32_t kReservedSharedBytes = 1024;
/// Whether an instruction reads where they are.
bool names_reserved_shared(const Function& function);

/// Where a function's calls put their callees' frames: [call instruction in the function's order] bytes from
/// the start of the caller's frame.
using CallPlaces = std::vector<uint32_t>;
Result<CallPlaces> place_calls(const Module& module, const Function& caller, uint32_t frame_bytes);

/// Which calls may recur, and how much local memory a thread needs.
Result<void> measure_stack(Program& program);

/// Fills steps, origins, slots, modifiers, lists, sites. The immediate of a branch and the entries of a
/// branch table are still indices of steps.
Result<void> lower_steps(const Module& module, const std::vector<uint32_t>& functions, Program& program);

/// Turns atomics with an unused result into reductions, as ptxas does, and marks increments among them.
void find_reductions(Program& program);

/// Splits the steps into basic blocks, turns branch targets into their indices, orders the blocks.
void find_blocks(Program& program);

/// Blocks that may follow each block. A guarded exit lets the other threads pass.
Successors successors_of(const Program& program);

/// Turns sums and differences of products into fma where the driver's assembler does.
void contract(Program& program);

/// Marks the parameters through which nothing is written.
void find_written_parameters(Program& program);

/// Marks the steps whose results come from a clock.
void find_timed_steps(Program& program);

/// Fills MemorySite::base.
void find_address_bases(Program& program);

/// Fills MemorySite::address.
void find_symbolic_addresses(Program& program);

/// Renumbers the slots so that registers that are never live together share one.
void share_slots(Program& program);

/// Fills BasicBlock::live.
void find_live_slots(Program& program);

/// Fills MemorySite::wait. `nounroll_lines`: Function::nounroll_lines of all functions.
void find_load_waits(Program& program, const std::vector<int>& nounroll_lines);

}  // namespace lanescope::ptx
