#include "caches/savings.h"

#include "caches/latencies.h"
#include "caches/line_accesses.h"
#include "caches/packets.h"
#include "caches/sector_mask.h"
#include "model/residency.h"
#include "trace/traffic.h"

#include <algorithm>
#include <type_traits>

#include <fmt/format.h>

namespace lanescope::caches {
namespace {

bool has_excess(const LineAccesses& line) {
  if (line.site->operation.space == trace::Space::Shared)
    return line.totals.wavefronts > line.totals.ideal_wavefronts;
  const trace::Kind kind = trace::direction_of(line.site->operation);
  const bool is_update = kind == trace::Kind::Atomic || kind == trace::Kind::Reduction;
  return !is_update && line.caches.l1.requests != 0 && line.totals.sectors > line.totals.ideal_sectors;
}

/// Lines of a sector each that take as long on the path to the L2 as `packets`.
double lines_of_packets(double packets) { return packets / static_cast<double>(packets_of_store(1, false)); }
double bytes_of_packets(double packets) { return packets * kBytesOfLoadPacket; }

double positive(uint64_t amount, uint64_t ideal) {
  return amount > ideal ? static_cast<double>(amount - ideal) : 0;
}

/// Work that ideal accesses of the line would spare.
model::Work excess_of(const LineAccesses& line) {
  model::Work excess;
  if (line.site->operation.space == trace::Space::Shared) {
    excess.wavefronts = positive(line.totals.wavefronts, line.totals.ideal_wavefronts);
    return excess;
  }
  const uint64_t ideal = line.totals.ideal_sectors;
  const uint64_t ideal_lines = (ideal + kSectorsOfLine - 1) / kSectorsOfLine;
  const bool loads = trace::direction_of(line.site->operation) == trace::Kind::Load;
  if (loads) {
    excess.l2_bytes = bytes_of_packets(positive(line.caches.packets_from_l2, (ideal + 1) / 2));
  } else {
    excess.path_lines = lines_of_packets(positive(line.caches.packets_to_l2, ideal));
  }
  // A request takes a cycle at least, and each stage has 128 bytes a cycle or more.
  const uint64_t ideal_cycles = std::max(line.caches.l1.requests, ideal_lines);
  excess.l1_tags = positive(line.caches.l1.tag_cycles, ideal_cycles);
  excess.l1_wavefronts = positive(line.caches.l1.data_cycles, ideal_cycles);
  excess.memory_bytes = positive(line.caches.from_dram, ideal) * kSectorBytes;
  return excess;
}

model::Work without(const model::Work& work, const model::Work& excess) {
  model::Work less = work;
  less.memory_bytes -= excess.memory_bytes;
  less.l2_bytes -= excess.l2_bytes;
  less.path_lines -= excess.path_lines;
  less.l1_tags -= excess.l1_tags;
  less.l1_wavefronts -= excess.l1_wavefronts;
  less.wavefronts -= excess.wavefronts;
  return less;
}

/// nullopt: another level than the loads' latency decides, or the launch takes less time than its start.
Result<std::optional<UnderWay>> under_way_of(const model::Work& work, const CacheReport& report,
                                             const model::BoundTerms& bound, const model::Device& device) {
  model::Work hidden = work;
  hidden.warp_cycles = hidden.longest_warp_cycles = 0;
  TRY(const model::BoundTerms terms, model::bound_of(hidden, device));
  const UnderWay all{.enough = {nullptr, terms}};
  const double waiting = bound.level_seconds[static_cast<size_t>(model::Level::Latency)];
  const bool is_short = waiting < bound.start_seconds;
  if (bound.limit != model::Level::Latency || is_short || !all.enough.is_gain(bound)) return std::nullopt;
  const double multiprocessors = std::min<double>(work.blocks, device.multiprocessors);
  const double cycles = waiting * device.bound->clock_hertz;
  const double rate =
      *device.memory_bytes_per_second * device.bound->memory_share / device.bound->clock_hertz;
  return UnderWay{.bytes = report.byte_cycles / cycles / multiprocessors,
                  .needed = rate * kDramLatency / device.multiprocessors,
                  .enough = all.enough};
}

/// How many times as many requests the launch makes as were modelled; of none: blocks.
double factor_of_launch(const trace::Trace& trace, const CacheReport& report) {
  uint64_t all = 0, modelled = 0;
  for (size_t site = 0; site < trace.sites.size(); ++site) {
    if (report.sites[site].l1.requests == 0) continue;
    all += trace.totals[site].requests;
    modelled += report.sites[site].l1.requests;
  }
  if (modelled != 0) return static_cast<double>(all) / static_cast<double>(modelled);
  return static_cast<double>(report.all_blocks) / static_cast<double>(report.blocks);
}

}  // namespace

std::string sentence_of(const UnderWay& under_way, const model::BoundTerms& bound) {
  return fmt::format(
      "loads of {:.1f} KiB are under way on a multiprocessor, the DRAM's rate needs {:.1f}: with enough "
      "{:.2f} "
      "times faster",
      under_way.kib(), under_way.needed_kib(), under_way.enough.factor(bound));
}

CacheReport of_whole_launch(const trace::Trace& trace, const CacheReport& report) {
  CacheReport whole = report;
  if (report.is_whole()) return whole;
  const double factor = factor_of_launch(trace, report);
  const auto grow = [&](auto& amount) {
    amount = static_cast<std::remove_reference_t<decltype(amount)>>(static_cast<double>(amount) * factor);
  };
  for (double* const cycles : {&whole.warp_cycles, &whole.byte_cycles}) grow(*cycles);
  for (uint64_t* const sectors : {&whole.l2_to_l1, &whole.l1_to_l2}) grow(*sectors);
  for (SiteCaches& site : whole.sites) {
    site.from_l2 += site.from_dram;
    for (uint64_t* const amount :
         {&site.l1.requests, &site.l1.tag_cycles, &site.l1.data_cycles, &site.l1.sectors, &site.l1.hits,
          &site.from_l2, &site.packets_to_l2, &site.packets_from_l2})
      grow(*amount);
    site.from_l2 -= site.from_dram;
  }
  return whole;
}

model::Work demand_of(const trace::Trace& trace, const CacheReport& report, const model::Device& device) {
  model::Work work;
  model::add_operations(work, trace.operations);
  work.blocks = static_cast<double>(volume(trace.grid));
  const model::Residency residency = model::residency_of(trace, device);
  work.blocks_in_flight = residency.in_flight;
  work.warp_cycles = report.warp_cycles;
  work.longest_warp_cycles = report.longest_warp_cycles;
  work.resident_warps = residency.per_multiprocessor * model::warps_of(model::needs_of(trace));
  work.memory_bytes = static_cast<double>((report.l2.dram_read + report.l2.dram_written) * kSectorBytes);
  for (const trace::Site& site : trace.sites) {
    const SiteCaches& counts = report.sites[site.id.value];
    work.l2_bytes += bytes_of_packets(static_cast<double>(counts.packets_from_l2));
    work.path_lines += lines_of_packets(static_cast<double>(counts.packets_to_l2));
    work.l1_tags += static_cast<double>(counts.l1.tag_cycles);
    work.l1_wavefronts += static_cast<double>(counts.l1.data_cycles);
    if (site.operation.space == trace::Space::Shared)
      work.wavefronts += static_cast<double>(trace.totals[site.id.value].wavefronts);
  }
  return work;
}

Result<Savings> savings_of(const trace::Trace& trace, const CacheReport& modelled,
                           const model::Device& of_launches) {
  const model::Device device = model::as_profiled(of_launches);
  if (!modelled.is_whole() && modelled.blocks == 0)
    return fail(ErrorKind::Unsupported,
                "the time is not known: the requests of one block are more than there is room for "
                "(--cache-memory)");
  const CacheReport report = of_whole_launch(trace, modelled);
  const model::Work work = demand_of(trace, report, device);
  Savings savings;
  savings.modelled_blocks = modelled.blocks;
  TRY(savings.bound, model::bound_of(work, device));
  if (!modelled.is_whole()) {
    model::Work most = work;
    most.memory_bytes *= factor_of_launch(trace, modelled);
    TRY(savings.without_sharing, model::bound_of(most, device));
  }
  TRY(savings.under_way, under_way_of(work, report, savings.bound, device));
  if (work.blocks < device.multiprocessors) {
    model::Work spread = work;
    spread.blocks = device.multiprocessors;
    TRY(const model::BoundTerms terms, model::bound_of(spread, device));
    savings.with_all_multiprocessors = Saving{nullptr, terms};
  }
  model::Work without_all = work;
  for (const LineAccesses& line : line_accesses(trace, report)) {
    if (!has_excess(line)) continue;
    const model::Work excess = excess_of(line);
    without_all = without(without_all, excess);
    TRY(const model::BoundTerms terms, model::bound_of(without(work, excess), device));
    savings.lines.push_back({line.site, terms});
  }
  std::ranges::stable_sort(savings.lines, {}, [](const Saving& saving) { return saving.without.seconds(); });
  if (savings.lines.size() > 1) {
    TRY(const model::BoundTerms terms, model::bound_of(without_all, device));
    savings.all = Saving{nullptr, terms};
  }
  return savings;
}

}  // namespace lanescope::caches
