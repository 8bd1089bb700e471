// The addresses of the lanes of an access in the layout of the fast counts. Tests:
// tests/unit/model/{cost,lane_keys}_test.cpp

#pragma once

#include "trace/access.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace lanescope::model {

/// std::has_single_bit() counts bits, for which not every CPU has an instruction: then it is a call.
constexpr bool is_power_of_two(uint64_t number) { return number != 0 && (number & (number - 1)) == 0; }

/// The addresses of the active lanes in rising lane order, padded to 32 with copies of the first. Borrows the
/// access's list if that is complete.
class LaneAddresses {
 public:
  explicit LaneAddresses(const trace::WarpAccess& access) : count_(access.active.count()) {
    if (access.addresses.list != nullptr && count_ == kLanes) {
      at_ = access.addresses.list;
      return;
    }
    if (access.addresses.list != nullptr) {
      std::copy_n(access.addresses.list, count_, own_.begin());
    } else {
      trace::for_each_address(access,
                              [&](int n, int, uint64_t address) { own_[static_cast<size_t>(n)] = address; });
    }
    std::fill(own_.begin() + count_, own_.end(), own_[0]);
  }
  LaneAddresses(const LaneAddresses&) = delete;
  LaneAddresses& operator=(const LaneAddresses&) = delete;

  int count() const { return count_; }  // of active lanes, at least one
  uint64_t operator[](int n) const { return at_[n]; }
  std::span<const uint64_t, kLanes> all() const { return std::span<const uint64_t, kLanes>(at_, kLanes); }
  bool all_equal() const {
    return std::ranges::all_of(all(), [&](uint64_t address) { return address == at_[0]; });
  }

 private:
  int count_;
  std::array<uint64_t, kLanes> own_;
  const uint64_t* at_ = own_.data();
};

}  // namespace lanescope::model
