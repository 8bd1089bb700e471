#include "driver/server/launch_caches.h"

#include "base/number.h"
#include "base/time_text.h"
#include "caches/known_devices.h"
#include "caches/savings.h"
#include "caches/simulate.h"
#include "export/columns.h"
#include "model/sectors.h"
#include "plot/wording.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lanescope::driver {
namespace {

constexpr double kPercent = 100;

/// "line 28: 1.90 times faster without the bank conflicts of its ld.shared"
std::string gain_sentence(const caches::Saving& saving, const model::BoundTerms& bound) {
  const trace::Site& site = *saving.site;
  const bool has_line = site.source.line != 0;
  return fmt::format("{} {}: {:.2f} times faster without the {} of its {}", has_line ? "line" : "PTX line",
                     has_line ? site.source.line : site.ptx_line, saving.factor(bound),
                     site.operation.space == trace::Space::Shared ? "bank conflicts" : "excess sectors",
                     plot::operation_name(site.operation));
}

double megabytes(uint64_t sectors) {
  constexpr double kBytes = 1e6;
  return static_cast<double>(sectors) * model::kSectorBytes / kBytes;
}

std::string hit_text(const LaunchCaches& counts) {
  if (counts.sectors == 0) return "-";
  return fmt::format("{:.1f} %",
                     kPercent * static_cast<double>(counts.l1_hits) / static_cast<double>(counts.sectors));
}

/// "12.5 MB", or the band: "11.20 to 14.01 MB".
std::string dram_text(const LaunchCaches& counts) {
  if (!counts.is_whole) return "?";
  if (!caches::is_band(counts.dram_read_low, counts.dram_read, counts.dram_read_high))
    return fmt::format("{:.2f} MB", megabytes(counts.dram_read));
  return fmt::format("{:.2f} to {:.2f} MB", megabytes(counts.dram_read_low),
                     megabytes(counts.dram_read_high));
}

}  // namespace

LaunchCaches launch_caches_of(const trace::Trace& trace, const caches::CacheReport& report,
                              const model::Device& device) {
  LaunchCaches counts{.sectors = report.global_loads.sectors,
                      .l1_hits = report.global_loads.hits,
                      .l2_to_l1 = report.l2_to_l1,
                      .l1_to_l2 = report.l1_to_l2,
                      .is_whole = report.is_whole(),
                      .rules = caches::origin_of_rules(device)};
  if (counts.is_whole) {
    counts.dram_read = report.l2.dram_read;
    counts.dram_read_low = report.dram_read_low;
    counts.dram_read_high = report.dram_read_high;
    counts.dram_written = report.l2.dram_written;
  }
  const auto savings = caches::savings_of(trace, report, device);
  if (!savings) return counts;
  counts.least_seconds = savings->bound.seconds();
  counts.limit = model::name_of(savings->bound.limit);
  if (savings->under_way) counts.gains.push_back(caches::sentence_of(*savings->under_way, savings->bound));
  for (const caches::Saving& saving : savings->lines)
    if (saving.is_gain(savings->bound)) counts.gains.push_back(gain_sentence(saving, savings->bound));
  return counts;
}

trace::SinkStage& CachedLaunch::stage(const trace::Trace& header) {
  return streams_.emplace(caches::block_order_of(header, device_, {}),
                          model::warps_of(model::needs_of(header)));
}

Result<std::optional<LaunchCaches>> CachedLaunch::counts(const trace::Trace& trace,
                                                         const std::stop_token& stop) {
  if (!streams_ || !trace.is_complete) return std::nullopt;
  TRY(const caches::CacheReport report,
      caches::simulate(streams_->take(), trace, device_, {.stop = stop, .memory = l2_}));
  return launch_caches_of(trace, report, device_);
}

