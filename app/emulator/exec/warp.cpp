// Operations across the lanes of a warp: shuffles, votes, matches, reductions.
// Method: the runner has already synchronized the member lanes; of a member mask the lanes that execute
// count. Lanes with different member masks form separate groups. Source: PTX ISA, "Data Movement:
// shfl.sync", "Parallel Synchronization: vote.sync, match.sync, redux.sync, activemask, elect.sync". Tests:
// tests/unit/emulator/warp_test.cpp

#include "emulator/exec/arithmetic.h"
#include "emulator/exec/executor.h"

#include <cstring>

namespace lanescope::emulator::LANESCOPE_VECTORS {
namespace {

/// Reports that the lanes of a warp see each other's writes, whatever the mask, and member masks, [lane],
/// that name lanes which are not there.
void synchronize(Warps& warps, const Step& step, const Operand& members, uint32_t mask, uint32_t n) {
  AccessObserver* const observer = warps.block.observer;
  if (observer == nullptr) return;
  observer->on_warp_synchronized(warps.first + n);
  const auto* masks = cells<const uint32_t>(warps, members, n);
  const uint32_t existing = warps.block.existing[warps.first + n];
  const uint32_t absent = existing & ~mask;
  uint32_t wrong = 0;
  for (int lane = 0; lane < kLanes; ++lane)
    wrong |= mask >> lane & 1 ? (~masks[lane] >> lane & 1) | (masks[lane] & absent) : 0;
  if (wrong != 0) [[unlikely]]
    observer->on_member_masks(step.index, warps.first + n, mask, {masks, kLanes}, existing);
}

/// Calls f(lanes, members) for each group of executing lanes with the same member mask; `members`: lanes of
/// the mask that execute. Mostly there is one group; with tiles of a warp, one for each tile.
template <class F>
[[gnu::always_inline]] inline void for_each_group(Warps& warps, const Step& step, const Operand& operand,
                                                  uint32_t mask, uint32_t n, F&& f) {
  if (mask != 0) synchronize(warps, step, operand, mask, n);
  const auto* member_masks = cells<const uint32_t>(warps, operand, n);
  for (uint32_t rest = mask; rest != 0;) {
    const uint32_t members = member_masks[std::countr_zero(rest)];
    uint32_t same = 0;
    for (int lane = 0; lane < kLanes; ++lane) same |= uint32_t{member_masks[lane] == members} << lane;
    same &= rest;
    rest &= ~same;
    f(same, members & mask);
  }
}

/// The lane that `lane` reads from, and whether it is in range: the pseudocode of shfl.
template <ptx::ShuffleMode mode>
[[gnu::always_inline]] inline int source_lane(int lane, uint32_t b, uint32_t c, bool& in_range) {
  const int amount = static_cast<int>(b & 31);
  const int segment = static_cast<int>(c >> 8 & 31);
  const int limit = (lane & segment) | (static_cast<int>(c & 31) & ~segment);
  int from = 0;
  if constexpr (mode == ptx::ShuffleMode::Up) from = lane - amount;
  if constexpr (mode == ptx::ShuffleMode::Down) from = lane + amount;
  if constexpr (mode == ptx::ShuffleMode::Butterfly) from = lane ^ amount;
  if constexpr (mode == ptx::ShuffleMode::Index) from = (lane & segment) | (amount & ~segment);
  in_range = mode == ptx::ShuffleMode::Up ? from >= limit : from <= limit;
  return in_range ? from : lane;
}

template <ptx::ShuffleMode mode>
void shuffle(Warps& warps, const Step& step) {
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    synchronize(warps, step, step.source[3], mask, n);
    uint32_t a[kLanes];
    std::memcpy(a, cells<const uint32_t>(warps, step.source[0], n), sizeof a);
    const auto* b = cells<const uint32_t>(warps, step.source[1], n);
    const auto* c = cells<const uint32_t>(warps, step.source[2], n);
    int from[kLanes];
    uint32_t result[kLanes];
    uint32_t in_range = 0;
    for (int lane = 0; lane < kLanes; ++lane) {
      bool inside = false;
      from[lane] = source_lane<mode>(lane, b[lane], c[lane], inside);
      result[lane] = a[from[lane]];
      in_range |= uint32_t{inside} << lane;
    }
    if (mask != kAllLanes.bits && warps.block.observer != nullptr) [[unlikely]]
      warps.block.observer->on_values_taken(step.index, warps.first + n, mask, from);
    auto* to = cells<uint32_t>(warps, step.destination[0], n);
    for (int lane = 0; lane < kLanes; ++lane) to[lane] = mask >> lane & 1 ? result[lane] : to[lane];
    write_predicate(*cells<uint32_t>(warps, step.destination[1], n), mask, false, in_range);
  });
}

