// The first producer: runs every block of a kernel on the CPU, warp by warp, and hands each memory access to
// a sink.
// Method: 32 lanes at a time; lanes that diverge reconverge where paths meet (ptx/block_order.h).
// Blocks are handed out in rising order to one worker per core. A block stays with its worker, which suspends
// it while it waits for other blocks and runs the next, as blocks that are resident together do on a GPU.
// Neighboring blocks may run as one group (batch.h). Accesses are bounds- and alignment-checked and recorded
// before the destination register is written. Results do not depend on the number of workers or on groups,
// with two exceptions that a GPU has too: floating-point atomics add up in another order, and a kernel that
// races reads what it happens to read. Tests: tests/unit/emulator/*, tests/differential/*

#pragma once

#include "base/error.h"
#include "emulator/memory/region.h"
#include "emulator/options.h"
#include "emulator/outcome.h"
#include "emulator/schedule/pool.h"
#include "launch/launch.h"
#include "ptx/program.h"
#include "trace/recorder.h"
#include "trace/sink.h"
#include "trace/trace.h"

#include <vector>

namespace lanescope::emulator {

/// Errors: Launch (the arguments do not fit the kernel's parameters, the grid is out of bounds), Unsupported
/// (an instruction that the emulator does not execute, with its PTX line), Limit, Cancelled.
/// `sink_of_worker` is asked for as many sinks as there are workers.
Result<Outcome> run(const ptx::Program& program, const launch::Launch& launch,
                    const trace::SinkOfWorker& sink_of_worker, const Options& options);

/// Data of a trace that are known before the kernel runs: kernel, grid, block, shared memory, buffers, sites.
/// The text of the CUDA lines is not known here; Site::source_text stays empty.
trace::Trace trace_header(const ptx::Program& program, const launch::Launch& launch,
                          const MemoryInPlace* in_place = nullptr);

struct Recording {
  trace::Trace trace;
  std::vector<launch::Contents> buffers;    // [buffer of the launch] after the run
  std::vector<launch::Variable> variables;  // those in global memory after the run
};

/// run() with a trace::Recorder. After a hazard the trace and the buffers are those of running the blocks one
/// after the other up to the hazard, so they too do not depend on the number of workers.
Result<Recording> record(const ptx::Program& program, const launch::Launch& launch, trace::CostFunction cost,
                         const trace::Keep& keep, const Options& options);

}  // namespace lanescope::emulator
