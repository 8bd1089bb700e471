// Gpu implemented with the CUDA driver in this process: the first GPU that the driver lists, and its hardware
// counters while they are needed. Tests: with a GPU `lanescope time`; without one
// tests/unit/gpu/driver_test.cpp

#pragma once

#include "gpu/counters.h"
#include "gpu/gpu.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace lanescope::gpu {

struct DriverGpuOptions {
  std::vector<std::filesystem::path> cupti_folders;  // where CUPTI is looked for first
  trace::CostFunction cost = nullptr;                // what an access costs: needed for traces alone
  std::chrono::seconds most_waiting{0};              // for a kernel: Context::limit_waiting
};

class DriverGpu : public Gpu {
 public:
  static Result<DriverGpu> open(DriverGpuOptions options);

  const Context& context() const { return context_; }

  Result<Description> describe() override;
  Result<Timing> time(const Kernel& kernel, const launch::Launch& launch,
                      const TimingOptions& options) override;
  Result<Timing> time_copy(uint64_t bytes, const TimingOptions& options) override;
  Result<trace::HardwareCounts> count(const Kernel& kernel, const launch::Launch& launch,
                                      Filling filling) override;
  Result<TracedRun> trace(const Kernel& kernel, const launch::Launch& launch, const trace::Trace& header,
                          const trace::Keep& keep) override;

 private:
  DriverGpu(Driver driver, Context context, DriverGpuOptions options);

  Driver driver_;
  Context context_;
  DriverGpuOptions options_;
  std::optional<Counters> counters_;  // at rest while something is timed
};

}  // namespace lanescope::gpu
