#include "export/ncu_table.h"

#include "base/number.h"
#include "base/text.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::exporting {
namespace {

using trace::HardwareCount;
using trace::HardwareCounts;
using trace::Space;
using trace::Totals;
using trace::Traffic;

}  // namespace

bool CountedTraffic::has(const trace::Operation& operation) const {
  return operation.space == space &&
         std::ranges::find(classes, trace::traffic_of(operation)) != classes.end();
}

std::span<const CountedTraffic> counted_traffic() {
  using enum HardwareCount;
  // The hardware counts what an asynchronous copy fetches among the loads, and has one kind of atomic in
  // shared memory: a reduction is one whose result is not used.
  static const std::vector<CountedTraffic> kRows{
      {GlobalLoadRequests, Space::Global, {Traffic::Load, Traffic::AsyncCopy}, &Totals::requests},
      {GlobalLoadSectors, Space::Global, {Traffic::Load, Traffic::AsyncCopy}, &Totals::sectors},
      {GlobalStoreRequests, Space::Global, {Traffic::Store}, &Totals::requests},
      {GlobalStoreSectors, Space::Global, {Traffic::Store}, &Totals::sectors},
      {GlobalAtomicRequests, Space::Global, {Traffic::Atomic}, &Totals::requests},
      {GlobalAtomicSectors, Space::Global, {Traffic::Atomic}, &Totals::sectors},
      {GlobalReductionRequests, Space::Global, {Traffic::Reduction}, &Totals::requests},
      {GlobalReductionSectors, Space::Global, {Traffic::Reduction}, &Totals::sectors},
      {LocalLoadRequests, Space::Local, {Traffic::Load}, &Totals::requests},
      {LocalLoadSectors, Space::Local, {Traffic::Load}, &Totals::sectors},
      {LocalStoreRequests, Space::Local, {Traffic::Store}, &Totals::requests},
      {LocalStoreSectors, Space::Local, {Traffic::Store}, &Totals::sectors},
      {SharedLoadWavefronts, Space::Shared, {Traffic::Load}, &Totals::wavefronts},
      {SharedStoreWavefronts, Space::Shared, {Traffic::Store}, &Totals::wavefronts},
      {SharedAtomicWavefronts, Space::Shared, {Traffic::Atomic, Traffic::Reduction}, &Totals::wavefronts}};
  return kRows;
}

HardwareCounts counts_of(const trace::Trace& trace, const std::vector<Totals>& totals) {
  HardwareCounts counts;
  for (const CountedTraffic& row : counted_traffic()) {
    Totals sum;
    for (const Traffic traffic : row.classes) sum += trace::total_of(trace, totals, row.space, traffic);
    counts[row.count] = sum.*row.total;
  }
  return counts;
}

HardwareCounts counts_of(const trace::Trace& trace) { return counts_of(trace, trace.totals); }

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
