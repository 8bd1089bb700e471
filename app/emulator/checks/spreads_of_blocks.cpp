#include "emulator/checks/spreads_of_blocks.h"

namespace lanescope::emulator {

const SpreadsOfBlocks::Parts& SpreadsOfBlocks::parts_of(size_t instruction, const Spread& spread,
                                                        trace::BatchOrder order) {
  if (known_.empty()) known_.resize(instructions_);
  Known& known = known_[instruction];
  if (known.of == spread.number) return known.parts;
  known.of = spread.number;
  for (uint32_t n = 0; n < order.blocks; ++n) {
    SpreadNumbers numbers;
    for (uint32_t warp = 0; warp < all_.warps(); ++warp) {
      const uint32_t at = order.number_of(n, warp);
      numbers.base[warp] = spread.base[at] - spread.base[n];
      numbers.step[warp] = spread.step[at];
      numbers.row[warp] = spread.row[at];
    }
    known.parts[n] = all_.find(numbers);
  }
  return known.parts;
}

void SpreadsOfBlocks::begin_block() {
  if (all_.forget()) known_.clear();
}

}  // namespace lanescope::emulator