nlohmann::json to_json(const LaunchCaches& counts) {
  nlohmann::json json{{"provenance", "modelled"},
                      {"loaded_sectors", counts.sectors},
                      {"l1_hits", counts.l1_hits},
                      {"l2_to_l1_sectors", counts.l2_to_l1},
                      {"l1_to_l2_sectors", counts.l1_to_l2},
                      {"complete", counts.is_whole}};
  if (counts.is_whole)
    json.update({{"dram_read_sectors", counts.dram_read},
                 {"dram_read_sectors_low", counts.dram_read_low},
                 {"dram_read_sectors_high", counts.dram_read_high},
                 {"dram_written_sectors", counts.dram_written}});
  if (counts.least_seconds) json["least_seconds"] = *counts.least_seconds;
  if (!counts.limit.empty()) json["limit"] = counts.limit;
  if (!counts.gains.empty()) json["gains"] = counts.gains;
  return json;
}

void add(LaunchCaches& sum, const LaunchCaches& one) {
  const bool is_first = sum == LaunchCaches{};
  sum.sectors += one.sectors;
  sum.l1_hits += one.l1_hits;
  sum.l2_to_l1 += one.l2_to_l1;
  sum.l1_to_l2 += one.l1_to_l2;
  sum.dram_read += one.dram_read;
  sum.dram_read_low += one.dram_read_low;
  sum.dram_read_high += one.dram_read_high;
  sum.dram_written += one.dram_written;
  sum.is_whole = one.is_whole && (is_first || sum.is_whole);
  if (one.least_seconds) sum.least_seconds = sum.least_seconds.value_or(0) + *one.least_seconds;
  if (!is_first) return;
  sum.rules = one.rules;
  sum.limit = one.limit;
  sum.gains = one.gains;
}

std::string cache_table_of(const std::vector<KernelCaches>& kernels) {
  if (kernels.empty()) return {};
  std::vector<const KernelCaches*> slowest;
  double total = 0;
  for (const KernelCaches& kernel : kernels) {
    slowest.push_back(&kernel);
    total += kernel.counts.least_seconds.value_or(0);
  }
  std::ranges::stable_sort(slowest, std::ranges::greater(), [](const KernelCaches* kernel) {
    return kernel->counts.least_seconds.value_or(0);
  });
  using exporting::Align;
  exporting::Columns columns({Align::Left, Align::Right, Align::Right, Align::Right, Align::Right,
                              Align::Right, Align::Right, Align::Right, Align::Left});
  columns.add({"kernel", "launches", "L1 hits", "L2 to L1", "L1 to L2", "DRAM reads", "time at least",
               "share", "decided by"});
  for (const KernelCaches* kernel : slowest) {
    const LaunchCaches& counts = kernel->counts;
    const double seconds = counts.least_seconds.value_or(0);
    columns.add(
        {kernel->kernel, fmt::format("{}", kernel->launches), hit_text(counts),
         fmt::format("{:.2f} MB", megabytes(counts.l2_to_l1)),
         fmt::format("{:.2f} MB", megabytes(counts.l1_to_l2)), dram_text(counts),
         counts.least_seconds ? time_text(seconds) : "?",
         counts.least_seconds && total > 0 ? fmt::format("{:.0f} %", kPercent * seconds / total) : "-",
         counts.limit.empty() ? "-" : counts.limit});
  }
  std::string text =
      fmt::format("\ncaches and time (MODEL, {}):\n{}", kernels.front().counts.rules, columns.text());
  if (std::ranges::any_of(kernels, [](const KernelCaches& kernel) { return !kernel.counts.is_whole; }))
    text +=
        "?: a launch is so large that the caches of some multiprocessors alone were modelled: the sectors "
        "are "
        "theirs, the time takes the others to be like them, and what the DRAM reads needs all\n";
  constexpr size_t kMost = 3;
  for (const KernelCaches* kernel : slowest)
    for (size_t n = 0; n < std::min(kMost, kernel->counts.gains.size()); ++n)
      text += fmt::format("{}: {}\n", kernel->kernel, kernel->counts.gains[n]);
  return text;
}

}  // namespace lanescope::driver
