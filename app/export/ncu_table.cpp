#include "export/ncu_table.h"

#include "base/number.h"
#include "base/text.h"
#include "trace/traffic.h"

#include <algorithm>
#include <initializer_list>

#include <fmt/format.h>

namespace lanescope::exporting {
namespace {

using trace::HardwareCount;
using trace::HardwareCounts;
using trace::Space;
using trace::Totals;
using trace::Traffic;

Totals total_of(const trace::Trace& trace, Space space, std::initializer_list<Traffic> classes) {
  Totals total;
  for (const Traffic traffic : classes) total += trace::total_of(trace, space, traffic);
  return total;
}

}  // namespace

trace::HardwareCounts counts_of(const trace::Trace& trace) {
  HardwareCounts counts;
  const auto set = [&](const Totals& totals, HardwareCount requests, HardwareCount sectors) {
    counts[requests] = totals.requests;
    counts[sectors] = totals.sectors;
  };
  using enum HardwareCount;
  // The hardware counts what an asynchronous copy fetches among the loads.
  set(total_of(trace, Space::Global, {Traffic::Load, Traffic::AsyncCopy}), GlobalLoadRequests,
      GlobalLoadSectors);
  set(total_of(trace, Space::Global, {Traffic::Store}), GlobalStoreRequests, GlobalStoreSectors);
  set(total_of(trace, Space::Global, {Traffic::Atomic}), GlobalAtomicRequests, GlobalAtomicSectors);
  set(total_of(trace, Space::Global, {Traffic::Reduction}), GlobalReductionRequests, GlobalReductionSectors);
  set(total_of(trace, Space::Local, {Traffic::Load}), LocalLoadRequests, LocalLoadSectors);
  set(total_of(trace, Space::Local, {Traffic::Store}), LocalStoreRequests, LocalStoreSectors);
  counts[SharedLoadWavefronts] = total_of(trace, Space::Shared, {Traffic::Load}).wavefronts;
  counts[SharedStoreWavefronts] = total_of(trace, Space::Shared, {Traffic::Store}).wavefronts;
  // Shared memory has one kind of atomic: a reduction is one whose result is not used.
  counts[SharedAtomicWavefronts] =
      total_of(trace, Space::Shared, {Traffic::Atomic, Traffic::Reduction}).wavefronts;
  return counts;
}

std::string ncu_table(const trace::Trace& trace, std::string_view level) {
  const HardwareCounts counts = counts_of(trace);
  size_t name_width = 0;
  for (const trace::HardwareCountRow& row : trace::hardware_count_rows())
    if (counts[row.count]) name_width = std::max(name_width, row.metric.size());
  std::string text = fmt::format("counts of the {} under the names of Nsight Compute ({})\n", level,
                                 name_of(trace.provenance));
  for (const trace::HardwareCountRow& row : trace::hardware_count_rows())
    if (const auto count = counts[row.count])
      text += fmt::format("  {:<{}}  {:>14}\n", row.metric, name_width, number(Language::English, *count));
  return text;
}

}  // namespace lanescope::exporting
