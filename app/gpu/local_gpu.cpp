#include "gpu/local_gpu.h"

#include <fstream>

#include <fmt/format.h>

namespace lanescope::gpu {
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

LocalGpu::LocalGpu(Driver driver, Context context, std::vector<std::filesystem::path> cupti_folders)
    : driver_(std::move(driver)), context_(std::move(context)), cupti_folders_(std::move(cupti_folders)) {}

Result<LocalGpu> LocalGpu::open(std::vector<std::filesystem::path> cupti_folders) {
  TRY(Driver driver, Driver::open());
  TRY(Context context, Context::make(driver));
  return LocalGpu(std::move(driver), std::move(context), std::move(cupti_folders));
}

Result<Description> LocalGpu::describe() {
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

Result<Timing> LocalGpu::time(const Kernel& kernel, const launch::Launch& launch,
                              const TimingOptions& options) {
  counters_.reset();
  return time_kernel(context_, kernel, launch, options);
}

Result<Timing> LocalGpu::time_copy(uint64_t bytes, const TimingOptions& options) {
  counters_.reset();
  return gpu::time_copy(context_, bytes, options);
}

Result<trace::HardwareCounts> LocalGpu::count(const Kernel& kernel, const launch::Launch& launch,
                                              Filling filling) {
  if (!counters_) {
    TRY(counters_, Counters::open(context_, cupti_folders_));
  }
  return counters_->count(kernel, launch, filling);
}

}  // namespace lanescope::gpu
