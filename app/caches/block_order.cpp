#include "caches/block_order.h"

#include <bit>

namespace lanescope::caches {
namespace {

uint32_t mixed(uint32_t bits) {
  bits ^= bits >> 16;
  bits *= 0x7feb352dU;
  bits ^= bits >> 15;
  bits *= 0x846ca68bU;
  return bits ^ bits >> 16;
}

/// A permutation of 0 to count - 1 that `seed` chooses: four rounds of a Feistel network over the next power
/// of four, repeated until the result is below count.
uint32_t permuted(uint32_t number, uint32_t count, uint32_t seed) {
  const auto half_bits = static_cast<uint32_t>((std::bit_width(count - 1) + 1) / 2);
  const uint32_t mask = (1u << half_bits) - 1;
  constexpr uint32_t kRounds = 4;
  do {
    uint32_t left = number >> half_bits & mask;
    uint32_t right = number & mask;
    for (uint32_t round = 0; round < kRounds; ++round) {
      const uint32_t next = left ^ (mixed(right ^ mixed(seed * kRounds + round)) & mask);
      left = right;
      right = next;
    }
    number = left << half_bits | right;
  } while (number >= count);
  return number;
}

/// Round-robin over some multiprocessors, each of which has room for `resident` blocks.
class Ring {
 public:
  Ring(uint32_t first, uint32_t count, uint32_t resident)
      : first_(first), count_(count), room_(uint64_t{count} * resident) {}
  bool is_full() const { return taken_ == room_; }
  uint32_t take() { return first_ + static_cast<uint32_t>(taken_++ % count_); }

 private:
  uint32_t first_, count_;
  uint64_t room_;
  uint64_t taken_ = 0;
};

}  // namespace

BlockOrder::BlockOrder(uint32_t multiprocessors, uint32_t resident, uint64_t blocks, bool shuffles)
    : multiprocessors_(multiprocessors), resident_(resident), shuffles_(shuffles) {
  constexpr uint32_t kShare = 16;      // of the multiprocessors in the small ring
  constexpr uint64_t kFirstTurn = 70;  // blocks of the large ring before the small one's second turn
  constexpr uint64_t kTurns = 93;      // and between later ones
  const uint32_t small = blocks <= multiprocessors ? 0 : multiprocessors / kShare;
  Ring large_ring(0, multiprocessors - small, resident);
  Ring small_ring(multiprocessors - small, small, resident);
  uint64_t of_large = 0;
  uint64_t next_turn = 0;
  const auto take_turn = [&] {
    for (uint32_t n = 0; n < small && !small_ring.is_full() && first_.size() < blocks; ++n)
      first_.push_back(small_ring.take());
  };
  while (first_.size() < blocks && !(large_ring.is_full() && small_ring.is_full())) {
    if (of_large == next_turn || large_ring.is_full()) {
      take_turn();
      next_turn = next_turn == 0 ? kFirstTurn : next_turn + kTurns;
    }
    if (large_ring.is_full() || first_.size() == blocks) continue;
    first_.push_back(large_ring.take());
    ++of_large;
  }
}

uint32_t BlockOrder::multiprocessor_of(uint64_t block) const {
  if (block < first_.size()) return first_[static_cast<size_t>(block)];
  const auto in_round = static_cast<uint32_t>(block % multiprocessors_);
  if (!shuffles_ || multiprocessors_ == 1) return in_round;
  return permuted(in_round, multiprocessors_, static_cast<uint32_t>(block / multiprocessors_));
}

uint32_t BlockOrder::place_in_sample(uint32_t multiprocessor) const {
  if (multiprocessors_ == 1) return 0;
  constexpr uint32_t kSeed = 0x5a3c;
  return permuted(multiprocessor, multiprocessors_, kSeed);
}

}  // namespace lanescope::caches
