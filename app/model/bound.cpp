#include "model/bound.h"

#include "model/residency.h"
#include "model/sectors.h"
#include "model/transactions.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace lanescope::model {

namespace {

constexpr double kLinesOfTagCycle = 4;  // at best: caches/l1_stages.h

}  // namespace

std::string_view name_of(Level level) {
  static constexpr std::array<std::string_view, kLevels> kNames{"memory",  "l2", "lines",     "shared_memory",
                                                                "latency", "l1", "arithmetic"};
  return kNames[static_cast<size_t>(level)];
}

Work Work::times(double factor) const {
  Work more = *this;
  for (double* const amount : {&more.memory_bytes, &more.l2_bytes, &more.path_lines, &more.l1_tags,
                               &more.l1_wavefronts, &more.wavefronts, &more.blocks, &more.warp_cycles,
                               &more.fp16, &more.fp32, &more.fp64, &more.tensor, &more.tensor8})
    *amount *= factor;
  return more;
}

void add_operations(Work& work, const trace::Operations& operations) {
  work.fp16 += static_cast<double>(operations.fp16);
  work.fp32 += static_cast<double>(operations.fp32);
  work.fp64 += static_cast<double>(operations.fp64);
  work.tensor += static_cast<double>(operations.tensor);
  work.tensor8 += static_cast<double>(operations.tensor8);
}

Work work_of(const trace::Trace& trace, const Device& device) {
  Work work;
  add_operations(work, trace.operations);
  work.blocks = static_cast<double>(volume(trace.grid));
  work.blocks_in_flight = residency_of(trace, device).in_flight;
  for (size_t n = 0; n < trace.totals.size(); ++n) {
    const trace::Totals& totals = trace.totals[n];
    if (trace.sites[n].operation.space == trace::Space::Shared) {
      work.wavefronts += static_cast<double>(totals.wavefronts);
    } else if (trace.sites[n].operation.space == trace::Space::Global) {
      work.memory_bytes += static_cast<double>(totals.bytes);
      work.l2_bytes += static_cast<double>(kSectorBytes * totals.sectors);
      work.path_lines += static_cast<double>(totals.lines);
      work.l1_tags += static_cast<double>(totals.lines) / kLinesOfTagCycle;
    }
  }
  return work;
}

Device as_profiled(const Device& device) {
  Device profiled = device;
  if (!profiled.bound || profiled.bound->kernel_start_seconds == 0) return profiled;
  profiled.bound->start_seconds = device.bound->kernel_start_seconds;
  profiled.bound->lines_per_second = device.bound->most_lines_per_second;
  profiled.bound->l2_bytes_per_second = device.bound->most_l2_bytes_per_second;
  return profiled;
}

Result<BoundTerms> bound_of(const Work& work, const Device& device) {
  if (!device.bound || !device.memory_bytes_per_second)
    return fail(ErrorKind::Unsupported,
                fmt::format("{} has no bound: its file has no [bound]; try --device h200", device.title));
  const BoundParameters& rates = *device.bound;
  // Those that have a block.
  const double multiprocessors =
      work.blocks == 0 ? device.multiprocessors : std::min<double>(work.blocks, device.multiprocessors);
  const double waves = work.blocks_in_flight == 0 ? 0 : std::ceil(work.blocks / work.blocks_in_flight);
  BoundTerms terms;
  terms.start_seconds = rates.start_seconds;
  const auto set = [&](Level level, double seconds) {
    terms.level_seconds[static_cast<size_t>(level)] = seconds;
  };
  set(Level::Memory, work.memory_bytes / (*device.memory_bytes_per_second * rates.memory_share));
  set(Level::L2, work.l2_bytes / rates.l2_bytes_per_second);
  set(Level::Lines, work.path_lines / rates.lines_per_second);
  // The data stage serves the L1 and shared memory by turns: its time is that of the one that needs it
  // longer.
  const double both = work.wavefronts + work.l1_wavefronts;
  const bool is_shared = work.wavefronts > work.l1_wavefronts;
  set(Level::SharedMemory, (is_shared ? both : work.wavefronts) / multiprocessors / rates.clock_hertz);
  set(Level::L1,
      std::max(work.l1_tags, is_shared ? work.l1_wavefronts : both) / multiprocessors / rates.clock_hertz);
  // The pipes work side by side; the tensor cores take both kinds of elements one after the other.
  const auto cycles = [](double operations, double rate) { return rate == 0 ? 0 : operations / rate; };
  const double longest =
      std::max({cycles(work.fp16, rates.fp16_per_cycle), cycles(work.fp32, rates.fp32_per_cycle),
                cycles(work.fp64, rates.fp64_per_cycle),
                cycles(work.tensor, rates.tensor_per_cycle) + cycles(work.tensor8, rates.tensor8_per_cycle)});
  set(Level::Arithmetic, longest / multiprocessors / rates.clock_hertz);
  const double waiting =
      std::max(work.warp_cycles / (multiprocessors * work.resident_warps), work.longest_warp_cycles);
  set(Level::Latency, std::max(waves * rates.latency_cycles, waiting) / rates.clock_hertz);
  terms.limit =
      static_cast<Level>(std::ranges::max_element(terms.level_seconds) - terms.level_seconds.begin());
  return terms;
}

Result<TimingReport> bound_memory(const trace::Trace& trace, const Device& device, const Work& work) {
  if (!device.memory_bytes_per_second)
    return fail(ErrorKind::Unsupported,
                fmt::format("{} has no [memory] in its file, so there is no bound; try --device gt200",
                            device.title));
  TimingReport report;
  report.blocks = trace.blocks.size();
  report.blocks_missing = volume(trace.grid) - std::min<uint64_t>(volume(trace.grid), report.blocks);
  report.blocks_in_flight = residency_of(trace, device).in_flight;
  TransactionTotals totals;
  for (const trace::StoredBlock& block : trace.blocks) {
    for (const trace::StoredAccess& stored : block.accesses) {
      const trace::WarpAccess access = view(trace, block, stored);
      if (access.operation.space != trace::Space::Global) continue;
      totals.add(access, transactions_of(access, device.compute_capability));
    }
  }
  report.useful_bytes = totals.bytes_used;
  report.transactions = totals.transactions;
  report.bytes_moved = totals.bytes_moved;
  report.seconds = static_cast<double>(totals.bytes_moved) / *device.memory_bytes_per_second;
  if (device.bound) {
    TRY(const BoundTerms terms, bound_of(work, device));
    report.seconds = terms.seconds();
    // The bound is for the whole grid, however many of its blocks are stored.
    report.useful_bytes = static_cast<uint64_t>(work_of(trace, device).memory_bytes);
  }
  return report;
}

}  // namespace lanescope::model
