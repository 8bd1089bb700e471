#include "emulator/schedule/batch.h"

#include "emulator/values/spread.h"

#include <algorithm>
#include <array>

namespace lanescope::emulator {
namespace {

/// True for a reduction of integers whose result does not depend on the order of the updates.
bool is_reduction_in_any_order(const ptx::Step& step, const ptx::Modifiers& modifiers) {
  using ptx::AtomicOperation;
  constexpr std::array kAnyOrder{AtomicOperation::Add, AtomicOperation::Min, AtomicOperation::Max,
                                 AtomicOperation::And, AtomicOperation::Or,  AtomicOperation::Xor};
  const auto access = ptx::access_of(step.op);
  return access && access->kind == trace::Kind::Reduction && !ptx::is_float(step.type) &&
         std::ranges::find(kAnyOrder, modifiers.atomic) != kAnyOrder.end();
}

/// True if the result of the step does not depend on which of several blocks executes it first.
bool is_the_same_in_any_order(const ptx::Program& program, const ptx::Step& step) {
  const ptx::OpcodeTraits& traits = ptx::traits_of(step.op);
  const ptx::Modifiers& modifiers = program.modifiers[step.modifiers];
  if (ptx::reads_clock(step)) return false;
  switch (traits.effect) {
    case ptx::Effect::Computes:
    case ptx::Effect::Advises:
    case ptx::Effect::ReadsLanes:
    case ptx::Effect::Jumps:
    case ptx::Effect::Barrier:
      return true;
    case ptx::Effect::Accesses:
      if (traits.access->shape != ptx::AccessShape::PerLane || modifiers.space == ptx::Space::SharedCluster)
        return false;
      if (modifiers.space == ptx::Space::Shared) return true;  // not visible to other blocks
      return !ptx::may_poll(modifiers, step.op) &&
             (!ptx::updates_memory(step.op) || is_reduction_in_any_order(step, modifiers));
    case ptx::Effect::Synchronizes:
      return step.op == ptx::Op::bar_warp_sync;
    case ptx::Effect::MovesStack:
    case ptx::Effect::Calls:
      return false;
  }
  return false;
}

bool may_have_batches(const ptx::Program& program) {
  return volume(program.cluster) == 1 && program.local_bytes == 0 && program.functions.size() == 1 &&
         !ptx::uses_workspace(program) && std::ranges::all_of(program.steps, [&](const ptx::Step& step) {
           return is_the_same_in_any_order(program, step);
         });
}

}  // namespace

uint32_t batch_size(const Code& code, unsigned workers, const Options& options) {
  constexpr uint64_t kMostSharedBytes = 128 << 10;
  constexpr uint64_t kLeastPerWorker = 4;
  if (options.engine != Engine::Batches || options.history || options.first_blocks != 0 ||
      options.spread_blocks != 0)
    return 1;
  if (!may_have_batches(*code.program)) return 1;
  uint64_t size = SpreadNumbers::kMostWarps / code.warps_of_block();
  size = std::min(size, kMostSharedBytes / std::max(code.shared_bytes, 1u));
  size = std::min(size, volume(code.grid) / workers / kLeastPerWorker);
  // Whole rows of a narrow grid.
  if (size > code.grid.x) size -= size % code.grid.x;
  return static_cast<uint32_t>(std::max<uint64_t>(size, 1));
}

bool is_batch(const Code& batch, uint64_t first) {
  const uint64_t last = first + batch.batch - 1;
  if (last >= volume(batch.grid)) return false;
  const Dim3 from = position_of(first, batch.grid);
  const Dim3 to = position_of(last, batch.grid);
  const Dim3 apart = position_of(batch.batch - 1, batch.grid);
  return to.x - from.x == apart.x && to.y - from.y == apart.y && to.z - from.z == apart.z;
}

}  // namespace lanescope::emulator
