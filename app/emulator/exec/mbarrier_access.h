// Finds the object of an mbarrier by its address, or reports that there can be none. It is synchronization,
// not a counted access: nothing is recorded.

#pragma once

#include "emulator/exec/access.h"
#include "emulator/exec/pieces.h"
#include "emulator/memory/mbarrier.h"

#include <cstring>

namespace lanescope::emulator::LANESCOPE_VECTORS {

/// The shared memory of an mbarrier and its offset; null after a fault was reported.
struct MbarrierPlace {
  std::byte* object = nullptr;
  uint64_t offset = 0;
  bool is_remote = false;  // of another block of the cluster
};

inline MbarrierPlace find_mbarrier(BlockState& block, const Step& step, uint64_t address, uint32_t warp,
                                   int lane) {
  constexpr uint32_t kBytes = 8;
  ptx::Space space = ptx::Space::Shared;
  if (step.space == ptx::Space::Generic) {
    if (address >> kWindowShift == kSharedWindow) {
      address -= kSharedWindow << kWindowShift;
    } else {
      space = ptx::Space::Global;  // and wrong, as its bounds or the message below will say
    }
  }
  uint32_t rank = 0;
  if (space == ptx::Space::Shared && is_of_cluster(block, address)) {
    rank = static_cast<uint32_t>(address >> kRankShift);
    address &= kOffsetMask;
  }
  Target target;
  const bool found = space == ptx::Space::Shared &&
                     find_target(block, step, space, {address, address, address, rank}, kBytes, warp, target);
  if (found)
    return {reinterpret_cast<std::byte*>(target.data + address), address,
            rank != 0 && block.cluster->blocks[rank - 1] != &block};
  const std::vector<uint64_t> each(kLanes, address);
  if (space == ptx::Space::Shared) {
    report_fault(block, step, space, trace::Kind::Atomic, kBytes, warp, uint32_t{1} << lane, each);
  } else {
    block.report(trace::HazardKind::OutOfBounds, step, warp * kLanes + static_cast<uint32_t>(lane),
                 "uses a barrier object that is not in shared memory; declare it __shared__");
  }
  return {};
}

/// Calls f(lane, place) for the lanes that execute, until a fault stops the block.
template <class F>
void for_each_barrier(Warps& warps, const Step& step, uint32_t mask, uint32_t n, F&& f) {
  uint64_t addresses[kLanes];
  read_operand(warps, step.source[0], step.address_is_word, n, addresses);
  for_each_lane({mask}, [&](int lane) {
    if (warps.block.stopped) return;
    const uint64_t address = addresses[lane] + static_cast<uint64_t>(int64_t{step.immediate});
    const MbarrierPlace place = find_mbarrier(warps.block, step, address, warps.first + n, lane);
    if (place.object != nullptr) f(lane, place);
  });
}

/// The phase that the object is in.
inline uint32_t phase_of(const MbarrierPlace& place) {
  uint64_t bits = 0;
  std::memcpy(&bits, place.object, sizeof bits);
  return Mbarrier::decode(bits).phase;
}

/// Changes the object at `place` by change(object); returns the object as it was, as bits.
template <class F>
uint64_t change_mbarrier(const MbarrierPlace& place, F&& change) {
  uint64_t before = 0;
  std::memcpy(&before, place.object, sizeof before);
  Mbarrier barrier = Mbarrier::decode(before);
  change(barrier);
  const uint64_t after = barrier.encode();
  std::memcpy(place.object, &after, sizeof after);
  return before;
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
