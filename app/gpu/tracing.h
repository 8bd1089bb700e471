// The second producer: runs a kernel with recorders in it and makes of what they leave the trace that the
// emulator makes of the same kernel. Method: in a small grid whose blocks are all kept, one pass records
// every access, and the totals are theirs. Else a pass counts the whole grid, and another records the chosen
// blocks. A pass begins with the launch's own buffers. What had no room makes the pass be run again with
// more; lists that outgrow the memory are taken region by region. The machine is an interface with two
// implementations: a GPU (trace_run.h) and, in tests, the emulator. Tests:
// tests/unit/gpu/instrument_test.cpp, tests/gpu

#pragma once

#include "base/error.h"
#include "launch/launch.h"
#include "ptx/module.h"
#include "ptx/program.h"
#include "trace/recorder.h"
#include "trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lanescope::gpu {

/// Runs PTX on a launch's buffers, and has memory for what is recorded.
class TracingMachine {
 public:
  TracingMachine() = default;
  TracingMachine(const TracingMachine&) = delete;
  TracingMachine& operator=(const TracingMachine&) = delete;
  virtual ~TracingMachine() = default;

  /// The most that may be recorded in a pass, and what a first pass may take.
  virtual uint64_t most_bytes() const = 0;
  virtual uint64_t first_bytes() const = 0;
  /// Zeroed memory in the place of what there was; its address.
  virtual Result<uint64_t> reserve(uint64_t bytes) = 0;
  virtual Result<void> write(uint64_t offset, std::span<const std::byte> bytes) = 0;
  virtual Result<std::vector<std::byte>> read(uint64_t offset, uint64_t bytes) = 0;
  /// Puts the initial contents into the buffers and runs the kernel to its end.
  virtual Result<void> run(const std::string& ptx) = 0;
  virtual std::vector<uint64_t> buffer_addresses() const = 0;
  /// After the latest run.
  virtual Result<std::vector<launch::Contents>> buffers() = 0;
};

struct TraceRequest {
  const ptx::Module& module;
  const ptx::Program& program;  // the kernel, lowered from `module`
  const launch::Launch& launch;
  trace::Trace header;  // what is known beforehand: emulator::trace_header
  trace::CostFunction cost = nullptr;
  trace::Keep keep;
};

struct TracedRun {
  trace::Trace trace;  // provenance Measured; no instructions are counted, no hazards sought
  std::vector<launch::Contents> buffers;  // [buffer of the launch] after the run
};

/// Errors: Unsupported (instrument.h), and the machine's.
Result<TracedRun> trace_kernel(TracingMachine& machine, TraceRequest request);

}  // namespace lanescope::gpu
