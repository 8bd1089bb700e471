#include "model/device_counts.h"

#include "trace/traffic.h"

namespace lanescope::model {
namespace {

using trace::Kind;
using trace::Space;

template <class T>
T& of_kind(Kind kind, T& load, T& store, T& atomic) {
  if (kind == Kind::Load) return load;
  return kind == Kind::Store ? store : atomic;
}

}  // namespace

DeviceCounts count_for_device(const trace::Trace& trace, const Device& device) {
  DeviceCounts counts;
  counts.blocks = trace.blocks.size();
  for (const trace::StoredBlock& block : trace.blocks) {
    for (const trace::StoredAccess& stored : block.accesses) {
      const trace::WarpAccess access = view(trace, block, stored);
      const Kind kind = trace::direction_of(access.operation);
      if (access.operation.space == Space::Global) {
        of_kind(kind, counts.global_load, counts.global_store, counts.global_atomic)
            .add(access, transactions_of(access, device.compute_capability));
      } else if (access.operation.space == Space::Shared) {
        const SharedPasses passes = count_shared_passes(access, device.compute_capability);
        DeviceCounts::Shared& sum =
            of_kind(kind, counts.shared_load, counts.shared_store, counts.shared_atomic);
        sum.requests += passes.requests;
        sum.passes += passes.passes;
        sum.ideal_passes += passes.ideal;
      }
    }
  }
  return counts;
}

}  // namespace lanescope::model
