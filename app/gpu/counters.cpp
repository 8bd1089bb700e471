#include "gpu/counters.h"

#include "gpu/address_counters.h"

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

Counters::Counters(Context context, Cupti cupti, RangeProfiler profiler, std::vector<Buffer> flushing)
    : context_(std::move(context)),
      cupti_(std::move(cupti)),
      profiler_(std::move(profiler)),
      flushing_(std::move(flushing)) {}

Result<Counters> Counters::open(const Context& context, std::span<const std::filesystem::path> folders) {
  TRY(Cupti cupti, Cupti::open(folders));
  TRY(RangeProfiler profiler, RangeProfiler::make(context, cupti, pipe_metrics(), 1));
  std::vector<Buffer> flushing;
  for (int n = 0; n < 2; ++n) {
    TRY(Buffer buffer, Buffer::allocate(context, 2 * context.device().l2_bytes));
    flushing.push_back(std::move(buffer));
  }
  return Counters(context, std::move(cupti), std::move(profiler), std::move(flushing));
}

Result<void> Counters::flush_l2() { return flushing_[0].queue_copy(flushing_[1]); }

Result<trace::HardwareCounts> Counters::count(const Kernel& kernel, const launch::Launch& launch,
                                              Filling filling) {
  TRY(const Module module, Module::load(context_, kernel.ptx, kernel.name));
  TRY(LaunchBuffers buffers, LaunchBuffers::make(context_, launch, filling));
  if (filling == Filling::Initial) TRY_VOID(buffers.keep(context_));
  TRY(const auto values, profiler_.count(
                             1,
                             [&](size_t) -> Result<void> {
                               TRY_VOID(buffers.restore());
                               return flush_l2();
                             },
                             [&](size_t) { return buffers.launch(module, kernel.entry, launch); }));
  trace::HardwareCounts counts;
  const std::vector<trace::HardwareCount> wanted = pipe_counts();
  for (size_t n = 0; n < wanted.size(); ++n)
    // A counter that the hardware did not deliver is no number.
    if (std::isfinite(values[0][n]) && values[0][n] >= 0)
      counts[wanted[n]] = static_cast<uint64_t>(std::llround(values[0][n]));
  TRY_VOID(buffers.restore());
  TRY_VOID(count_addresses(
      context_, cupti_, [&] { return buffers.launch(module, kernel.entry, launch); }, counts));
  return counts;
}

}  // namespace lanescope::gpu
