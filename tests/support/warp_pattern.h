// Warp accesses for tests: an operation, a mask, and an address for each lane as a function of the lane.

#pragma once

#include "trace/access.h"

#include <array>
#include <cstdint>
#include <utility>

namespace lanescope::tests {

/// Owns the addresses that `access()` borrows.
class WarpPattern {
 public:
  template <class F>
  WarpPattern(trace::Operation operation, F&& address_of_lane, LaneMask active = kAllLanes)
      : operation_(operation), active_(active) {
    int n = 0;
    for_each_lane(active, [&](int lane) { packed_[n++] = static_cast<uint64_t>(address_of_lane(lane)); });
  }
  trace::WarpAccess access() const {
    trace::WarpAccess access;
    access.active = active_;
    access.operation = operation_;
    access.addresses.list = packed_.data();
    return access;
  }

 private:
  trace::Operation operation_;
  LaneMask active_;
  std::array<uint64_t, kLanes> packed_{};
};

inline trace::WarpAccess affine_access(trace::Operation operation, uint64_t base, int64_t stride,
                                       LaneMask active = kAllLanes) {
  trace::WarpAccess access;
  access.active = active;
  access.operation = operation;
  access.addresses = {.base = base, .stride = stride};
  return access;
}

constexpr trace::Operation shared_load(int bytes) {
  return {trace::Space::Shared, trace::Kind::Load, static_cast<uint8_t>(bytes)};
}
constexpr trace::Operation shared_store(int bytes) {
  return {trace::Space::Shared, trace::Kind::Store, static_cast<uint8_t>(bytes)};
}
constexpr trace::Operation shared_atomic(int bytes, trace::Detail detail = trace::Detail::Plain) {
  return {trace::Space::Shared, trace::Kind::Atomic, static_cast<uint8_t>(bytes), detail};
}
constexpr trace::Operation global_load(int bytes) {
  return {trace::Space::Global, trace::Kind::Load, static_cast<uint8_t>(bytes)};
}
constexpr trace::Operation global_store(int bytes) {
  return {trace::Space::Global, trace::Kind::Store, static_cast<uint8_t>(bytes)};
}
constexpr trace::Operation local_load(int bytes) {
  return {trace::Space::Local, trace::Kind::Load, static_cast<uint8_t>(bytes)};
}

}  // namespace lanescope::tests
