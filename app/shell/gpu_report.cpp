#include "shell/gpu_report.h"

#include "gpu/driver_gpu.h"
#include "shell/gpu_choice.h"
#include "shell/verbs.h"

#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace lanescope::shell {
Result<std::string> counters_state(const Paths& paths) {
  TRY(auto gpu, gpu::DriverGpu::open({}));
  TRY(const gpu::Counters counters, gpu::Counters::open(gpu.context(), cupti_folders(paths)));
  return fmt::format("CUPTI in {}: {} counts of a launch in {} runs of it",
                     counters.cupti().library().string(), trace::kHardwareCounts, counters.passes() + 1);
}

void describe_gpu(const gpu::Description& description, recordings::Recording& recording) {
  recording.gpu = description;
  recording.date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
}

recordings::RecordedSeconds seconds_of(const gpu::Timing& timing) {
  return {timing.minimum(), timing.lower_quartile(), timing.median(), timing.upper_quartile()};
}

double gigabytes_per_second(uint64_t bytes, double seconds) {
  return static_cast<double>(bytes) / seconds * 1e-9;
}

}  // namespace lanescope::shell
