// Counts of a kernel as its machine code makes them. Tests: tests/unit/sass/machine_level_test.cpp

#pragma once

#include "sass/convergence.h"
#include "sass/folding_sink.h"
#include "sass/local_memory.h"
#include "sass/match.h"
#include "sass/reconvergence.h"
#include "trace/trace.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lanescope::sass {

/// Machine code of a kernel, and what it makes of a run.
struct MachineLevel {
  std::string arch;          // "sm_90"
  uint32_t registers = 0;    // per thread
  uint32_t stack_bytes = 0;  // of local memory per thread
  Match match;
  std::vector<ConvergenceInstruction> convergence = {};  // in the order of the code
  Reconvergence reconvergence = {};
  LocalMemory local = {};
  std::vector<MemoryOperation> operations;      // [site]
  std::vector<FoldedTotals> merged;             // [merged access]
  std::vector<uint64_t> repeated_sectors = {};  // [site] of atomics; empty: none
  std::vector<trace::Totals> absent = {};       // [site] FoldingSink::absent; empty: none
  std::vector<trace::Totals> ptx_totals;        // [site] as the PTX counts
  // [site] of the accesses of the PTX, by the lanes that the barriers of the machine code keep together;
  // empty: ptx_totals
  std::vector<trace::Totals> own_totals = {};
  const std::vector<trace::Totals>& totals() const { return own_totals.empty() ? ptx_totals : own_totals; }
};

/// Puts FoldingSinks before the sinks of the workers, and adds up what they count.
class FoldingStage final : public trace::SinkStage {
 public:
  /// `match` must outlive the stage.
  FoldingStage(const Match& match, trace::CostFunction cost) : match_(match), cost_(cost) {}
  void begin_run() override { sinks_.clear(); }
  trace::Sink& put_before(trace::Sink& next) override;
  /// Fills `merged`, `repeated_sectors` and `absent` with the sums over all workers of the last run.
  void add_counts(MachineLevel& level);

 private:
  const Match& match_;
  trace::CostFunction cost_;
  std::vector<std::unique_ptr<FoldingSink>> sinks_;
};

/// Requests that the hardware counts for one instruction: as many as words of a lane in local memory, whose
/// words lie in different lines. Measured on an H200: tests/data/h200 for stores of 16 bytes; loads and
/// stores of 8 and 16 bytes of 32 and of 8 lanes, with equal and with different indices.
constexpr uint64_t requests_per_instruction(const MemoryOperation& operation) {
  constexpr uint32_t kWordBytes = 4;
  const bool is_local = operation.space == MemorySpace::Local;
  return is_local && operation.bytes_per_lane > kWordBytes ? operation.bytes_per_lane / kWordBytes : 1;
}

/// Totals of each site as the machine code makes them: those of a merged access stand at its first site, what
/// has no instruction counts nothing. Sectors of atomics are those that the pipe moves.
std::vector<trace::Totals> machine_totals(const MachineLevel& level);

/// Requests of the sites whose instructions are known, and of all sites.
struct MatchedShare {
  uint64_t matched = 0;
  uint64_t all = 0;
};
MatchedShare matched_share(const MachineLevel& level);

}  // namespace lanescope::sass
