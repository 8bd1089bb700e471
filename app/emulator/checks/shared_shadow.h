// The stamps of a block's shared memory: every granule has its own. Tests: tests/unit/emulator/race_test.cpp

#pragma once

#include "emulator/checks/granules.h"
#include "emulator/checks/stamp.h"
#include "emulator/code.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lanescope::emulator {

class SharedShadow {
 public:
  explicit SharedShadow(const Code& code)
      : shift_(granule_shift_of(*code.program, trace::Space::Shared)),
        granules_(granules_in(code.shared_bytes, shift_)),
        stamps_(3 * granules_) {}

  int granule_shift() const { return shift_; }
  /// Those of granule 0; those of the others follow.
  Cells cells() {
    Stamp* const first = stamps_.data();
    return {first, first + granules_, first + 2 * granules_};
  }
  Cells cells_of(uint64_t granule) {
    const Cells first = cells();
    return {first.written + granule, first.read + granule, first.read_too + granule};
  }
  /// What was under way when its block ended.
  void clear_under_way() {
    for (size_t n = 0; n < granules_; ++n)
      if (is_under_way(stamps_[n])) stamps_[n] = 0;
  }
  /// Stamps from number `birth` on become those of number 1; lower ones are cleared.
  void renumber(uint32_t birth) {
    for (Stamp& stamp : stamps_) stamp = renumbered(stamp, birth);
  }

 private:
  int shift_;  // log2 of a granule's bytes
  size_t granules_;
  std::vector<Stamp> stamps_;  // [written, read, read_too][granule]
};

}  // namespace lanescope::emulator
