#include "emulator/checks/block_order.h"

#include <algorithm>

namespace lanescope::emulator {
namespace {

// More synchronization addresses than this in one block are treated as one address.
constexpr size_t kMaximumPlaces = 4096;

}  // namespace

BlockOrder::BlockOrder(uint32_t warps)
    : warps_(warps), seen_(size_t{warps} * warps), lanes_(warps), fence_(warps) {}

void BlockOrder::begin(uint32_t now) {
  pass_all(now);
  std::ranges::fill(seen_, 0u);
  std::ranges::fill(fence_, 0u);
  has_fences_ = false;
  for (Clock& clock : arrived_) clock.clear();
  released_.clear();
}

void BlockOrder::pass_all(uint32_t now) {
  all_ = now;
  std::ranges::fill(lanes_, now);
}

/// Adds to the clock what happened before `now` for `warp`, and the accesses of `warp` itself.
void BlockOrder::join(Clock& clock, uint32_t warp, uint32_t now) const {
  clock.resize(warps_);
  for (uint32_t other = 0; other < warps_; ++other)
    clock[other] = std::max(clock[other], other == warp ? now : known(warp, other));
}

void BlockOrder::arrive(uint32_t barrier, uint32_t warp, uint32_t now) { join(arrived_[barrier], warp, now); }

void BlockOrder::pass(uint32_t barrier, std::span<const uint32_t> warps, uint32_t now) {
  Clock& clock = arrived_[barrier];
  for (const uint32_t warp : warps) join(clock, warp, now);
  for (const uint32_t warp : warps) {
    lanes_[warp] = now;
    for (uint32_t other = 0; other < warps_; ++other) {
      uint32_t& seen = seen_[warp * warps_ + other];
      seen = std::max(seen, clock[other]);
    }
  }
  clock.clear();
}

void BlockOrder::release(uint64_t place, uint32_t warp, uint32_t now, bool is_fence) {
  // The last fence of this warp, or a fence that happened before this release.
  uint32_t fence = is_fence ? now : fence_[warp];
  for (uint32_t other = 0; other < warps_; ++other)
    if (fence_[other] <= known(warp, other)) fence = std::max(fence, fence_[other]);
  if (fence == 0) return;
  if (released_.size() >= kMaximumPlaces && !released_.contains(place)) place = 0;
  Clock& clock = released_[place];
  clock.resize(warps_);
  for (uint32_t other = 0; other < warps_; ++other)
    clock[other] = std::max(clock[other], std::min(other == warp ? now : known(warp, other), fence));
}

void BlockOrder::acquire(uint64_t place, uint32_t warp) {
  for (const uint64_t where : {place, uint64_t{0}}) {
    const auto found = released_.find(where);
    if (found == released_.end()) continue;
    lanes_[warp] = std::max(lanes_[warp], found->second[warp]);
    for (uint32_t other = 0; other < warps_; ++other) {
      uint32_t& seen = seen_[warp * warps_ + other];
      seen = std::max(seen, found->second[other]);
    }
  }
}

}  // namespace lanescope::emulator
