#include "session/bandwidth.h"

#include "compile/content_key.h"
#include "lesson/matrix_launch.h"
#include "session/job.h"

#include <fmt/format.h>

namespace lanescope::session {
namespace {

constexpr double kGiga = 1e9;

/// The side of the matrix, if it is square.
std::optional<uint32_t> side_of(const lesson::Settings& settings) {
  const auto text = settings.values.find("size");
  if (text == settings.values.end()) return {};
  const auto size = lesson::parse_matrix_size(text->second);
  if (!size || size->width != size->height) return {};
  return size->width;
}

}  // namespace

std::optional<plot::Bandwidth> recorded_bandwidth(const Recording& recording, const lesson::Lesson& lesson,
                                                  const lesson::Settings& settings, Language language,
                                                  const Options& options) {
  const auto side = side_of(settings);
  if (!side) return {};
  plot::Bandwidth bandwidth;
  bandwidth.provenance = Provenance::Recorded;
  bandwidth.gpu = recording.gpu;
  bandwidth.driver = recording.driver;
  bandwidth.cuda = recording.cuda;
  bandwidth.date = recording.date;
  bandwidth.repetitions = recording.repetitions;
  bool current_is_there = false;
  for (const lesson::Kernel& kernel : lesson.kernels) {
    const bool current = kernel.name == settings.kernel;
    const Result<lesson::Settings> chosen =
        current ? settings : lesson::with_toggle(lesson, settings, "kernel", kernel.name);
    if (!chosen) continue;
    const auto job = text_job_of(lesson, *chosen, options);
    if (!job) continue;
    const std::string key = compile::content_key(job->source, job->options, "");
    const RecordedTimes* times = find_times(recording, key, *side);
    if (times == nullptr) continue;
    const auto rate = [&](double seconds) { return static_cast<double>(times->bytes) / seconds / kGiga; };
    plot::Bandwidth::Bar bar{.kernel = kernel.label.in(language),
                             .gb_per_second = rate(times->cold.median),
                             .lowest = rate(times->cold.upper_quartile),
                             .highest = rate(times->cold.lower_quartile),
                             .share_of_copy = 0,
                             .current = current};
    if (const trace::HardwareCounts* counts = find_counts(recording, key, *side)) bar.counts = *counts;
    if (const RecordedTimes* copy = find_copy(recording, times->bytes)) {
      bar.share_of_copy = copy->cold.median / times->cold.median;
      bandwidth.copy_gb_per_second = rate(copy->cold.median);
    }
    bandwidth.size = fmt::format("{0} × {0}, {1} B", *side, times->bytes / 2 / *side / *side);
    current_is_there |= current;
    bandwidth.bars.push_back(std::move(bar));
  }
  if (!current_is_there) return {};
  return bandwidth;
}

}  // namespace lanescope::session
