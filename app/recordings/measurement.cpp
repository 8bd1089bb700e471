#include "recordings/measurement.h"

#include <algorithm>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace lanescope::recordings {
namespace {

constexpr unsigned kRepetitions = 21;

RecordedSeconds seconds_of(const gpu::Timing& timing) {
  return {timing.minimum(), timing.lower_quartile(), timing.median(), timing.upper_quartile()};
}

/// The time of the lessons' kernels does not depend on the contents of their buffers.
gpu::TimingOptions timing_options(gpu::TimingOptions::Cache l2) {
  return {.repetitions = kRepetitions, .l2 = l2, .contents = gpu::Filling::Any};
}

/// Cold and warm times of one thing.
template <class Time>
Result<RecordedTimes> times_of(uint64_t bytes, Time&& time) {
  TRY(const gpu::Timing cold, time(timing_options(gpu::TimingOptions::Cache::Cold)));
  TRY(const gpu::Timing warm, time(timing_options(gpu::TimingOptions::Cache::Warm)));
  return RecordedTimes{bytes, seconds_of(cold), seconds_of(warm)};
}

/// A kernel to measure.
struct Wanted {
  std::string key;
  pipeline::Job job;
  std::shared_ptr<const pipeline::Compiled> compiled;
  gpu::Kernel kernel() const { return {compiled->ptx_text, key + ".ptx", compiled->program.kernel}; }
};

Result<std::vector<Wanted>> wanted_kernels(const MeasureRequest& request, pipeline::Execution& execution,
                                           KernelKeys& keys) {
  std::vector<Wanted> all;
  const launch::Launch* previous = nullptr;
  for (const auto& settings : settings_beside(request.lesson, request.settings)) {
    if (!settings) continue;
    Wanted wanted;
    TRY(wanted.job, job_of(request.lesson, *settings, request.options, previous));
    TRY(wanted.compiled, execution.compiler().compile(wanted.job));
    TRY(wanted.key, keys.key_of(request.lesson, *settings, request.options, execution));
    previous = wanted.job.launch.get();
    all.push_back(std::move(wanted));
  }
  return all;
}

Result<void> describe(gpu::Gpu& gpu, Recording& measured) {
  TRY(measured.gpu, gpu.describe());
  measured.date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
  measured.repetitions = kRepetitions;
  return {};
}

Result<void> time_one(gpu::Gpu& gpu, const Wanted& wanted, uint32_t side, Recording& measured) {
  uint64_t bytes = 0;
  for (const launch::Buffer& buffer : wanted.job.launch->buffers) bytes += buffer.initial->size();
  TRY(measured.texts[wanted.key].sizes[side], times_of(bytes, [&](const gpu::TimingOptions& options) {
        return gpu.time(wanted.kernel(), *wanted.job.launch, options);
      }));
  measured.texts[wanted.key].kernel = wanted.job.kernel;
  if (measured.copies.contains(bytes / 2)) return {};
  TRY(measured.copies[bytes / 2],
      times_of(bytes, [&](const gpu::TimingOptions& options) { return gpu.time_copy(bytes / 2, options); }));
  return {};
}

}  // namespace

size_t measurement_count(const lesson::Lesson& lesson, const lesson::Settings& settings) {
  // The times of each kernel, then its counts.
  const auto kernels = settings_beside(lesson, settings);
  return 2 * static_cast<size_t>(
                 std::ranges::count_if(kernels, [](const auto& beside) { return beside.has_value(); }));
}

Result<void> measure_kernels(gpu::Gpu& gpu, const MeasureRequest& request, pipeline::Execution& execution,
                             KernelKeys& keys, Recording& measured) {
  const auto side = lesson::recorded_size(request.lesson, request.settings);
  if (!side)
    return fail(ErrorKind::Usage,
                "a square matrix is measured; choose a size with one number, for example 4096");
  TRY_VOID(describe(gpu, measured));
  TRY(const std::vector<Wanted> all, wanted_kernels(request, execution, keys));
  const size_t total = measurement_count(request.lesson, request.settings);
  size_t done = 0;
  const auto next = [&]() -> Result<void> {
    if (request.stop.stop_requested()) return fail(ErrorKind::Cancelled, "measuring was stopped");
    if (request.progress) request.progress(done++, total);
    return {};
  };
  for (const Wanted& wanted : all) {
    TRY_VOID(next());
    TRY_VOID(time_one(gpu, wanted, *side, measured));
  }
  // After all times, since counting slows a GPU down. Without counters only times are measured.
  for (const Wanted& wanted : all) {
    TRY_VOID(next());
    auto counts = gpu.count(wanted.kernel(), *wanted.job.launch, gpu::Filling::Any);
    if (!counts && counts.error().kind == ErrorKind::Unsupported) return {};
    if (!counts) return std::unexpected(counts.error());
    measured.texts[wanted.key].counts[*side] = *counts;
  }
  return {};
}

}  // namespace lanescope::recordings
