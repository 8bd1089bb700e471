// Combines the atomic reductions of one instruction before applying them, where no result is used. Method: a
// table by address accumulates the updates of all lanes of a warp group; then each address is updated once,
// in ascending order within the table. Blocks that run concurrently contend for a cache line with every
// atomic update; fewer updates, and those of one line in sequence, make histograms fast. Only for operations
// whose order does not matter: kJoins. Compiled once per instruction set, like lanes.h. Tests:
// tests/unit/emulator/atomic_test.cpp

#pragma once

#include "emulator/exec/atomic_update.h"

#include <array>

namespace lanescope::emulator::LANESCOPE_VECTORS {

template <class F, class T>
class JoinedUpdates {
 public:
  void add(uintptr_t at, T value) {
    size_t n = at / sizeof(T) % kSlots;  // neighbors in memory are neighbors here
    while (places_[n] != 0 && places_[n] != at) n = (n + 1) % kSlots;
    values_[n] = places_[n] == 0 ? value : F{}(values_[n], value);
    if (places_[n] != 0) return;
    places_[n] = at;
    if (++used_ == kMost) make();
  }

  /// Updates the places. The table is empty afterwards.
  void make() {
    if (used_ == 0) return;
    const Target target{.is_global = true, .others_see_it = true};
    for (size_t n = 0; n < kSlots; ++n)
      if (places_[n] != 0) update<F, T>(places_[n], target, to_cell<T>(values_[n]), Cell<T>{0});
    places_.fill(0);
    used_ = 0;
  }

 private:
  static constexpr size_t kSlots = 512;
  static constexpr size_t kMost = 384;  // beyond that, looking for a free one takes long

  std::array<uintptr_t, kSlots> places_{};  // 0: free
  std::array<T, kSlots> values_;
  size_t used_ = 0;
};

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
