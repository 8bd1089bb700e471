// Reductions of one instruction that nobody reads the result of, put together before they are made. Method: a
// table by place sums up what the lanes of all warps of a group do; then each place is updated once, in
// rising order within the table. Blocks that run at the same time fight for a cache line with every atomic
// update, so fewer of them, and those of one line one after the other, is what a histogram needs. Only for
// operations whose order does not matter: kJoins. Compiled once per instruction set, like lanes.h. Tests:
// tests/unit/emulator/atomic_test.cpp

#pragma once

#include "emulator/exec/atomic_update.h"

#include <array>

namespace lanescope::emulator::LANESCOPE_VECTORS {

template <class F, class T>
class JoinedUpdates {
 public:
  void add(uintptr_t at, T value) {
    size_t n = at / sizeof(T) % kSlots;  // neighbours in memory are neighbours here
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

/// A step with the table for it.
template <class F, class T>
struct JoiningStep : Step {
  explicit JoiningStep(const Step& step) : Step(step) {}
  mutable JoinedUpdates<F, T> updates;
};

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
