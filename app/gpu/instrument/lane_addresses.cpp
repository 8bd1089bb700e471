#include "gpu/instrument/lane_addresses.h"

#include <bit>

namespace lanescope::gpu {

LaneAddresses addresses_of(const LanePattern& pattern) {
  LaneAddresses lanes{};
  const uint64_t high = pattern.first >> 32 << 32;
  const auto low = static_cast<uint32_t>(pattern.first);
  // The recorder compares the low halves and sees to it that the upper ones are equal.
  const auto put = [&](int lane, int64_t offset) {
    lanes[static_cast<size_t>(lane)] = high | static_cast<uint32_t>(low + static_cast<uint32_t>(offset));
  };
  if (pattern.mask == kAllLanes.bits) {
    const auto row = static_cast<int>(pattern.row_lanes);
    for (int lane = 0; lane < kLanes; ++lane)
      put(lane, int64_t{pattern.stride} * (lane % row) + int64_t{pattern.row_stride} * (lane / row));
    return lanes;
  }
  const int first = std::countr_zero(pattern.mask);
  const uint32_t others = pattern.mask & (pattern.mask - 1);
  const int distance = others == 0 ? 1 : std::countr_zero(others) - first;
  for_each_lane({pattern.mask},
                [&](int lane) { put(lane, int64_t{pattern.stride} * (lane - first) / distance); });
  return lanes;
}

trace::AddressRef reference_to(const LaneAddresses& lanes, LaneMask active, LaneAddresses& list) {
  const int first = std::countr_zero(active.bits);
  const uint32_t others = active.bits & (active.bits - 1);
  int64_t stride = 0;
  if (others != 0) {
    const int second = std::countr_zero(others);
    stride = static_cast<int64_t>(lanes[static_cast<size_t>(second)] - lanes[static_cast<size_t>(first)]) /
             (second - first);
  }
  const uint64_t base = lanes[static_cast<size_t>(first)] - static_cast<uint64_t>(stride * first);
  bool affine = true;
  size_t n = 0;
  for_each_lane(active, [&](int lane) {
    const uint64_t address = lanes[static_cast<size_t>(lane)];
    affine = affine && address == base + static_cast<uint64_t>(stride * lane);
    list[n++] = address;
  });
  if (affine) return {.base = base, .stride = stride};
  return {.list = list.data()};
}

}  // namespace lanescope::gpu
