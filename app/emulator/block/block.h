// A running block: registers, shared and local memory, warps, and what its steps report. It may also be a
// batch of blocks that run as one group (batch.h): then it is the first of them, and has the warps of all.

#pragma once

#include "base/dim3.h"
#include "base/ids.h"
#include "emulator/block/access_observer.h"
#include "emulator/block/cluster.h"
#include "emulator/block/passed_fault.h"
#include "emulator/memory/async_copies.h"
#include "emulator/memory/local_memory.h"
#include "emulator/memory/memory.h"
#include "emulator/values/code.h"
#include "emulator/values/spread.h"
#include "trace/hazard.h"
#include "trace/sink.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::emulator {

/// Used by one worker for one block after the other.
struct BlockState {
  /// `observer`: null without checks; then only bounds and alignment are checked.
  BlockState(const Code& code, const Memory& memory, AccessObserver* observer);

  /// Begins block `id` before its first step, or the batch whose first block it is, which the sink has begun.
  void begin(CtaId id, trace::Sink& sink);
  /// Adds the block to the cluster, with the next rank. Called before begin().
  void join(Cluster& its_cluster);
  /// Notes the hazard and stops the block; ignored if the block has stopped before.
  void report(trace::HazardKind kind, const Step& step, uint32_t thread, std::string message);
  /// Reports a wait of the warp that is over, if the sink wants waits.
  void note_wait(trace::Wait::Kind kind, uint32_t step, uint32_t warp, LaneMask lanes);
  /// Begins block `n` of the batch, to continue alone from where the batch is. The cells of all lanes of the
  /// batch are valid, and the sink has suspended the batch.
  void begin_from(BlockState& batch, uint32_t n);
  /// Makes the cells of the operand's lanes valid before they are read. For warps that run as one warp group.
  void fill_lanes(const Operand& operand);

  const Code& code;
  const Memory& memory;
  CtaId cta;
  Dim3 position;
  AlignedBytes registers;
  Spreads spreads;                      // spreads of the forms of registers
  std::vector<const Spread*> in_batch;  // [Code::per_block] differences between the blocks of a batch
  std::vector<std::byte> shared;
  std::vector<uint32_t> shared_start;  // [warp] offset in `shared` of the shared memory of its block
  LocalMemory local;
  std::vector<uint32_t> existing;     // [warp] lanes that have a thread
  std::vector<uint32_t> next_access;  // [warp] number of its next access
  std::vector<uintptr_t> last_place;  // [step] host address of its last warp-group access to global memory
  AsyncCopies copies;                 // under way
  trace::Sink* sink = nullptr;
  bool wants_values = false;  // the sink wants values of accesses, and waits
  uint32_t meetings = 0;      // barriers of the block that were completed
  bool stopped = false;       // a hazard has stopped the block
  std::optional<trace::Hazard> hazard;
  CtaId hazard_in;                       // the block that has it
  std::vector<PassedFault> passed_over;  // one for each step that has any
  uint64_t clock = 0;          // warp instructions that were issued before the steps that are executed now
  uint64_t clock_read = 0;     // the last value of the clock that was read
  uint32_t issued_from = 0;    // index of the first of the steps that are executed now
  uint64_t issuing = 0;        // number of warps that execute these steps
  AccessObserver* observer;    // of the block, or of all blocks of the batch; may be null
  std::string output;          // what the block's threads printed
  Cluster* cluster = nullptr;  // null: the block is not in a cluster
  std::vector<uint32_t> cluster_phase;  // [thread] phase of the cluster when the thread arrived last
  uint64_t exited = 0;                  // threads that have exited; counted only in a cluster

 private:
  void reset(CtaId id, trace::Sink& its_sink);
};

/// The warps for which a step is executed: one, or all of the block in lockstep.
struct Warps {
  BlockState& block;
  std::byte* registers;
  uint32_t first = 0;
  uint32_t count = 1;
  bool whole = true;       // all lanes that still run execute: lanes need not be masked
  uint32_t common = 0;     // lanes that execute, where they are the same in all these warps; else 0
  bool has_forms = false;  // all warps of the block together, whose registers may be in forms (form.h)
  bool is_detour = false;  // a part of a detour (detour.h) is executed
  const uint32_t* active;  // [n-th warp of the group] lanes that execute
};

/// Orders the earlier accesses of the warp's lanes, as a `.sync` instruction does: for the observer, if there
/// is one.
inline void meet_lanes(BlockState& block, uint32_t warp) {
  if (block.observer != nullptr) block.observer->on_warp_synchronized(warp);
}

/// True if every lane of these warps executes, unless a guard says otherwise.
inline bool has_all_lanes(const Warps& warps) { return warps.common == kAllLanes.bits; }

/// True if the step may write all lanes of its destinations, also lanes of threads that do not execute it.
inline bool may_write_all(const Warps& warps, const Step& step) {
  return !step.guarded && (warps.whole || (warps.is_detour && step.is_free_in_detour));
}

}  // namespace lanescope::emulator
