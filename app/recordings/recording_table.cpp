#include "recordings/recording_table.h"

#include "recordings/bandwidth.h"
#include "recordings/slice_recording.h"

#include <algorithm>
#include <initializer_list>

#include <fmt/format.h>

namespace lanescope::recordings {
namespace {

using trace::HardwareCount;

constexpr const char* kBegin =
    R"(# What GPUs did with the lessons' kernels

Made by the target `store_recordings` from the files beside it: change those, not this. `h200.json` and the like are recordings
of times and hardware counts of every text that the lessons' toggles can make, kept by the hash of what the kernel computes
and how it is launched, so that a kernel that computes something else since is not found and a test fails. The window shows
them as *recorded* where nothing is measured.
`slices/` has the slices of the L2. To record a GPU of your own: `lanescope record -o NAME.json` and
`lanescope slices -o slices/NAME.json`.

In the tables: the toggles as the lesson begins. GB/s: bytes read and written by definition over the median time of the plain
kernel with a cold L2; in brackets the share of what a device-to-device copy of as many bytes reaches in the same run. Counts
are of one launch with a cold L2, read with CUPTI; by address: wavefronts that the addresses alone make, without the pipe's
arbitration.
)";

std::string text_of(const std::optional<uint64_t>& count) {
  return count ? fmt::to_string(*count) : std::string("–");
}
std::string megabytes(const std::optional<uint64_t>& bytes) {
  return bytes ? fmt::format("{:.2f}", static_cast<double>(*bytes) * 1e-6) : std::string("–");
}

/// The bars of a lesson in one size; none where it was not recorded.
std::optional<plot::Bandwidth> bars_of(const Recording& recording, const lesson::Lesson& lesson,
                                       uint32_t side, const pipeline::Options& options,
                                       pipeline::Execution& execution, KernelKeys& keys) {
  auto settings =
      lesson::with_toggle(lesson, lesson::initial_settings(lesson), lesson.size_toggle, fmt::to_string(side));
  if (!settings) return {};
  return bandwidth_of(recording, Provenance::Recorded, lesson, *settings, Language::English, options, keys,
                      execution);
}

std::string times_table(const Recording& recording, const lesson::Lesson& lesson,
                        const pipeline::Options& options, pipeline::Execution& execution, KernelKeys& keys) {
  const std::vector<uint32_t> sizes = recorded_sizes(recording);
  std::string head = "| kernel |";
  std::string rule = "|---|";
  std::string copies = "| copy by the driver |";
  std::vector<std::string> rows;
  for (const uint32_t side : sizes) {
    const auto bandwidth = bars_of(recording, lesson, side, options, execution, keys);
    if (!bandwidth) continue;
    head += fmt::format(" {} |", side);
    rule += "---:|";
    copies += fmt::format(" {:.0f} |", bandwidth->copy_gb_per_second);
    rows.resize(bandwidth->bars.size());
    for (size_t n = 0; n < rows.size(); ++n) {
      const plot::Bandwidth::Bar& bar = bandwidth->bars[n];
      if (rows[n].empty()) rows[n] = fmt::format("| {} |", bar.kernel);
      rows[n] += fmt::format(" {:.0f} ({:.0f} %) |", bar.gb_per_second, 100 * bar.share_of_copy);
    }
  }
  std::string table = head + "\n" + rule + "\n";
  for (const std::string& row : rows) table += row + "\n";
  return table + copies + "\n";
}

std::string counts_table(const Recording& recording, const lesson::Lesson& lesson,
                         const pipeline::Options& options, pipeline::Execution& execution, KernelKeys& keys) {
  using enum HardwareCount;
  std::string table;
  for (const uint32_t side : recorded_sizes(recording)) {
    const auto bandwidth = bars_of(recording, lesson, side, options, execution, keys);
    if (!bandwidth) continue;
    for (const plot::Bandwidth::Bar& bar : bandwidth->bars) {
      if (!bar.counts) continue;
      const trace::HardwareCounts& counts = *bar.counts;
      table += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} to {} |\n", bar.kernel, side,
                           text_of(sum_of(counts, {GlobalLoadRequests, GlobalStoreRequests})),
                           text_of(sum_of(counts, {GlobalLoadSectors, GlobalStoreSectors})),
                           text_of(sum_of(counts, {SharedLoadWavefronts, SharedStoreWavefronts})),
                           text_of(sum_of(counts, {SharedLoadConflicts, SharedStoreConflicts})),
                           text_of(counts[SharedAddressWavefronts]), megabytes(trace::l2_bytes(counts)),
                           megabytes(trace::dram_bytes(counts)), text_of(counts[L2RequestsLeast]),
                           text_of(counts[L2RequestsMost]));
    }
  }
  if (table.empty()) return "Its counters were not read.\n";
  return "| kernel | size | requests | sectors | wavefronts | conflicts | by address | L2 MB | DRAM MB | "
         "requests "
         "a slice |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n" +
         table;
}

std::string slices_table(const SliceRecording& recording) {
  std::string table = fmt::format(
      "Slices of the L2: {} granules of 256 bytes of a page of 2 MiB, each measured; the rule that one page "
      "taught holds "
      "for {} of {} of another allocation.\n\n| reads | lines | one pair, GB/s | all slices, GB/s | ratio | "
      "busiest "
      "slice's share |\n|---|---:|---:|---:|---:|---:|\n",
      recording.page.size(), recording.other_agreeing, recording.other_granules);
  const auto row = [&](const char* name, const plot::CampedReads& reads) {
    table += fmt::format("| {} | {} | {:.1f} | {:.1f} | {:.1f} | {:.1f} % against {:.1f} % |\n", name,
                         reads.lines, reads.one_slice, reads.all_slices, reads.all_slices / reads.one_slice,
                         100 * reads.one_slice_share, 100 * reads.all_slices_share);
  };
  row("from the L2", recording.l2);
  row("from DRAM", recording.dram);
  return table;
}

}  // namespace

Result<std::string> recording_tables(const pipeline::Options& options) {
  std::string text = kBegin;
  KernelKeys keys;
  pipeline::Execution execution(options);
  const std::filesystem::path folder = options.assets / "recordings";
  const Recordings recordings = read_recordings(folder);
  if (!recordings.errors.empty()) return std::unexpected(recordings.errors.front());
  for (const auto& [name, recording] : recordings.by_name) {
    text += fmt::format("\n## {}: {}, driver {}, CUDA {}, {}, {} repetitions\n", name, recording.gpu.name,
                        recording.gpu.driver, recording.gpu.cuda, recording.date, recording.repetitions);
    for (const std::string& lesson_name : lesson::lesson_names(options.assets / "lessons")) {
      TRY(const lesson::Lesson lesson, lesson::find_lesson(options.assets / "lessons", lesson_name));
      text += fmt::format("\n### {}\n\n{}\n{}", lesson.title.english,
                          times_table(recording, lesson, options, execution, keys),
                          counts_table(recording, lesson, options, execution, keys));
    }
    std::error_code ignored;
    if (!std::filesystem::exists(folder / "slices" / (name + ".json"), ignored)) continue;
    TRY(const SliceRecording slices, read_slices(folder / "slices" / (name + ".json")));
    text += fmt::format("\n### Slices\n\n{}", slices_table(slices));
  }
  return text;
}

}  // namespace lanescope::recordings
