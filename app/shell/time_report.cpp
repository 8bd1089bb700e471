#include "shell/time_report.h"

#include "shell/gpu_report.h"

#include <algorithm>
#include <initializer_list>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lanescope::shell {
namespace {

using Json = nlohmann::ordered_json;

uint64_t sectors(const trace::Trace& trace) {
  uint64_t count = 0;
  for (const trace::Totals& totals : trace.totals) count += totals.sectors;
  return count;
}

double copy_share(const Timed& timed) { return timed.copy.median() / timed.timing.median(); }

/// "131072", or a dash if not counted.
std::string text_of(const std::optional<uint64_t>& count) {
  return count ? fmt::to_string(*count) : std::string("-");
}

std::string megabytes(const std::optional<uint64_t>& bytes) {
  return bytes ? fmt::format("{:.2f}", static_cast<double>(*bytes) * 1e-6) : std::string("-");
}

void print_counts(const Measured& measured) {
  using enum trace::HardwareCount;
  if (std::ranges::any_of(measured.kernels, [](const Timed& timed) { return timed.counts.has_value(); })) {
    fmt::print("\n{:<16} {:>11} {:>11} {:>11} {:>11} {:>11} {:>9} {:>9} {:>9} {:>17}\n", "counted",
               "requests", "sectors", "wavefronts", "conflicts", "by address", "useful MB", "L2 MB",
               "DRAM MB", "requests a slice");
    for (const Timed& timed : measured.kernels) {
      if (!timed.counts) continue;
      const trace::HardwareCounts& counts = *timed.counts;
      fmt::print(
          "{:<16} {:>11} {:>11} {:>11} {:>11} {:>11} {:>9} {:>9} {:>9} {:>17}\n", timed.name,
          text_of(sum_of(counts, {GlobalLoadRequests, GlobalStoreRequests, GlobalAtomicRequests,
                                  GlobalReductionRequests})),
          text_of(sum_of(
              counts, {GlobalLoadSectors, GlobalStoreSectors, GlobalAtomicSectors, GlobalReductionSectors})),
          text_of(sum_of(counts, {SharedLoadWavefronts, SharedStoreWavefronts, SharedAtomicWavefronts})),
          text_of(sum_of(counts, {SharedLoadConflicts, SharedStoreConflicts, SharedAtomicConflicts})),
          text_of(counts[SharedAddressWavefronts]), megabytes(timed.useful_bytes),
          megabytes(trace::l2_bytes(counts)), megabytes(trace::dram_bytes(counts)),
          fmt::format("{} to {}", text_of(counts[L2RequestsLeast]), text_of(counts[L2RequestsMost])));
    }
    fmt::print(
        "\nCounted by the hardware, one launch with a cold L2: requests and sectors of global memory, "
        "wavefronts "
        "and bank conflicts of shared memory, the wavefronts that the addresses alone make, bytes asked for, "
        "bytes between L1 and L2, L2 and DRAM.\n");
  }
  if (!measured.no_counts.empty()) fmt::print("\nNot counted: {}\n", measured.no_counts);
}

void print_table(const std::vector<Timed>& all, const recordings::Recording& gpu,
                 const TimeArguments& arguments) {
  fmt::print("{}, compute capability {}, driver {}, CUDA {}: measured, {} repetitions, {} L2\n\n",
             gpu.gpu.name, gpu.gpu.compute_capability, gpu.gpu.driver.empty() ? "unknown" : gpu.gpu.driver,
             gpu.gpu.cuda, arguments.repetitions, arguments.l2);
  fmt::print("{:<16} {:>11} {:>11} {:>21} {:>10} {:>8} {:>14}\n", "kernel", "median us", "minimum us",
             "quartiles us", "GB/s", "of copy", "sectors");
  for (const Timed& timed : all) {
    const gpu::Timing& t = timed.timing;
    fmt::print("{:<16} {:>11.2f} {:>11.2f} {:>21} {:>10.1f} {:>7.1f}% {:>14}\n", timed.name, t.median() * 1e6,
               t.minimum() * 1e6,
               fmt::format("{:.2f} to {:.2f}", t.lower_quartile() * 1e6, t.upper_quartile() * 1e6),
               gigabytes_per_second(timed.useful_bytes, t.median()), 100 * copy_share(timed),
               sectors(*timed.finished.run->trace));
  }
  fmt::print(
      "\nGB/s: bytes that the lanes request, over the median. Of copy: the time of a device-to-device copy "
      "that moves as "
      "many bytes, over the kernel's. Sectors are emulated.\n");
}

Json json_of(const gpu::Timing& timing) {
  return {{"minimum", timing.minimum()},
          {"lower_quartile", timing.lower_quartile()},
          {"median", timing.median()},
          {"upper_quartile", timing.upper_quartile()}};
}

Json json_of(Dim3 size) { return Json::array({size.x, size.y, size.z}); }

/// Null if nothing was counted.
Json json_of(const std::optional<trace::HardwareCounts>& counts) {
  if (!counts) return nullptr;
  Json object = Json::object();
  for (const trace::HardwareCountRow& row : trace::hardware_count_rows())
    if (const auto& value = (*counts)[row.count]) object[std::string(row.name)] = *value;
  if (const auto bytes = trace::l2_bytes(*counts)) object["l2_bytes"] = *bytes;
  if (const auto bytes = trace::dram_bytes(*counts)) object["dram_bytes"] = *bytes;
  return object;
}

}  // namespace

void print_times(const Measured& measured, const recordings::Recording& gpu, const TimeArguments& arguments) {
  print_table(measured.kernels, gpu, arguments);
  print_counts(measured);
}

std::string time_report(const Measured& measured, const recordings::Recording& gpu,
                        const TimeArguments& arguments) {
  Json kernels = Json::array();
  for (const Timed& timed : measured.kernels) {
    const trace::Trace& trace = *timed.finished.run->trace;
    kernels.push_back(
        {{"name", timed.name},
         {"kernel", trace.kernel},
         {"launch", {{"grid", json_of(trace.grid)}, {"block", json_of(trace.block)}}},
         {"provenance", name_of(Provenance::Measured)},
         {"seconds", json_of(timed.timing)},
         {"useful_bytes", timed.useful_bytes},
         {"gb_per_second", gigabytes_per_second(timed.useful_bytes, timed.timing.median())},
         {"copy_seconds", json_of(timed.copy)},
         {"percent_of_copy", 100 * copy_share(timed)},
         {"counters", json_of(timed.counts)},
         {"emulated", {{"sectors", sectors(trace)}, {"warp_instructions", trace.warp_instructions}}}});
  }
  Json report{{"lanescope", LANESCOPE_VERSION},
              {"gpu", gpu.gpu.name},
              {"compute_capability", gpu.gpu.compute_capability},
              {"driver", gpu.gpu.driver},
              {"cuda", gpu.gpu.cuda},
              {"l2", arguments.l2},
              {"repetitions", arguments.repetitions},
              {"kernels", std::move(kernels)}};
  if (!measured.no_counts.empty()) report["no_counters"] = measured.no_counts;
  return report.dump(2) + "\n";
}

}  // namespace lanescope::shell
