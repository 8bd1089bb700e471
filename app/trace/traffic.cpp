#include "trace/traffic.h"

namespace lanescope::trace {

std::string_view name_of(Traffic traffic) {
  switch (traffic) {
    case Traffic::Load:
      return "load";
    case Traffic::Store:
      return "store";
    case Traffic::Atomic:
      return "atomic";
    case Traffic::Reduction:
      return "reduction";
    case Traffic::AsyncCopy:
      return "async_copy";
    case Traffic::BulkLoad:
      return "bulk_load";
    case Traffic::BulkStore:
      return "bulk_store";
    case Traffic::BulkReduce:
      return "bulk_reduce";
    case Traffic::TensorLoad:
      return "tensor_load";
  }
  return "unknown";
}

Traffic traffic_of(const Operation& operation) {
  const bool is_bulk = operation.detail == Detail::Bulk;
  switch (operation.kind) {
    case Kind::Load:
      if (operation.detail == Detail::Tensor) return Traffic::TensorLoad;
      return is_bulk ? Traffic::BulkLoad : Traffic::Load;
    case Kind::Store:
      return is_bulk ? Traffic::BulkStore : Traffic::Store;
    case Kind::Atomic:
      return Traffic::Atomic;
    case Kind::Reduction:
      return is_bulk ? Traffic::BulkReduce : Traffic::Reduction;
    case Kind::AsyncCopy:
      break;
  }
  return Traffic::AsyncCopy;
}

Totals total_of(const Trace& trace, Space space, Traffic traffic) {
  return total_of(trace, trace.totals, space, traffic);
}

Totals total_of(const Trace& trace, const std::vector<Totals>& totals, Space space, Traffic traffic) {
  Totals sum;
  for (size_t n = 0; n < totals.size(); ++n) {
    const Operation& operation = trace.sites[n].operation;
    if (operation.space == space && traffic_of(operation) == traffic) sum += totals[n];
  }
  return sum;
}

Kind direction_of(const Operation& operation) {
  if (operation.kind != Kind::AsyncCopy) return operation.kind;
  return operation.space == Space::Shared ? Kind::Store : Kind::Load;
}

}  // namespace lanescope::trace
