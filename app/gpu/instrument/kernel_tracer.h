// Traces a kernel on a GPU: runs it with recorders and turns their output into a trace equal to the
// emulator's. Method: in a small grid whose blocks are all stored, one pass records every access, and the
// totals are theirs. Otherwise one pass counts the whole grid, and another records the chosen blocks. Each
// pass begins with the launch's initial buffers. A pass that ran out of memory is repeated with more; lists
// that outgrow the memory are read region by region. The machine is an interface with two implementations: a
// GPU (driver_trace_machine.h) and, in tests, the emulator. Tests: tests/unit/gpu/instrument_test.cpp,
// tests/gpu

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

/// Runs PTX on a launch's buffers and holds the recorders' memory.
class TraceMachine {
 public:
  TraceMachine() = default;
  TraceMachine(const TraceMachine&) = delete;
  TraceMachine& operator=(const TraceMachine&) = delete;
  virtual ~TraceMachine() = default;

  /// Bytes that recorders may use in a pass, and in the first pass.
  virtual uint64_t most_bytes() const = 0;
  virtual uint64_t first_bytes() const = 0;
  /// Replaces the memory by zeroed memory; returns its address.
  virtual Result<uint64_t> reserve(uint64_t bytes) = 0;
  virtual Result<void> write(uint64_t offset, std::span<const std::byte> bytes) = 0;
  virtual Result<std::vector<std::byte>> read(uint64_t offset, uint64_t bytes) = 0;
  /// Uploads the initial contents of the buffers and runs the kernel to completion.
  virtual Result<void> run(const std::string& ptx) = 0;
  virtual std::vector<uint64_t> buffer_addresses() const = 0;
  /// After the latest run.
  virtual Result<std::vector<launch::Contents>> buffers() = 0;
};

struct TraceRequest {
  const ptx::Module& module;
  const ptx::Program& program;  // the kernel, lowered from `module`
  const launch::Launch& launch;
  trace::Trace header;  // sites and buffers: emulator::trace_header
  trace::CostFunction cost = nullptr;
  trace::Keep keep;
};

struct TracedRun {
  trace::Trace trace;                     // provenance Traced; without instruction counts and hazards
  std::vector<launch::Contents> buffers;  // [buffer of the launch] after the run
};

/// Errors: Unsupported (instrument.h), and the machine's.
Result<TracedRun> trace_kernel(TraceMachine& machine, TraceRequest request);

}  // namespace lanescope::gpu