/// The truth of source predicate 0 in the members.
uint32_t truths(const Warps& warps, const Step& step, uint32_t of, uint32_t n) {
  return of & (*cells<const uint32_t>(warps, step.source[0], n) ^ (step.negated & 1 ? ~uint32_t{0} : 0));
}

void write_all(uint32_t* to, uint32_t mask, uint32_t value) {
  for (int lane = 0; lane < kLanes; ++lane) to[lane] = mask >> lane & 1 ? value : to[lane];
}

void ballot(Warps& warps, const Step& step) {
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    for_each_group(warps, step, step.source[1], mask, n, [&](uint32_t lanes, uint32_t all) {
      write_all(cells<uint32_t>(warps, step.destination[0], n), lanes, truths(warps, step, all, n));
    });
  });
}

template <ptx::VoteMode mode>
void vote(Warps& warps, const Step& step) {
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    const uint32_t truth = truths(warps, step, mask, n);
    for_each_group(warps, step, step.source[1], mask, n, [&](uint32_t lanes, uint32_t all) {
      const uint32_t yes = truth & all;
      const bool result = mode == ptx::VoteMode::All   ? yes == all
                          : mode == ptx::VoteMode::Any ? yes != 0
                                                       : yes == all || yes == 0;
      write_predicate(*cells<uint32_t>(warps, step.destination[0], n), lanes, false,
                      result ? ~uint32_t{0} : 0);
    });
  });
}

void active_mask(Warps& warps, const Step& step) {
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    write_all(cells<uint32_t>(warps, step.destination[0], n), mask, mask);
  });
}

template <class C>
void match_any(Warps& warps, const Step& step) {
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    C a[kLanes];
    std::memcpy(a, cells<const C>(warps, step.source[0], n), sizeof a);
    auto* to = cells<uint32_t>(warps, step.destination[0], n);
    uint32_t found[kLanes];
    for_each_group(warps, step, step.source[1], mask, n, [&](uint32_t lanes, uint32_t all) {
      for_each_lane({lanes}, [&](int lane) {
        found[lane] = 0;
        for_each_lane({all}, [&](int other) { found[lane] |= uint32_t{a[other] == a[lane]} << other; });
      });
    });
    for_each_lane({mask}, [&](int lane) { to[lane] = found[lane]; });
  });
}

template <class C>
void match_all(Warps& warps, const Step& step) {
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    C a[kLanes];
    std::memcpy(a, cells<const C>(warps, step.source[0], n), sizeof a);
    for_each_group(warps, step, step.source[1], mask, n, [&](uint32_t lanes, uint32_t all) {
      const C first = a[std::countr_zero(lanes)];
      bool same = true;
      for_each_lane({all}, [&](int lane) { same = same && a[lane] == first; });
      write_all(cells<uint32_t>(warps, step.destination[0], n), lanes, same ? all : 0);
      write_predicate(*cells<uint32_t>(warps, step.destination[1], n), lanes, false, same ? ~uint32_t{0} : 0);
    });
  });
}

void elect(Warps& warps, const Step& step) {
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    for_each_group(warps, step, step.source[0], mask, n, [&](uint32_t lanes, uint32_t all) {
      const auto leader = static_cast<uint32_t>(std::countr_zero(all));
      write_all(cells<uint32_t>(warps, step.destination[0], n), lanes, leader);
      write_predicate(*cells<uint32_t>(warps, step.destination[1], n), lanes, false,
                      leader < kLanes ? uint32_t{1} << leader : 0);
    });
  });
}

