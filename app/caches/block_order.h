// Which multiprocessor runs which block. Method: as long as blocks fit, they go round two rings of
// multiprocessors: a large one, and a small one of a sixteenth of them that gets its turn a little more
// often. Every multiprocessor gets one of the first blocks if there are no more. Later blocks go to whichever
// is free first, which the simulation decides; so that it is known beforehand which blocks a sample of
// multiprocessors needs, each gets one block of every later round. MODEL: the rings were seen on one H100,
// with 132 multiprocessors; their order does not depend on the kernel. Source: tests/data/caches/README.md.
// Tests: tests/unit/caches/block_order_test.cpp

#pragma once

#include <cstdint>
#include <vector>

namespace lanescope::caches {

class BlockOrder {
 public:
  /// `resident`: blocks that a multiprocessor holds at once. `shuffles`: later rounds are in another order
  /// each.
  BlockOrder(uint32_t multiprocessors, uint32_t resident, uint64_t blocks, bool shuffles = true);

  uint32_t multiprocessors() const { return multiprocessors_; }
  uint32_t resident() const { return resident_; }
  /// [block] multiprocessor of each block that starts with the launch.
  const std::vector<uint32_t>& first() const { return first_; }
  /// Multiprocessor of the block with number `block` in launch order, 0-based. Of a later block: the one
  /// whose part of the sample it is in.
  uint32_t multiprocessor_of(uint64_t block) const;
  /// Place of a multiprocessor among those that are modelled first, 0-based: the first n are a sample of n.
  uint32_t place_in_sample(uint32_t multiprocessor) const;

 private:
  uint32_t multiprocessors_;
  uint32_t resident_;
  bool shuffles_;
  std::vector<uint32_t> first_;
};

}  // namespace lanescope::caches
