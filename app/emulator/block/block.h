// A running block: registers, shared and local memory, warps, and what its steps report. It may also be a
// batch of blocks that run as one group (batch.h): then it is the first of them, and has the warps of all.

#pragma once

#include "base/dim3.h"
#include "base/ids.h"
#include "emulator/block/cluster.h"
#include "emulator/checks/checker.h"
#include "emulator/code.h"
#include "emulator/lane_sets.h"
#include "emulator/memory/async_copies.h"
#include "emulator/memory/local_memory.h"
#include "emulator/memory/memory.h"
#include "emulator/spread.h"
#include "trace/hazard.h"
#include "trace/sink.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::emulator {

/// [block of a batch]; empty without checks: then bounds and alignment are all that is checked.
using Checkers = std::vector<std::unique_ptr<Checker>>;

/// Used by one worker for one block after the other.
struct BlockState {
  BlockState(const Code& code, const Memory& memory, Checkers checkers);

  /// Makes it block `id` before its first step, or the batch that begins there, of which the sink knows.
  void begin(CtaId id, trace::Sink& sink);
  /// Before begin(): the block is of this cluster, with the next rank.
  void join(Cluster& its_cluster);
  /// Notes the hazard unless there is one: the first counts.
  void report(trace::HazardKind kind, const Step& step, uint32_t thread, std::string message);
  /// Tells the sink of a wait of the warp that is over, if it wants to know.
  void note_wait(trace::Wait::Kind kind, uint32_t step, uint32_t warp, LaneMask lanes);
  /// The same, to continue where this batch, whose `n`-th block it is, has come to. The cells of all lanes of
  /// the batch are valid, and the sink has suspended it.
  void begin_from(BlockState& batch, uint32_t n);
  /// What checks a warp of the group, and its number in its block. There are checks.
  struct CheckedWarp {
    Checker& checker;
    uint32_t warp = 0;
  };
  CheckedWarp checked(uint32_t warp) const {
    if (code.batch == 1) return {*checker, warp};
    const WarpOfBatch place = code.place_of(warp);
    return {*checkers[place.block], place.warp};
  }
  /// While all warps run as one group: makes the cells of the operand's lanes valid, which are to be read.
  void fill_lanes(const Operand& operand);

  const Code& code;
  const Memory& memory;
  CtaId cta;
  Dim3 position;
  AlignedBytes registers;
  Spreads spreads;                      // of the forms of registers
  Spreads spreads_of_blocks;            // of the warps of one block of a batch, for the checks
  LaneSets lane_sets;                   // of accesses of some lanes, for the checks
  std::vector<const Spread*> in_batch;  // [Code::per_block] how it differs in the blocks of a batch
  std::vector<std::byte> shared;
  std::vector<uint32_t> shared_start;  // [warp] where in it the shared memory of its block begins
  LocalMemory local;
  std::vector<uint32_t> existing;     // [warp] lanes that have a thread
  std::vector<uint32_t> next_access;  // [warp] number of its next access
  std::vector<uintptr_t> last_place;  // [step] where its last access of a group to global memory began
  AsyncCopies copies;                 // under way
  trace::Sink* sink = nullptr;
  bool wants_values = false;  // and waits
  uint32_t meetings = 0;      // at barriers of the block, as far as the sink wants to know of waits
  bool stopped = false;       // a hazard has stopped the block
  std::optional<trace::Hazard> hazard;
  CtaId hazard_in;           // the block that has it
  uint64_t clock = 0;        // warp instructions that were issued before the steps that are executed now
  uint64_t clock_read = 0;   // what was read of it last
  uint32_t issued_from = 0;  // the first of these steps,
  uint64_t issuing = 0;      // and how many warps execute them
  Checkers checkers;
  Checker* checker = nullptr;           // of the first block; null without checks
  std::string output;                   // what the block's threads printed
  Cluster* cluster = nullptr;           // null: the block is not in a cluster
  std::vector<uint32_t> cluster_phase;  // [thread] the cluster's when the thread arrived at its barrier
  uint64_t exited = 0;                  // threads; counted in a cluster

 private:
  void reset(CtaId id, trace::Sink& its_sink);
};

/// The warps for which a step is executed: one, or all of the block in lockstep.
struct Warps {
  BlockState& block;
  std::byte* registers;
  uint32_t first = 0;
  uint32_t count = 1;
  bool whole = true;            // all lanes that still run execute: lanes need not be masked
  uint32_t common = 0;          // lanes that execute, where they are the same in all these warps; else 0
  bool has_forms = false;       // all warps of the block together, whose registers may be in forms (form.h)
  bool is_detour = false;       // such warps while a part of a detour is executed
  const uint32_t* active;       // [n-th warp of the group] lanes that execute
  const uint32_t* once_active;  // the same for a step that one warp does for all
};

/// A `.sync` instruction orders the earlier accesses of the warp's lanes: for the checks, if there are any.
inline void meet_lanes(BlockState& block, uint32_t warp) {
  if (block.checker == nullptr) return;
  const auto [checker, in_block] = block.checked(warp);
  checker.meet_lanes(in_block);
}

/// Whether every lane of these warps executes, unless a guard says otherwise.
inline bool has_all_lanes(const Warps& warps) { return warps.common == kAllLanes.bits; }

/// Whether the step may write all lanes of its destinations, also of threads that do not execute it.
inline bool may_write_all(const Warps& warps, const Step& step) {
  return !step.guarded && (warps.whole || (warps.is_detour && step.is_free_in_detour));
}

}  // namespace lanescope::emulator
