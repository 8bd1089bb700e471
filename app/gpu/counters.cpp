#include "gpu/counters.h"

#include "gpu/kernel_check.h"

#include <cmath>
#include <utility>

namespace lanescope::gpu {
namespace {

std::vector<trace::HardwareCount> pipe_counts() {
  std::vector<trace::HardwareCount> counts;
  for (const trace::HardwareCountRow& row : trace::hardware_count_rows())
    if (row.source == trace::CountSource::Pipe) counts.push_back(row.count);
  return counts;
}

std::vector<std::string> pipe_metrics() {
  std::vector<std::string> metrics;
  for (const trace::HardwareCountRow& row : trace::hardware_count_rows())
    if (row.source == trace::CountSource::Pipe) metrics.emplace_back(row.metric);
  return metrics;
}

}  // namespace

Counters::Counters(Context context, Cupti cupti) : context_(std::move(context)), cupti_(std::move(cupti)) {}

Result<void> Counters::prepare() {
  if (profiler_) return {};
  TRY(RangeProfiler profiler, RangeProfiler::make(context_, cupti_, pipe_metrics(), 1));
  profiler_ = std::move(profiler);
  passes_ = profiler_->passes();
  return {};
}

Result<Counters> Counters::open(const Context& context, std::span<const std::filesystem::path> folders) {
  TRY(Cupti cupti, Cupti::open(folders));
  Counters counters(context, std::move(cupti));
  TRY_VOID(counters.prepare());
  if (auto addresses = AddressCounters::make(context, counters.cupti_))
    counters.addresses_ = *std::move(addresses);
  TRY(counters.flush_, L2Flush::make(context));
  return counters;
}

Result<trace::HardwareCounts> Counters::count(const Kernel& kernel, const launch::Launch& launch,
                                              Filling filling) {
  TRY_VOID(prepare());
  TRY(const CheckedKernel checked, check_kernel(kernel, launch));
  TRY(const Module module, Module::load(context_, kernel.ptx, kernel.name));
  TRY(LaunchBuffers buffers, LaunchBuffers::make(context_, launch, filling));
  if (filling == Filling::Initial) TRY_VOID(buffers.keep(context_, module, checked.variables));
  const auto once = [&] { return buffers.launch(module, kernel.entry, launch, checked.kind); };
  TRY(const auto values, profiler_->count(
                             1,
                             [&](size_t) -> Result<void> {
                               TRY_VOID(buffers.restore());
                               return flush_->queue();
                             },
                             [&](size_t) { return once(); }));
  trace::HardwareCounts counts;
  const std::vector<trace::HardwareCount> wanted = pipe_counts();
  for (size_t n = 0; n < wanted.size(); ++n)
    // A counter that the hardware did not deliver is no number.
    if (std::isfinite(values[0][n]) && values[0][n] >= 0)
      counts[wanted[n]] = static_cast<uint64_t>(std::llround(values[0][n]));
  TRY_VOID(buffers.restore());
  if (addresses_) TRY_VOID(addresses_->count(once, counts));
  return counts;
}

}  // namespace lanescope::gpu
