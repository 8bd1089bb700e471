// The happened-before order of the accesses within a block. Method: vector clocks, one per warp, whose unit
// is the number of the block's next access; a barrier of all warps is one number for all. Fences, and atomic
// or volatile accesses to one address, order what was done before the fence. Where CUDA guarantees less than
// this file assumes, it assumes the order: better a race that is not found than a false alarm. Source:
// Flanagan and Freund, "FastTrack: Efficient and Precise Dynamic Race Detection", PLDI 2009; PTX ISA, "Memory
// Consistency Model". Tests: tests/unit/emulator/race_test.cpp

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace lanescope::emulator {

class BlockOrder {
 public:
  explicit BlockOrder(uint32_t warps);

  /// Begins a block: accesses with lower numbers than `now` are past for all warps.
  void begin(uint32_t now);

  /// All running warps pass a barrier.
  void pass_all(uint32_t now);
  /// Passes barrier `barrier` for these warps: each is ordered after the accesses of all of them, and of
  /// warps that arrived without waiting.
  void pass(uint32_t barrier, std::span<const uint32_t> warps, uint32_t now);
  void arrive(uint32_t barrier, uint32_t warp, uint32_t now);
  /// Orders the lanes of a warp: __syncwarp() and instructions with its effect. The member mask is ignored.
  void meet_lanes(uint32_t warp, uint32_t now) { lanes_[warp] = now; }

  void fence(uint32_t warp, uint32_t now) {
    fence_[warp] = now;
    has_fences_ = true;
  }
  bool has_fences() const { return has_fences_; }
  bool has_releases() const { return !released_.empty(); }
  /// Notes a write that other warps may wait for: they are then ordered after what happened before a fence.
  /// `is_fence`: the write itself is a fence.
  void release(uint64_t place, uint32_t warp, uint32_t now, bool is_fence);
  /// Orders `warp` after releases at `place`, whose writes its read may have seen.
  void acquire(uint64_t place, uint32_t warp);

  /// True if access `number` of warp `other` is known to have happened before what `warp` does now. If both
  /// are one warp: an access of another of its lanes.
  bool is_past(uint32_t number, uint32_t other, uint32_t warp) const {
    return number < (other == warp ? lanes_[warp] : known(warp, other));
  }
  /// Numbers below these are past: for all warps, and among the lanes of one warp.
  uint32_t met_all() const { return all_; }
  uint32_t met_lanes(uint32_t warp) const { return lanes_[warp]; }

 private:
  static constexpr uint32_t kBarriers = 16;
  using Clock = std::vector<uint32_t>;  // [warp]

  uint32_t known(uint32_t warp, uint32_t other) const {
    const uint32_t seen = seen_[warp * warps_ + other];
    return seen < all_ ? all_ : seen;
  }
  void join(Clock& clock, uint32_t warp, uint32_t now) const;

  uint32_t warps_;
  bool has_fences_ = false;
  uint32_t all_ = 0;             // lower numbers are past for all warps
  std::vector<uint32_t> seen_;   // [warp][other] lower numbers of `other` are past for `warp`
  std::vector<uint32_t> lanes_;  // [warp] lower numbers of the warp are past for its other lanes
  std::vector<uint32_t> fence_;  // [warp] number at its last fence
  std::array<Clock, kBarriers> arrived_;
  std::unordered_map<uint64_t, Clock> released_;  // [place]
};

}  // namespace lanescope::emulator
