#include "model/bound.h"

#include "model/partitions.h"
#include "model/transactions.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::model {

Result<TimingReport> bound_memory(const trace::Trace& trace, const Device& device) {
  if (!device.memory_bytes_per_second)
    return fail(ErrorKind::Unsupported,
                fmt::format("{} has no [memory] in its file, so there is no bound; try --device gt200",
                            device.title));
  TimingReport report;
  report.blocks = trace.blocks.size();
  report.blocks_missing = volume(trace.grid) - std::min<uint64_t>(volume(trace.grid), report.blocks);
  report.blocks_in_flight = blocks_in_flight(trace, device);
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
  return report;
}

}  // namespace lanescope::model
