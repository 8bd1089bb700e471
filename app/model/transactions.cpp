// One function for each family of rules; transactions_of chooses by compute capability.

#include "model/transactions.h"

#include "model/sector_walk.h"

#include <algorithm>
#include <bit>

namespace lanescope::model {
namespace {

using trace::Kind;
using trace::WarpAccess;

constexpr int kHalf = kLanes / 2;

/// Addresses by lane; meaningful where the mask of the access is set.
struct LaneAddresses {
  explicit LaneAddresses(const WarpAccess& access)
      : rise(access.addresses.affine() && access.addresses.stride >= 0) {
    trace::for_each_address(
        access, [&](int, int lane, uint64_t address) { of[static_cast<size_t>(lane)] = address; });
  }
  uint64_t at(int lane) const { return of[static_cast<size_t>(lane)]; }
  std::array<uint64_t, kLanes> of{};
  bool rise;  // with the lanes; false if that is not known
};

constexpr LaneMask lanes_from(int first, int count) {
  return {static_cast<uint32_t>(((uint64_t{1} << count) - 1) << first)};
}

/// Calls f(lanes) for each run of `lanes` lanes that has an active one.
template <class F>
void for_each_group(LaneMask active, int lanes, F&& f) {
  for (int first = 0; first < kLanes; first += lanes) {
    const LaneMask group{active.bits & lanes_from(first, lanes).bits};
    if (group.any()) f(first, group);
  }
}

/// 1.0 and 1.1: the k-th lane of the half-warp takes the k-th word of an aligned segment of 16 words. Lanes
/// may be inactive.
bool in_order(LaneMask group, int first, const LaneAddresses& address, uint64_t bytes) {
  if (bytes != 4 && bytes != 8 && bytes != 16) return false;
  const int lowest = std::countr_zero(group.bits);
  const uint64_t start = address.at(lowest) - static_cast<uint64_t>(lowest - first) * bytes;
  if (start % (kHalf * bytes) != 0) return false;
  bool all = true;
  for_each_lane(group, [&](int lane) {
    all = all && address.at(lane) == start + static_cast<uint64_t>(lane - first) * bytes;
  });
  return all;
}

void add_in_order_segments(TransactionList& list, LaneMask group, int first, const LaneAddresses& address,
                           uint64_t bytes) {
  if (!in_order(group, first, address, bytes)) {
    for_each_lane(group, [&](int lane) { list.add(address.at(lane) / 32 * 32, 32); });
    return;
  }
  const uint64_t segment = kHalf * bytes;
  const uint64_t start = address.at(std::countr_zero(group.bits)) / segment * segment;
  if (bytes < 16) return list.add(start, static_cast<uint32_t>(segment));
  list.add(start, 128);
  list.add(start + 128, 128);
}

/// 1.2 and 1.3: the segment of the lowest lane serves all lanes in it and shrinks to the half that is used.
void add_shrinking_segments(TransactionList& list, LaneMask group, const LaneAddresses& address,
                            uint64_t bytes) {
  const uint64_t segment = bytes == 1 ? 32 : bytes == 2 ? 64 : 128;
  uint32_t rest = group.bits;
  while (rest != 0) {
    uint64_t start = address.at(std::countr_zero(rest)) / segment * segment;
    uint64_t lowest = segment, highest = 0;
    for (uint32_t left = rest; left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      const uint64_t offset = address.at(lane) - start;  // wraps for addresses before it
      if (offset >= segment && address.rise) break;      // so do all that follow
      if (offset >= segment) continue;
      lowest = std::min(lowest, offset);
      highest = std::max(highest, std::min(offset + bytes, segment) - 1);
      rest &= ~(1u << lane);
    }
    uint64_t size = segment;
    while (size > 32) {
      const uint64_t half = size / 2;
      if (highest < half) {
        size = half;
      } else if (lowest >= half) {
        size = half;
        start += half;
        lowest -= half;
        highest -= half;
      } else {
        break;
      }
    }
    list.add(start, static_cast<uint32_t>(size));
  }
}

/// 2.x and 3.x: distinct blocks of `block` bytes that the group accesses, in order of the lanes.
void add_blocks(TransactionList& list, LaneMask group, const LaneAddresses& address, uint64_t bytes,
                uint64_t block) {
  const size_t before = list.all().size();
  const auto add = [&](uint64_t start) {
    const auto known = list.all().subspan(before);
    if (std::ranges::find(known, start, &Transaction::address) == known.end())
      list.add(start, static_cast<uint32_t>(block));
  };
  for_each_lane(group, [&](int lane) {
    const uint64_t first = address.at(lane) / block * block;
    const uint64_t last = (address.at(lane) + bytes - 1) / block * block;
    add(first);
    if (last != first) add(last);
  });
}

}  // namespace

std::string_view name_of(RequestUnit unit) {
  switch (unit) {
    case RequestUnit::HalfWarp:
      return "half-warp";
    case RequestUnit::WarpPart:
      return "warp, or a half or a quarter of it for 8 and 16 bytes";
    case RequestUnit::Warp:
      return "warp";
  }
  return "unknown";
}

RequestUnit request_unit(int compute_capability) {
  if (compute_capability < 20) return RequestUnit::HalfWarp;
  return compute_capability < 50 ? RequestUnit::WarpPart : RequestUnit::Warp;
}

uint64_t TransactionList::bytes_moved() const {
  uint64_t bytes = 0;
  for (const Transaction& transaction : all()) bytes += transaction.bytes;
  return bytes;
}

TransactionList transactions_of(const WarpAccess& access, int compute_capability, Caching caching) {
  TransactionList list;
  if (access.operation.space != trace::Space::Global || !access.active.any()) return list;
  const uint64_t bytes = access.operation.bytes_per_lane;
  if (compute_capability >= 50) {
    list.add_request();
    for_each_sector_run(access, [&](uint64_t first, uint64_t count) {
      for (uint64_t sector = first; sector < first + count; ++sector)
        list.add(sector * kSectorBytes, kSectorBytes);
    });
    return list;
  }
  const LaneAddresses address(access);
  if (compute_capability < 20) {
    for_each_group(access.active, kHalf, [&](int first, LaneMask group) {
      list.add_request();
      if (compute_capability < 12)
        add_in_order_segments(list, group, first, address, bytes);
      else
        add_shrinking_segments(list, group, address, bytes);
    });
    return list;
  }
  const bool lines = caching == Caching::L1AndL2 && access.operation.kind == Kind::Load;
  const int lanes = bytes >= 16 ? kLanes / 4 : bytes == 8 ? kLanes / 2 : kLanes;
  for_each_group(access.active, lanes, [&](int, LaneMask group) {
    list.add_request();
    add_blocks(list, group, address, bytes, lines ? 128 : 32);
  });
  return list;
}

void TransactionTotals::add(const WarpAccess& access, const TransactionList& list) {
  requests += list.requests();
  transactions += list.all().size();
  bytes_moved += list.bytes_moved();
  bytes_used += static_cast<uint64_t>(access.active.count()) * access.operation.bytes_per_lane;
}

double TransactionTotals::efficiency() const {
  return bytes_moved == 0 ? 0 : static_cast<double>(bytes_used) / static_cast<double>(bytes_moved);
}

}  // namespace lanescope::model
