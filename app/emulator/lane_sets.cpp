#include "emulator/lane_sets.h"

#include "base/lane_mask.h"

#include <xxhash.h>

namespace lanescope::emulator {
namespace {

constexpr size_t kMostSets = 1024;  // kernels have some ten, unless their data say who takes part

}  // namespace

const LaneSets::Parts& LaneSets::parts_of(size_t instruction, const WarpLanes& lanes, uint32_t blocks) {
  std::unique_ptr<Known>& known = known_[instruction];
  if (known != nullptr && known->lanes == lanes) return known->parts;
  if (known == nullptr) known = std::make_unique<Known>();
  known->lanes = lanes;
  for (uint32_t n = 0; n < blocks; ++n) {
    WarpLanes part{};
    for (uint32_t at = n, warp = 0; at < lanes.size(); at += blocks, ++warp) part[warp] = lanes[at];
    known->parts[n] = find(part);
  }
  return known->parts;
}

const LaneSet* LaneSets::find(const WarpLanes& lanes) {
  const uint64_t hash = XXH3_64bits(lanes.data(), sizeof lanes);
  for (auto [at, end] = by_hash_.equal_range(hash); at != end; ++at)
    if (at->second->lanes == lanes) return at->second;
  if (all_.size() == kMostSets) return nullptr;
  auto made = std::make_unique<LaneSet>();
  made->lanes = lanes;
  made->number = static_cast<uint32_t>(all_.size()) + 1;
  made->is_full = true;
  for (uint32_t warp = 0; warp < lanes.size(); ++warp)
    if (lanes[warp] != 0) made->warps = warp + 1;
  for (uint32_t warp = 0; warp < made->warps; ++warp)
    made->is_full = made->is_full && lanes[warp] == kAllLanes.bits;
  all_.push_back(std::move(made));
  by_hash_.emplace(hash, all_.back().get());
  return all_.back().get();
}

}  // namespace lanescope::emulator
