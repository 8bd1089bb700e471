#include "shell/gpu_report.h"

#include "shell/verbs.h"

#include <array>
#include <ctime>
#include <fstream>

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace lanescope::shell {
namespace {

/// "580.159.04". The driver's interface tells CUDA's version alone; its release stands in a file of the
/// kernel module.
std::string driver_release() {
  std::string release;
  std::ifstream("/sys/module/nvidia/version") >> release;
  if (!release.empty()) return release;
  // "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.04  ...": the first word that begins with a
  // digit.
  std::ifstream file("/proc/driver/nvidia/version");
  for (std::string word; file >> word;)
    if (word[0] >= '0' && word[0] <= '9') return word;
  return {};
}

}  // namespace

Result<OpenGpu> open_gpu() {
  TRY(gpu::Driver driver, gpu::Driver::open());
  TRY(gpu::Context context, gpu::Context::make(driver));
  return OpenGpu{std::move(driver), std::move(context)};
}

Result<gpu::Counters> open_counters(const OpenGpu& open, const Paths& paths) {
  // Beside the program lies what was taken along to a machine with nothing but a driver.
  const std::array folders{paths.fetched / "cupti/nvidia/cu13/lib", paths.project / "build/lib"};
  return gpu::Counters::open(open.context, folders);
}

Result<std::string> counters_state(const Paths& paths) {
  TRY(const OpenGpu open, open_gpu());
  TRY(const gpu::Counters counters, open_counters(open, paths));
  return fmt::format("CUPTI in {}: {} counts of a launch in {} runs of it",
                     counters.cupti().library().string(), trace::kHardwareCounts, counters.passes() + 1);
}

void describe_gpu(const OpenGpu& open, session::Recording& recording) {
  const gpu::Device& device = open.context.device();
  recording.gpu = device.name;
  recording.compute_capability = fmt::format("{}.{}", device.major, device.minor);
  recording.driver = driver_release();
  recording.cuda = fmt::format("{}.{}", open.driver.version() / 1000, open.driver.version() % 1000 / 10);
  recording.date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
}

session::RecordedSeconds seconds_of(const gpu::Timing& timing) {
  return {timing.minimum(), timing.lower_quartile(), timing.median(), timing.upper_quartile()};
}

double gigabytes_per_second(uint64_t bytes, double seconds) {
  return static_cast<double>(bytes) / seconds * 1e-9;
}

}  // namespace lanescope::shell
