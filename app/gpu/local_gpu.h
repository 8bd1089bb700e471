// The GPU that this process drives: the driver, the first GPU that it shows, and its counters while they are
// needed. Tests: with a GPU `lanescope time`; without one
// tests/unit/gpu/driver_test.cpp

#pragma once

#include "gpu/counters.h"
#include "gpu/gpu.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace lanescope::gpu {

struct LocalOptions {
  std::vector<std::filesystem::path> cupti_folders;  // where CUPTI is looked for first
  trace::CostFunction cost = nullptr;                // what an access costs: needed for traces alone
};

class LocalGpu : public Gpu {
 public:
  static Result<LocalGpu> open(LocalOptions options);

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
  LocalGpu(Driver driver, Context context, LocalOptions options);

  Driver driver_;
  Context context_;
  LocalOptions options_;
  std::optional<Counters> counters_;  // at rest while something is timed
};

}  // namespace lanescope::gpu