template <class T, class F>
void reduce(Warps& warps, const Step& step) {
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    uint32_t a[kLanes];
    std::memcpy(a, cells<const uint32_t>(warps, step.source[0], n), sizeof a);
    for_each_group(warps, step, step.source[1], mask, n, [&](uint32_t lanes, uint32_t all) {
      if (all == 0) return;
      T result = static_cast<T>(a[std::countr_zero(all)]);
      for_each_lane({all & (all - 1)}, [&](int lane) { result = F{}(result, static_cast<T>(a[lane])); });
      write_all(cells<uint32_t>(warps, step.destination[0], n), lanes, static_cast<uint32_t>(result));
    });
  });
}

Handler reduction(ptx::Type type, ptx::AtomicOperation operation) {
  const bool is_signed = type == ptx::Type::s32;
  switch (operation) {
    case ptx::AtomicOperation::Add:
      return reduce<uint32_t, Add>;
    case ptx::AtomicOperation::And:
      return reduce<uint32_t, And>;
    case ptx::AtomicOperation::Or:
      return reduce<uint32_t, Or>;
    case ptx::AtomicOperation::Xor:
      return reduce<uint32_t, Xor>;
    case ptx::AtomicOperation::Min:
      return is_signed ? reduce<int32_t, Minimum> : reduce<uint32_t, Minimum>;
    case ptx::AtomicOperation::Max:
      return is_signed ? reduce<int32_t, Maximum> : reduce<uint32_t, Maximum>;
    default:
      return nullptr;
  }
}

Handler shuffling(ptx::ShuffleMode mode) {
  switch (mode) {
    case ptx::ShuffleMode::Up:
      return shuffle<ptx::ShuffleMode::Up>;
    case ptx::ShuffleMode::Down:
      return shuffle<ptx::ShuffleMode::Down>;
    case ptx::ShuffleMode::Butterfly:
      return shuffle<ptx::ShuffleMode::Butterfly>;
    case ptx::ShuffleMode::Index:
      return shuffle<ptx::ShuffleMode::Index>;
    case ptx::ShuffleMode::None:
      return nullptr;
  }
  return nullptr;
}

Handler voting(ptx::VoteMode mode) {
  switch (mode) {
    case ptx::VoteMode::All:
      return vote<ptx::VoteMode::All>;
    case ptx::VoteMode::Any:
      return vote<ptx::VoteMode::Any>;
    case ptx::VoteMode::Uniform:
      return vote<ptx::VoteMode::Uniform>;
    case ptx::VoteMode::None:
      return nullptr;
  }
  return nullptr;
}

/// In lockstep the warp is together. Lanes that have come from different __syncwarp() have been checked
/// there.
void synchronize_all(Warps& warps, const Step& step) {
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    if (mask == 0) return;
    if (warps.whole) return synchronize(warps, step, step.source[0], mask, n);
    meet_lanes(warps.block, warps.first + n);
  });
}

}  // namespace

Handler warp_handler(const ptx::Program& program, const ptx::Step& step) {
  const ptx::Modifiers& modifiers = program.modifiers[step.modifiers];
  const bool wide = ptx::size_bytes(step.type) == 8;
  switch (step.op) {
    case ptx::Op::shfl_sync:
      return shuffling(modifiers.shuffle);
    case ptx::Op::vote_sync_ballot:
      return ballot;
    case ptx::Op::vote_sync:
      return voting(modifiers.vote);
    case ptx::Op::activemask:
      return active_mask;
    case ptx::Op::match_any_sync:
      return wide ? match_any<uint64_t> : match_any<uint32_t>;
    case ptx::Op::match_all_sync:
      return wide ? match_all<uint64_t> : match_all<uint32_t>;
    case ptx::Op::elect_sync:
      return elect;
    case ptx::Op::redux_sync:
      return reduction(step.type, modifiers.atomic);
    case ptx::Op::bar_warp_sync:
      return synchronize_all;  // the runner has waited
    default:
      return nullptr;
  }
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
