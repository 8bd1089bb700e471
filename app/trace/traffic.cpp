#include "trace/traffic.h"

namespace lanescope::trace {

Kind counted_as(const Operation& operation) {
  if (operation.kind != Kind::AsyncCopy) return operation.kind;
  return operation.space == Space::Shared ? Kind::Store : Kind::Load;
}

Totals traffic_of(const Trace& trace, Space space, Kind kind) {
  Totals sum;
  for (size_t n = 0; n < trace.totals.size(); ++n) {
    const Operation& operation = trace.sites[n].operation;
    if (operation.space == space && counted_as(operation) == kind) sum += trace.totals[n];
  }
  return sum;
}

}  // namespace lanescope::trace
