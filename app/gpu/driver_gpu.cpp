#include "gpu/driver_gpu.h"

#include "gpu/instrument/driver_trace_machine.h"
#include "ptx/lower.h"
#include "ptx/module.h"
#include "ptx/program.h"

#include <fstream>

#include <fmt/format.h>

namespace lanescope::gpu {
namespace {

/// "580.159.04". The driver's interface reports only CUDA's version; the release is in a file of the
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

DriverGpu::DriverGpu(Driver driver, Context context, DriverGpuOptions options)
    : driver_(std::move(driver)), context_(std::move(context)), options_(std::move(options)) {}

Result<DriverGpu> DriverGpu::open(DriverGpuOptions options) {
  TRY(Driver driver, Driver::open());
  TRY(Context context, Context::make(driver));
  context.limit_waiting(options.most_waiting);
  return DriverGpu(std::move(driver), std::move(context), std::move(options));
}

Result<Description> DriverGpu::describe() {
  const Device& device = context_.device();
  Description description;
  description.name = device.name;
  description.compute_capability = fmt::format("{}.{}", device.major, device.minor);
  description.driver = driver_release();
  description.cuda = fmt::format("{}.{}", driver_.version() / 1000, driver_.version() % 1000 / 10);
  description.memory_bytes = device.memory_bytes;
  description.l2_bytes = device.l2_bytes;
  return description;
}

Result<Timing> DriverGpu::time(const Kernel& kernel, const launch::Launch& launch,
                               const TimingOptions& options) {
  if (counters_) counters_->rest();
  return time_kernel(context_, kernel, launch, options);
}

Result<Timing> DriverGpu::time_copy(uint64_t bytes, const TimingOptions& options) {
  if (counters_) counters_->rest();
  return gpu::time_copy(context_, bytes, options);
}

Result<trace::HardwareCounts> DriverGpu::count(const Kernel& kernel, const launch::Launch& launch,
                                               Filling filling) {
  if (!counters_) {
    TRY(counters_, Counters::open(context_, options_.cupti_folders));
  }
  return counters_->count(kernel, launch, filling);
}

Result<TracedRun> DriverGpu::trace(const Kernel& kernel, const launch::Launch& launch,
                                   const trace::Trace& header, const trace::Keep& keep) {
  if (counters_) counters_->rest();
  TRY(const ptx::Module module, ptx::parse(kernel.ptx, kernel.name));
  TRY(const ptx::Program program, ptx::lower(module, kernel.entry));
  return trace_on_gpu(context_, {.module = module,
                                 .program = program,
                                 .launch = launch,
                                 .header = header,
                                 .cost = options_.cost,
                                 .keep = keep});
}

}  // namespace lanescope::gpu
