// Barriers at which the diverged lanes of a warp wait for each other. The program itself has none: there
// lanes reconverge wherever paths meet (block_order.h). The machine code of a kernel has them at some of
// these places (sass/reconvergence.h), and at the others lanes stay apart.

#pragma once

#include <cstdint>
#include <vector>

namespace lanescope::ptx {

struct ConvergenceBarriers {
  using Numbers = std::vector<uint32_t>;  // of barriers
  /// [block] barriers at which lanes that come to the block wait for those that opened one of them together
  /// with them. Empty: they wait for no others.
  std::vector<Numbers> at;
  /// [block] barriers of lanes that come to a loop's header for its next round.
  std::vector<Numbers> at_round;
  /// [block] barriers that lanes open together after they have run the block, and that they close there.
  std::vector<Numbers> opened;
  std::vector<Numbers> closed;
  std::vector<bool> open_at_start;  // [barrier] whether all lanes have opened it before the first block
};

}  // namespace lanescope::ptx
