// One compiled and executed kernel: its texts, its trace, and what the models say of the whole grid.
// Made by Execution::run(); tests: tests/unit/pipeline/lesson_runs_test.cpp

#pragma once

#include "base/error.h"
#include "caches/cache_report.h"
#include "launch/launch.h"
#include "model/block_costs.h"
#include "model/device_cost.h"
#include "model/partitions.h"
#include "model/tiles.h"
#include "sass/machine_level.h"
#include "trace/trace.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::pipeline {

struct Seconds {
  double compile = 0;
  double run = 0;
  double model = 0;
};

/// Totals of a source line over the whole run.
struct LineCost {
  trace::Totals shared;
  trace::Totals global;
  caches::SiteCaches caches;  // of its loads, where the caches are modelled
};

/// A guessed size that was too small for what the kernel accesses.
struct Enlarged {
  std::string buffer;  // its name; empty: dynamic shared memory
  std::string spec;    // "i32[1048576]:iota", as --arg has it; of shared memory the bytes
  uint64_t bytes = 0;
  Location where;  // of the access that needs the most
  bool operator==(const Enlarged&) const = default;
};

/// Blocks of a large saved trace that are not in memory: one is read when it is chosen, and all are read part
/// by part for what needs them.
struct UnreadBlocks {
  CtaId first;  // from which on not every block is in memory
  /// Whether tiles, partitions, totals and the fields below are of all blocks, else of those in memory.
  bool are_counted = false;
  std::shared_ptr<const model::BlockCosts> costs = nullptr;     // by the rules of the device
  std::shared_ptr<const model::ElementMap> elements = nullptr;  // of a buffer that was asked for
};

/// One compiled and executed kernel, and all that does not depend on the selection.
struct Run {
  std::string kernel;       // its name in the source: "scale<float>"
  std::string entry;        // its name in the PTX
  std::string source_name;  // "transpose_tiled.cu"
  std::string source_text;
  std::string ptx_text;
  std::vector<std::string> defines;
  std::shared_ptr<const launch::Launch> launch;
  std::shared_ptr<const trace::Trace> trace;
  /// [site], in the units of the device: see totals_of(). Null: those of the trace.
  std::shared_ptr<const std::vector<trace::Totals>> device_totals;
  std::vector<LineCost> lines;                               // [source line - 1], in the same units
  std::shared_ptr<const model::PartitionReport> partitions;  // null: the device has no known map
  std::string partitions_reason;                             // why partitions is null
  std::shared_ptr<const std::vector<model::TileMap>> tiles;
  std::vector<launch::Contents> buffers;    // contents after the run, [buffer]
  std::vector<launch::Variable> variables;  // those in global memory after the run; of the emulator only
  std::shared_ptr<const sass::MachineLevel> machine;  // null where it is not known
  std::shared_ptr<const caches::CacheReport> caches;  // null: not asked for
  std::optional<bool> output_correct;                 // against the lesson's host reference
  std::vector<Enlarged> enlarged;                     // of a guessed launch; shared memory is this kernel's
  std::optional<UnreadBlocks> unread;                 // none: `trace` has all blocks that were stored
  std::string note;  // what the results do not show by themselves; usually empty
  Seconds seconds;
  bool from_cache = false;  // PTX came from assets or the cache
};

/// Totals of the whole grid, [site], by the rules of the device, where every access was stored.
inline const std::vector<trace::Totals>& totals_of(const Run& run) {
  return run.device_totals ? *run.device_totals : run.trace->totals;
}
/// The machine code that the run counts; null at the level of the PTX, and of a saved trace.
inline const sass::MachineLevel* counted_machine(const Run& run) {
  return run.trace->level == trace::CountLevel::MachineCode ? run.machine.get() : nullptr;
}
/// The same as the PTX makes them, whichever level the trace has; a saved trace has its level's alone.
inline const std::vector<trace::Totals>& ptx_totals_of(const Run& run) {
  const sass::MachineLevel* const machine = counted_machine(run);
  return machine != nullptr ? machine->ptx_totals : run.trace->totals;
}
/// What they count.
inline model::CostUnits units_of(const Run& run) {
  return run.device_totals ? model::CostUnits::Transactions : model::CostUnits::Sectors;
}

}  // namespace lanescope::pipeline
