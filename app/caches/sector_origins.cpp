#include "caches/sector_origins.h"

#include <algorithm>
#include <limits>

namespace lanescope::caches {

SectorOrigins::SectorOrigins(double sectors_per_block, uint64_t budget_bytes) {
  const double bytes = std::max(sectors_per_block, 1.0) * sizeof(SectorOrigin);
  const double blocks = static_cast<double>(budget_bytes) / bytes;
  constexpr auto kMost = static_cast<double>(std::numeric_limits<uint32_t>::max());
  blocks_limit_ = static_cast<uint32_t>(std::clamp(blocks, 1.0, kMost));
}

void SectorOrigins::begin_request(CtaId cta, uint32_t warp) {
  if (cta.value >= blocks_limit_) return;
  if (cta.value >= blocks_.size()) blocks_.resize(size_t{cta.value} + 1);
  std::vector<Warp>& warps = blocks_[cta.value];
  if (warp >= warps.size()) warps.resize(size_t{warp} + 1);
  warps[warp].first.push_back(static_cast<uint32_t>(warps[warp].sectors.size()));
}

void SectorOrigins::add(CtaId cta, uint32_t warp, const SectorOrigin& origin) {
  if (cta.value < blocks_limit_) blocks_[cta.value][warp].sectors.push_back(origin);
}

std::span<const SectorOrigin> SectorOrigins::of(CtaId cta, uint32_t warp, size_t request) const {
  if (cta.value >= blocks_.size() || warp >= blocks_[cta.value].size()) return {};
  const Warp& kept = blocks_[cta.value][warp];
  if (request >= kept.first.size()) return {};
  const size_t first = kept.first[request];
  const size_t end = request + 1 < kept.first.size() ? kept.first[request + 1] : kept.sectors.size();
  return {kept.sectors.data() + first, end - first};
}

}  // namespace lanescope::caches
