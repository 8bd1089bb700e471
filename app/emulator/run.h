// The first producer: runs every block of a kernel on the CPU, warp by warp, and hands each memory access to
// a sink.
// Method: 32 lanes at a time; lanes that part at a branch meet again at its immediate post-dominator. Blocks
// are handed out in rising order to one worker per core; a block stays with its worker, which puts it aside
// while it waits for others and runs the next, as blocks that are resident together do on a GPU. Accesses are
// bounds- and alignment-checked and recorded before the destination register is written.
// Results do not depend on the number of workers, with two exceptions that a GPU has too: floating-point
// atomics add up in another order, and a kernel that races reads what it happens to read.
// Tests: tests/unit/emulator/*, tests/differential/*

#pragma once

#include "base/error.h"
#include "emulator/checks/checks.h"
#include "emulator/checks/grid_shadow.h"
#include "emulator/schedule/pool.h"
#include "emulator/schedule/scheduling.h"
#include "launch/launch.h"
#include "ptx/program.h"
#include "trace/history.h"
#include "trace/output.h"
#include "trace/recorder.h"
#include "trace/sink.h"
#include "trace/trace.h"

#include <atomic>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace lanescope::emulator {

/// Warp instructions after which a run gives up: some minutes.
inline constexpr uint64_t kDefaultLimitSteps = 100'000'000'000;

/// Instruction sets that the executor is compiled for. Results are the same; tests compare them.
enum class Vectors : uint8_t { Widest, Avx2, Plain };

/// Whose history is to be noted. The run ends when it is complete: what other blocks do after that is left
/// out.
struct HistoryRequest {
  CtaId cta;
  WarpId warp;
  uint32_t most_entries = 0;
  trace::History* into = nullptr;
};

struct Options {
  unsigned threads = 0;                       // 0: all of the pool, or one per core without a pool
  uint64_t limit_steps = kDefaultLimitSteps;  // warp instructions of the whole grid
  std::stop_token stop = {};                  // when requested, run() returns an Error of kind Cancelled
  std::atomic<uint64_t>* finished_blocks = nullptr;  // counts up while the run goes on
  Pool* pool = nullptr;                              // null: threads are started for this run
  Vectors vectors = Vectors::Widest;                 // an upper bound: the machine may have less
  Checks checks = Checks::None;
  std::shared_ptr<const Suspects> suspects = {};  // of an earlier run, whose races are to be told in detail
  Scheduling scheduling = Scheduling::Independent;
  uint64_t first_blocks = 0;  // 0: all; else those with the lowest numbers, and the others never run
  std::optional<HistoryRequest> history = {};
};

struct Outcome {
  /// [buffer of the launch] after the run. A buffer that the kernel cannot write is the initial one itself.
  std::vector<launch::Contents> buffers;
  /// Empty, or the hazard that stopped the kernel: the first one of the lowest block that met one. Blocks
  /// behind it may or may not have run; record() below gives a result without that freedom.
  std::vector<trace::Hazard> hazards;
  std::vector<trace::Hazard> notes;  // what the checks found that a correct kernel may do
  /// Not null if blocks race, or may do: another run with one worker and these tells both sides of each race,
  /// and always the same. record() does so.
  std::shared_ptr<const Suspects> suspects;
  std::vector<std::string> unchecked;  // what they could not look at
  std::optional<CtaId> stopped_in;     // the hazard's block
  uint64_t warp_instructions = 0;      // instructions executed by a warp, whatever its mask
  uint64_t lane_instructions = 0;      // the same times the lanes that were active
  trace::Output output;
};

/// Errors: Launch (the arguments do not fit the kernel's parameters, the grid is out of bounds), Unsupported
/// (an instruction that the emulator does not execute, with its PTX line), Limit, Cancelled.
/// `sink_of_worker` is asked for as many sinks as there are workers.
Result<Outcome> run(const ptx::Program& program, const launch::Launch& launch,
                    const trace::SinkOfWorker& sink_of_worker, const Options& options);

/// What is known of a trace before the kernel runs: kernel, grid, block, shared memory, buffers, sites.
/// The text of the CUDA lines is not known here; Site::source_text stays empty.
trace::Trace trace_header(const ptx::Program& program, const launch::Launch& launch);

struct Recording {
  trace::Trace trace;
  std::vector<launch::Contents> buffers;  // [buffer of the launch] after the run
};

/// run() with a trace::Recorder. After a hazard the trace and the buffers are those of running the blocks one
/// after the other up to the hazard, so they too do not depend on the number of workers.
Result<Recording> record(const ptx::Program& program, const launch::Launch& launch, trace::CostFunction cost,
                         const trace::Keep& keep, const Options& options);

}  // namespace lanescope::emulator
