#include "recordings/bandwidth.h"

#include "launch/element_type.h"
#include "lesson/launch_plan.h"
#include "trace/traffic.h"

#include <algorithm>

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
  bar.bytes = times.bytes;
  return bar;
}

/// The size toggle, where it means something to the chosen kernel.
const lesson::Toggle* size_toggle_of(const lesson::Lesson& lesson, const lesson::Settings& settings) {
  const lesson::Toggle* const toggle = lesson::find_toggle(lesson, lesson.size_toggle);
  return toggle != nullptr && applies(lesson, settings, *toggle) ? toggle : nullptr;
}

/// "8192 × 8192, 4 B" of a lesson of matrices, "65536" of others.
std::string size_text(const lesson::Lesson& lesson, const lesson::Settings& settings, uint32_t size) {
  const lesson::Toggle* const toggle = size_toggle_of(lesson, settings);
  if (toggle == nullptr) return {};
  if (!toggle->free || toggle->free->kind != lesson::FreeValues::Kind::Matrix) return fmt::to_string(size);
  const auto launch = lesson::make_launch(lesson, lesson::kernel_of(lesson, settings), settings, nullptr,
                                          lesson::Filling::None);
  if (!launch || launch->buffers.empty()) return fmt::format("{0} × {0}", size);
  return fmt::format("{0} × {0}, {1} B", size, launch::size_bytes(launch->buffers.front().type));
}

/// `settings` with another value of the size toggle.
lesson::Settings with_size(const lesson::Lesson& lesson, lesson::Settings settings, uint32_t size) {
  if (size != 0) settings.values[lesson.size_toggle] = fmt::to_string(size);
  return settings;
}

/// The size whose times are wanted first, and the one of the settings.
std::vector<uint32_t> sizes_to_try(const lesson::Lesson& lesson, const lesson::Settings& settings) {
  std::vector<uint32_t> sizes;
  const lesson::Toggle* const toggle = size_toggle_of(lesson, settings);
  if (toggle != nullptr && lesson.times_size && settings.values.at(toggle->name) == toggle->initial)
    sizes.push_back(*lesson.times_size);
  if (const auto size = lesson::recorded_size(lesson, settings)) sizes.push_back(*size);
  return sizes;
}

/// The recorded times of the kernels with settings, in one size.
class RecordedBars {
 public:
  RecordedBars(const Recording& recording, const lesson::Lesson& lesson, uint32_t size, Language language)
      : recording_(recording), lesson_(lesson), size_(size), language_(language) {}

  /// Nothing where the times were not recorded.
  void add(const lesson::Settings& settings, bool is_current, const std::string& key,
           plot::Bandwidth& bandwidth) const {
    const RecordedTimes* const times = find_times(recording_, key, size_);
    if (times == nullptr) return;
    if (const std::string& date = recording_.texts.at(key).date; !date.empty()) bandwidth.date = date;
    const lesson::Kernel& kernel = lesson::kernel_of(lesson_, settings);
    plot::Bandwidth::Bar bar = bar_of(*times);
    bar.kernel = kernel.label.in(language_);
    bar.current = is_current;
    bar.work = work_of(lesson_, kernel);
    if (kernel.operations) {
      const auto operations =
          lesson::value_of(lesson_, kernel, with_size(lesson_, settings, size_), *kernel.operations);
      if (operations) bar.operations = static_cast<double>(*operations);
    }
    if (const trace::HardwareCounts* counts = find_counts(recording_, key, size_)) bar.counts = *counts;
    if (const RecordedTimes* copy = find_copy(recording_, times->bytes)) {
      bar.share_of_copy = copy->cold.median / times->cold.median;
      if (is_current) bandwidth.copy_gb_per_second = bar_of(*copy).gb_per_second;
    }
    bandwidth.bars.push_back(std::move(bar));
  }

 private:
  const Recording& recording_;
  const lesson::Lesson& lesson_;
  uint32_t size_;
  Language language_;
};

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
    if (!chosen) {
      all.emplace_back();
      continue;
    }
    // Of another size it would be no comparison.
    if (!lesson.size_toggle.empty())
      chosen->values[lesson.size_toggle] = settings.values.at(lesson.size_toggle);
    all.emplace_back(*std::move(chosen));
  }
  return all;
}

size_t work_of(const lesson::Lesson& lesson, const lesson::Kernel& kernel) {
  const auto is_same = [&](const lesson::Kernel& other) {
    if (&other == &kernel) return true;
    if (!other.expect || !kernel.expect) return false;
    const lesson::Expectation &one = *other.expect, &two = *kernel.expect;
    return one.rule == two.rule && one.reference == two.reference && one.tile.text() == two.tile.text();
  };
  const auto first = std::ranges::find_if(lesson.kernels, is_same);
  return static_cast<size_t>(first - lesson.kernels.begin());
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
  const auto beside = settings_beside(lesson, settings);
  std::vector<std::string> keys_beside(beside.size());
  for (size_t n = 0; n < beside.size(); ++n)
    if (beside[n]) keys_beside[n] = keys.key_of(lesson, *beside[n], options, execution).value_or("");
  for (const uint32_t size : sizes_to_try(lesson, settings)) {
    plot::Bandwidth bandwidth;
    bandwidth.provenance = provenance;
    bandwidth.gpu = recording.gpu.name;
    bandwidth.driver = recording.gpu.driver;
    bandwidth.cuda = recording.gpu.cuda;
    bandwidth.date = recording.date;
    bandwidth.repetitions = recording.repetitions;
    const RecordedBars bars(recording, lesson, size, language);
    for (size_t n = 0; n < beside.size(); ++n)
      if (beside[n])
        bars.add(*beside[n], lesson.kernels[n].name == settings.kernel, keys_beside[n], bandwidth);
    if (std::ranges::none_of(bandwidth.bars, &plot::Bandwidth::Bar::current)) continue;
    bandwidth.without_times = lesson.kernels.size() - bandwidth.bars.size();
    bandwidth.size = size_text(lesson, settings, size);
    if (const auto of_run = lesson::recorded_size(lesson, settings); of_run != size)
      bandwidth.run_size = settings.values.at(lesson.size_toggle);
    return bandwidth;
  }
  return {};
}

}  // namespace lanescope::recordings
