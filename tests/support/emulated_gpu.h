// A GPU whose traces are real, made by the recorders that a GPU would run, in the emulator: so that the way
// of a trace from there to the command line is tested where there is no GPU.

#pragma once

#include "model/cost.h"
#include "support/emulated_machine.h"
#include "support/fake_gpu.h"

namespace lanescope::tests {

class EmulatedGpu final : public FakeGpu {
 public:
  Result<gpu::TracedRun> trace(const gpu::Kernel& kernel, const launch::Launch& launch,
                               const trace::Trace& header, const trace::Keep& keep) override {
    TRY(const ptx::Module module, ptx::parse(kernel.ptx, kernel.name));
    TRY(const ptx::Program program, ptx::lower(module, kernel.entry));
    tests::EmulatedMachine machine(launch, std::string(kernel.entry), pool_);
    auto run = gpu::trace_kernel(machine, {module, program, launch, header, model::cost_of, keep});
    // A driver says no more than that.
    if (!run && run.error().kind == ErrorKind::Hazard) return fail(ErrorKind::Memory, "the kernel faulted");
    return run;
  }

 private:
  emulator::Pool pool_{1};
};

/// A GPU whose driver does not permit reading its counters.
class UncountedGpu final : public FakeGpu {
 public:
  Result<trace::HardwareCounts> count(const gpu::Kernel&, const launch::Launch&, gpu::Filling) override {
    return fail(ErrorKind::Unsupported, "reading the counters is not permitted (ERR_NVGPUCTRPERM)");
  }
};

}  // namespace lanescope::tests
