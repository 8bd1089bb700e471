// What runs while the caches of a launch are simulated: warps, blocks and multiprocessors.

#pragma once

#include "caches/block_stream.h"
#include "caches/l1_cache.h"
#include "caches/latencies.h"
#include "caches/packets.h"
#include "caches/wait_clock.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace lanescope::caches {

inline constexpr uint32_t kLoadsUnderWay = 4;  // of a warp

struct Warp {
  const BlockStream* stream = nullptr;
  std::span<const Request> rest;
  uint32_t block = 0;        // running
  uint64_t local_start = 0;  // address of the warp's local memory
  std::array<Cycles, kLoadsUnderWay> arrives{};
  uint32_t under_way = 0;
  uint16_t number = 0;  // of the block
  WaitClock clock = {};
  RecentStores stores = {};
};

/// Warps of a running block that wait at a meeting, until as many are there as the streams say.
struct Meeting {
  uint32_t expected = 0;
  std::vector<uint32_t> waiting;
};

struct RunningBlock {
  uint32_t multiprocessor = 0;
  uint32_t slot = 0;
  uint32_t warps_left = 0;
  std::vector<Meeting> meetings;
};

struct Multiprocessor {
  Multiprocessor(uint32_t lines, const Rules& rules, uint32_t number, uint32_t resident)
      : l1(lines, rules, number), l2_partition(number / 8 % 2) {
    for (uint32_t n = resident; n-- != 0;) free_slots.push_back(n);
  }
  L1Cache l1;
  uint32_t l2_partition;  // MODEL: neighbors of 8 ask one partition
  std::vector<uint32_t> free_slots;
  Cycles takes_next = 0;  // request
  Cycles path_free = 0;   // to the L2
};

}  // namespace lanescope::caches
