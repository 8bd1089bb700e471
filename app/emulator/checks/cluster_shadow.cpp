#include "emulator/checks/cluster_shadow.h"

namespace lanescope::emulator {

uint32_t ClusterShadow::join(const AccessLog& log, SharedShadow& shared) {
  members_.push_back({.log = &log, .shared = &shared, .epoch_birth = log.next()});
  granules_.emplace_back();
  return static_cast<uint32_t>(members_.size() - 1);
}

void ClusterShadow::meet() {
  ++epoch_;
  for (Member& member : members_) member.epoch_birth = member.log->next();
}

bool ClusterShadow::was_written(uint32_t rank, uint64_t granule) const {
  const auto found = granules_[rank].find(granule);
  return found != granules_[rank].end() && found->second.was_written;
}

}  // namespace lanescope::emulator
