#include "emulator/checks/cluster_shadow.h"

#include "emulator/checks/checker.h"

namespace lanescope::emulator {

uint32_t ClusterShadow::join(Checker& checker) {
  checkers_.push_back(&checker);
  granules_.emplace_back();
  return static_cast<uint32_t>(checkers_.size() - 1);
}

void ClusterShadow::meet() {
  ++epoch_;
  for (Checker* const checker : checkers_) checker->begin_epoch();
}

bool ClusterShadow::was_written(uint32_t rank, uint64_t granule) const {
  const auto found = granules_[rank].find(granule);
  return found != granules_[rank].end() && found->second.was_written;
}

}  // namespace lanescope::emulator
