#include "emulator/checks/lane_sets.h"

#include "base/lane_mask.h"

namespace lanescope::emulator {
namespace {

constexpr size_t kMostSets = 1024;  // kernels have about ten, unless the active lanes depend on data

}  // namespace

const LaneSets::Parts& LaneSets::parts_of(size_t instruction, const WarpLanes& lanes,
                                          trace::BatchOrder order) {
  std::unique_ptr<Known>& known = known_[instruction];
  if (known != nullptr && known->lanes == lanes) return known->parts;
  if (known == nullptr) known = std::make_unique<Known>();
  known->lanes = lanes;
  for (uint32_t n = 0; n < order.blocks; ++n) {
    WarpLanes part{};
    for (uint32_t warp = 0; warp < order.warps_among(SpreadNumbers::kMostWarps, n); ++warp)
      part[warp] = lanes[order.number_of(n, warp)];
    known->parts[n] = find(part);
  }
  return known->parts;
}

const LaneSet* LaneSets::find(const WarpLanes& lanes) {
  if (const auto known = all_.find(lanes); known != all_.end()) return &known->second;
  if (all_.size() == kMostSets) return nullptr;
  LaneSet made{.lanes = lanes, .number = static_cast<uint32_t>(all_.size()) + 1, .is_full = true};
  for (uint32_t warp = 0; warp < lanes.size(); ++warp)
    if (lanes[warp] != 0) made.warps = warp + 1;
  for (uint32_t warp = 0; warp < made.warps; ++warp)
    made.is_full = made.is_full && lanes[warp] == kAllLanes.bits;
  return &all_.emplace(lanes, made).first->second;
}

}  // namespace lanescope::emulator
