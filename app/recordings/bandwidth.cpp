#include "recordings/bandwidth.h"

#include "trace/traffic.h"

#include <fmt/format.h>

namespace lanescope::recordings {
namespace {

constexpr double kGiga = 1e9;

plot::Bandwidth::Bar bar_of(const RecordedTimes& times) {
  const auto rate = [&](double seconds) { return static_cast<double>(times.bytes) / seconds / kGiga; };
  plot::Bandwidth::Bar bar;
  bar.gb_per_second = rate(times.cold.median);
  bar.lowest = rate(times.cold.upper_quartile);
  bar.highest = rate(times.cold.lower_quartile);
  return bar;
}

/// "8192 × 8192, 4 B" of a lesson of matrices, "65536" of others.
std::string size_text(const lesson::Lesson& lesson, uint32_t size, uint64_t bytes) {
  const lesson::Toggle* const toggle = lesson::find_toggle(lesson, lesson.size_toggle);
  if (toggle == nullptr) return {};
  if (!toggle->free || toggle->free->kind != lesson::FreeValues::Kind::Matrix) return fmt::to_string(size);
  const uint64_t of_element = bytes / 2 / size / size;
  return of_element == 0 ? fmt::format("{0} × {0}", size) : fmt::format("{0} × {0}, {1} B", size, of_element);
}

}  // namespace

std::vector<std::optional<lesson::Settings>> settings_beside(const lesson::Lesson& lesson,
                                                             const lesson::Settings& settings) {
  std::vector<std::optional<lesson::Settings>> all;
  for (const lesson::Kernel& kernel : lesson.kernels) {
    if (kernel.name == settings.kernel) {
      all.emplace_back(settings);
      continue;
    }
    auto chosen = lesson::with_toggle(lesson, settings, "kernel", kernel.name);
    if (chosen)
      all.emplace_back(*std::move(chosen));
    else
      all.emplace_back();
  }
  return all;
}

trace::HardwareCounts emulated_counts(const trace::Trace& trace) {
  using enum trace::HardwareCount;
  using trace::Space;
  using trace::Traffic;
  trace::HardwareCounts counts;
  const auto total = [&](Space space, Traffic traffic) { return trace::total_of(trace, space, traffic); };
  // The hardware counts the reads of an asynchronous copy as loads, but not its writes as stores, and bulk
  // copies as neither (measured: tests/data/h200/counters.csv, async_copy and bulk_copy).
  trace::Totals loads = total(Space::Global, Traffic::Load);
  loads += total(Space::Global, Traffic::AsyncCopy);
  const trace::Totals stores = total(Space::Global, Traffic::Store);
  counts[GlobalLoadRequests] = loads.requests;
  counts[GlobalLoadSectors] = loads.sectors;
  counts[GlobalStoreRequests] = stores.requests;
  counts[GlobalStoreSectors] = stores.sectors;
  counts[SharedLoadWavefronts] = total(Space::Shared, Traffic::Load).wavefronts;
  counts[SharedStoreWavefronts] = total(Space::Shared, Traffic::Store).wavefronts;
  return counts;
}

std::vector<uint32_t> sizes_of(const Recording& recording, const lesson::Lesson& lesson,
                               const lesson::Settings& settings, const pipeline::Options& options,
                               KernelKeys& keys, pipeline::Execution& execution) {
  std::vector<uint32_t> sizes;
  const auto key = keys.key_of(lesson, settings, options, execution);
  if (!key || !recording.texts.contains(*key)) return sizes;
  for (const auto& [size, times] : recording.texts.at(*key).sizes) sizes.push_back(size);
  return sizes;
}

std::optional<plot::Bandwidth> bandwidth_of(const Recording& recording, Provenance provenance,
                                            const lesson::Lesson& lesson, const lesson::Settings& settings,
                                            Language language, const pipeline::Options& options,
                                            KernelKeys& keys, pipeline::Execution& execution) {
  const auto side = lesson::recorded_size(lesson, settings);
  if (!side) return {};
  plot::Bandwidth bandwidth;
  bandwidth.provenance = provenance;
  bandwidth.gpu = recording.gpu.name;
  bandwidth.driver = recording.gpu.driver;
  bandwidth.cuda = recording.gpu.cuda;
  bandwidth.date = recording.date;
  bandwidth.repetitions = recording.repetitions;
  bool current_is_there = false;
  const auto beside = settings_beside(lesson, settings);
  for (size_t n = 0; n < beside.size(); ++n) {
    if (!beside[n]) continue;
    const auto key = keys.key_of(lesson, *beside[n], options, execution);
    const RecordedTimes* times = key ? find_times(recording, *key, *side) : nullptr;
    if (times == nullptr) continue;
    if (const std::string& date = recording.texts.at(*key).date; !date.empty()) bandwidth.date = date;
    plot::Bandwidth::Bar bar = bar_of(*times);
    bar.kernel = lesson.kernels[n].label.in(language);
    bar.current = lesson.kernels[n].name == settings.kernel;
    if (const trace::HardwareCounts* counts = find_counts(recording, *key, *side)) bar.counts = *counts;
    if (const RecordedTimes* copy = find_copy(recording, times->bytes)) {
      bar.share_of_copy = copy->cold.median / times->cold.median;
      // The others may move another amount.
      if (bar.current) bandwidth.copy_gb_per_second = bar_of(*copy).gb_per_second;
    }
    if (bar.current) bandwidth.size = size_text(lesson, *side, times->bytes);
    current_is_there |= bar.current;
    bandwidth.bars.push_back(std::move(bar));
  }
  if (!current_is_there) return {};
  return bandwidth;
}

}  // namespace lanescope::recordings
