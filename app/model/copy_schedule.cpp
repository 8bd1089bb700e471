#include "model/copy_schedule.h"

#include "model/sectors.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace lanescope::model {
namespace {

using trace::WarpAccess;

constexpr uint64_t kRowBytes = 128;   // of shared memory: one word of each bank
constexpr uint64_t kChunkBytes = 16;  // that a lane copies past the L1
constexpr int kLanesTogether = 8;     // that copy past the L1 at once

/// Banks of each lane, a bit for each.
using BanksOfLanes = std::array<uint32_t, kLanes>;

BanksOfLanes banks_of(LaneMask lanes, const trace::AddressRef& addresses, uint32_t bytes) {
  const uint32_t words = std::max(1u, bytes / 4);
  const uint32_t first = words >= 32 ? ~uint32_t{0} : (1u << words) - 1;
  BanksOfLanes banks{};
  int n = 0;
  for_each_lane(lanes, [&](int lane) {
    banks[static_cast<size_t>(lane)] = std::rotl(first, static_cast<int>(addresses.at(n++, lane) / 4 % 32));
  });
  return banks;
}

/// One order of the lanes of a group: each wavefront offers, for each bank of one side, the highest lane
/// left; of those, for each bank of the other side, the lowest goes. Returns the number of wavefronts.
uint16_t order(LaneMask group, const BanksOfLanes& one, const BanksOfLanes& other,
               std::array<uint16_t, kLanes>& wavefront) {
  uint16_t count = 0;
  for (uint32_t left = group.bits; left != 0; ++count) {
    uint32_t offered = 0, used = 0;
    for (uint32_t rest = left; rest != 0;) {
      const int lane = 31 - std::countl_zero(rest);
      rest &= ~(1u << lane);
      if ((one[static_cast<size_t>(lane)] & used) != 0) continue;
      used |= one[static_cast<size_t>(lane)];
      offered |= 1u << lane;
    }
    used = 0;
    for_each_lane({offered}, [&](int lane) {
      if ((other[static_cast<size_t>(lane)] & used) != 0) return;
      used |= other[static_cast<size_t>(lane)];
      wavefront[static_cast<size_t>(lane)] = count;
      left &= ~(1u << lane);
    });
  }
  return count;
}

bool are_apart(LaneMask group, const BanksOfLanes& banks) {
  uint32_t used = 0;
  bool apart = true;
  for_each_lane(group, [&](int lane) {
    if ((used & banks[static_cast<size_t>(lane)]) != 0) apart = false;
    used |= banks[static_cast<size_t>(lane)];
  });
  return apart;
}

CopySchedule through_l1(const WarpAccess& access) {
  const uint32_t bytes = access.operation.bytes_per_lane;
  const int together = kLanes / static_cast<int>(std::max(1u, bytes / 4));
  const BanksOfLanes written = banks_of(access.active, access.addresses, bytes);
  const BanksOfLanes read = banks_of(access.reading, access.source, bytes);  // other lanes use no bank
  CopySchedule schedule;
  for (int first = 0; first < kLanes; first += together) {
    const LaneMask group{access.active.bits & (kAllLanes.bits >> (kLanes - together) << first)};
    if (!group.any()) continue;
    std::array<uint16_t, kLanes> by_source{}, by_target{};
    uint16_t count = 1;
    if (!are_apart(group, written) || !are_apart(group, read)) {
      const uint16_t of_source = order(group, read, written, by_source);
      const uint16_t of_target = order(group, written, read, by_target);
      count = std::max(of_source, of_target);
      if (of_target > of_source) by_source = by_target;
    }
    for_each_lane(group, [&](int lane) {
      const auto at = static_cast<size_t>(lane);
      schedule.wavefront[at] = static_cast<uint16_t>(schedule.wavefronts + by_source[at]);
    });
    schedule.wavefronts = static_cast<uint16_t>(schedule.wavefronts + count);
  }
  const uint32_t all = static_cast<uint32_t>(access.active.count()) * bytes;
  schedule.ideal = static_cast<uint16_t>((all + kRowBytes - 1) / kRowBytes);
  return schedule;
}

/// The copy of a lane past the L1.
struct Move {
  int lane = 0;
  uint64_t from = 0, to = 0;

  bool is_beside(const Move& other) const {
    return from / kLineBytes == other.from / kLineBytes && to / kRowBytes == other.to / kRowBytes &&
           lane / kLanesTogether == other.lane / kLanesTogether;
  }
  uint64_t exchange() const { return (from ^ to) % kRowBytes / kChunkBytes; }
};
using Moves = std::vector<Move>;

/// Moves that exchange chunks as the first does: by one XOR of their numbers.
Moves exchanged_alike(const Moves& moves) {
  Moves alike;
  for (const Move& move : moves)
    if (move.exchange() == moves.front().exchange()) alike.push_back(move);
  return alike;
}

/// Moves of neighboring lanes of neighboring chunks, shifted as far as the first; none that takes a sector to
/// a second one, or a second one to its sector.
Moves shifted_alike(const Moves& moves) {
  Moves alike;
  const Move& first = moves.front();
  for (const Move& move : moves) {
    const auto lanes = static_cast<uint64_t>(move.lane - first.lane);
    if (move.from - first.from != lanes * kChunkBytes || move.to - first.to != lanes * kChunkBytes) continue;
    const bool fits = std::ranges::all_of(alike, [&](const Move& other) {
      return (move.from / kSectorBytes == other.from / kSectorBytes) ==
             (move.to / kSectorBytes == other.to / kSectorBytes);
    });
    if (fits) alike.push_back(move);
  }
  return alike;
}

/// One move for each address that is written: of several lanes the last counts.
Moves moves_of(const WarpAccess& access) {
  Moves moves;
  int n = 0, reads = 0;
  for_each_lane(access.active, [&](int lane) {
    Move move{.lane = lane, .to = access.addresses.at(n++, lane)};
    move.from = access.reading.test(lane) ? access.source.at(reads++, lane) : move.to;
    std::erase_if(moves, [&](const Move& before) { return before.to == move.to; });
    moves.push_back(move);
  });
  return moves;
}

CopySchedule past_l1(const WarpAccess& access) {
  CopySchedule schedule;
  const Moves all = moves_of(access);
  for (Moves left = all; !left.empty();) {
    Moves beside;
    for (const Move& move : left)
      if (move.is_beside(left.front())) beside.push_back(move);
    const Moves exchanged = exchanged_alike(beside), shifted = shifted_alike(beside);
    const Moves& taken = shifted.size() > exchanged.size() ? shifted : exchanged;
    for (const Move& move : taken) schedule.wavefront[static_cast<size_t>(move.lane)] = schedule.wavefronts;
    ++schedule.wavefronts;
    std::erase_if(left, [&](const Move& move) {
      return std::ranges::find(taken, move.lane, &Move::lane) != taken.end();
    });
  }
  int n = 0;
  for_each_lane(access.active, [&](int lane) {
    const uint64_t to = access.addresses.at(n++, lane);
    const auto move = std::ranges::find(all, to, &Move::to);
    schedule.wavefront[static_cast<size_t>(lane)] = schedule.wavefront[static_cast<size_t>(move->lane)];
  });
  schedule.ideal = static_cast<uint16_t>((all.size() * kChunkBytes + kRowBytes - 1) / kRowBytes);
  return schedule;
}

}  // namespace

CopySchedule schedule_copy(const WarpAccess& access) {
  return access.operation.detail == trace::Detail::BypassL1 ? past_l1(access) : through_l1(access);
}

}  // namespace lanescope::model
