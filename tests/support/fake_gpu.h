// A GPU that computes its answers from the question, for tests of the code between it and its callers.

#pragma once

#include "gpu/gpu.h"

#include <memory>

namespace lanescope::tests {

/// time: 1, 2, ... microseconds, as many as there are repetitions, times the buffers of the launch; a kernel
/// named "faulty" faults, and from then on everything fails, as with the driver; one named
/// "endless" never ends, and the GPU stays busy. count: requests = bytes of
/// the first buffer, and its first byte as sectors.
class FakeGpu : public gpu::Gpu {
 public:
  Result<gpu::Description> describe() override {
    gpu::Description description;
    description.name = "Fake";
    description.memory_bytes = 1 << 20;
    return description;
  }

  Result<gpu::Timing> time(const gpu::Kernel& kernel, const launch::Launch& launch,
                           const gpu::TimingOptions& options) override {
    if (kernel.entry == "faulty" || faulted_) {
      faulted_ = true;
      return fail(ErrorKind::Memory, "the kernel faulted", Location{kernel.name, 3});
    }
    if (kernel.entry == "endless" || is_busy_) {
      is_busy_ = true;
      return fail(ErrorKind::Limit, "the kernel did not end");
    }
    gpu::Timing timing;
    for (unsigned i = 1; i <= options.repetitions; ++i)
      timing.seconds.push_back(i * 1e-6 * static_cast<double>(launch.buffers.size()));
    return timing;
  }

  Result<gpu::Timing> time_copy(uint64_t bytes, const gpu::TimingOptions&) override {
    return gpu::Timing{{static_cast<double>(bytes) * 1e-12}};
  }

  Result<trace::HardwareCounts> count(const gpu::Kernel&, const launch::Launch& launch,
                                      gpu::Filling) override {
    trace::HardwareCounts counts;
    const auto& bytes = *launch.buffers.at(0).initial;
    counts[trace::HardwareCount::GlobalLoadRequests] = bytes.size();
    counts[trace::HardwareCount::GlobalLoadSectors] = static_cast<uint64_t>(bytes.at(0));
    return counts;
  }

  /// The header with one block kept, the one that is looked at or the first that is named, and the first
  /// buffer counted up by one.
  Result<gpu::TracedRun> trace(const gpu::Kernel&, const launch::Launch& launch, const trace::Trace& header,
                               const trace::Keep& keep) override {
    gpu::TracedRun run;
    run.trace = header;
    run.trace.provenance = Provenance::Traced;
    run.trace.blocks.resize(1);
    run.trace.blocks[0].cta = keep.values_of ? *keep.values_of : keep.listed.at(0);
    run.trace.blocks[0].accesses.resize(1);
    run.trace.blocks[0].accesses[0].active = kAllLanes;
    for (const launch::Buffer& buffer : launch.buffers) run.buffers.push_back(buffer.initial);
    launch::Bytes changed = *launch.buffers.at(0).initial;
    changed.at(0) = static_cast<std::byte>(static_cast<int>(changed.at(0)) + 1);
    run.buffers[0] = std::make_shared<const launch::Bytes>(std::move(changed));
    return run;
  }

 private:
  bool faulted_ = false;
  bool is_busy_ = false;
};

}  // namespace lanescope::tests
