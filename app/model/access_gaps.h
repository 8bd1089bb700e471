// What a warp executes between its accesses to memory, for the timing model. pipeline/access_gaps.h finds it
// in the PTX.

#pragma once

#include <algorithm>
#include <vector>

namespace lanescope::model {

struct Gap {
  double instructions = 0;  // of the PTX, with the access at its end
  double divisions = 0;     // integer divisions and remainders among them
  bool operator==(const Gap&) const = default;
};

struct AccessGaps {
  std::vector<Gap> first;  // [site]: from the start of the warp, if no other access precedes
  std::vector<Gap> next;   // [site]: from the access before
  Gap last;                // from the last access to the end of the warp
  bool operator==(const AccessGaps&) const = default;
};

inline bool divides(const AccessGaps& gaps) {
  const auto some = [](const Gap& gap) { return gap.divisions > 0; };
  return std::ranges::any_of(gaps.first, some) || std::ranges::any_of(gaps.next, some) || some(gaps.last);
}

}  // namespace lanescope::model
