// The same rules as banks.cpp, arranged by speed: a full warp at a constant stride has a closed form; lanes
// of up to a word each are sorted by bank and word if the machine has AVX2. All others count distinct words
// per bank by comparison with the previous lane while the words rise or fall, or with a small table. Nothing
// is allocated.

#include "model/bank_cost.h"

#include "model/banks.h"
#include "model/copy_schedule.h"
#include "model/lane_addresses.h"
#include "model/lane_keys.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

namespace lanescope::model {
namespace {

using trace::Cost;
using trace::Detail;
using trace::Kind;
using trace::WarpAccess;

/// The active lanes' pieces in rising lane order. A piece is an aligned part of shared memory as wide as one
/// lane's access (at least a word), so two lanes share all of their words or none.
struct Places {
  explicit Places(const WarpAccess& access) {
    const uint32_t bytes = access.operation.bytes_per_lane;
    words_per_lane = bytes <= 4 ? 1 : std::bit_ceil(bytes) / 4;
    const int shift = std::countr_zero(4 * words_per_lane);
    if (!access.addresses.listed()) {
      for_each_lane(access.active, [&](int lane) {
        list[count++] = static_cast<uint32_t>(access.addresses.at(0, lane) >> shift);
      });
    } else {
      count = access.active.count();
      for (int n = 0; n < count; ++n) list[n] = static_cast<uint32_t>(access.addresses.list[n] >> shift);
    }
    active = access.active;
  }

  /// Number of active lanes in [0, lane): the index of the first piece of the lanes from `lane` on.
  int before(int lane) const {
    if (lane >= kLanes) return count;
    return count == kLanes ? lane : LaneMask{active.bits & ((1u << lane) - 1)}.count();
  }
  /// Number of pieces that fit side by side into the banks.
  uint32_t columns() const { return kBanks / words_per_lane; }

  std::array<uint32_t, kLanes> list;  // [0, count) are set
  int count = 0;
  LaneMask active;
  uint32_t words_per_lane = 1;
};

/// Counts hits of each column and keeps the largest count.
class Histogram {
 public:
  void add(uint32_t column) { largest_ = std::max(largest_, ++hits_[column]); }
  int largest() const { return largest_; }

 private:
  std::array<uint8_t, kBanks> hits_{};
  uint8_t largest_ = 0;
};

/// The largest number of distinct pieces of [begin, end) in a column; no value if the pieces neither rise nor
/// fall.
std::optional<int> count_monotone(const Places& places, int begin, int end) {
  Histogram histogram;
  const uint32_t mask = places.columns() - 1;
  uint32_t last = places.list[begin];
  histogram.add(last & mask);
  bool rose = false;
  bool fell = false;
  for (int n = begin + 1; n < end; ++n) {
    const uint32_t place = places.list[n];
    if (place == last) continue;
    (place > last ? rose : fell) = true;
    if (rose && fell) return std::nullopt;
    histogram.add(place & mask);
    last = place;
  }
  return histogram.largest();
}

/// Whether every piece of [begin, end) is in a different column: no conflict, in any order.
bool all_columns_differ(const Places& places, int begin, int end) {
  LaneMask columns;
  for (int n = begin; n < end; ++n) columns.bits |= 1u << (places.list[n] & (places.columns() - 1));
  return columns.count() == end - begin;
}

/// The largest number of distinct pieces of [begin, end) in a column: words(G, W) of the measured rules.
int count_words(const Places& places, int begin, int end) {
  if (begin == end) return 0;
  if (all_columns_differ(places, begin, end)) return 1;
  if (const auto count = count_monotone(places, begin, end)) return *count;
  constexpr size_t kSlots = 128;
  std::array<uint8_t, kSlots> slots{};  // index into places plus 1, 0 is free
  Histogram histogram;
  const uint32_t mask = places.columns() - 1;
  for (int n = begin; n < end; ++n) {
    const uint32_t place = places.list[n];
    size_t slot = place * 0x9e3779b9u >> (32 - std::countr_zero(kSlots));
    while (slots[slot] != 0 && places.list[slots[slot] - 1] != place) slot = (slot + 1) % kSlots;
    if (slots[slot] != 0) continue;
    slots[slot] = static_cast<uint8_t>(n + 1);
    histogram.add(place & mask);
  }
  return histogram.largest();
}

/// The largest number of lanes of [begin, end) in a column: lanes(G) of the measured rules.
int count_lanes(const Places& places, int begin, int end) {
  if (begin != end && all_columns_differ(places, begin, end)) return 1;
  Histogram histogram;
  for (int n = begin; n < end; ++n) histogram.add(places.list[n] & (places.columns() - 1));
  return histogram.largest();
}

/// Sum of `count` over consecutive groups of lanes.
template <class F>
int count_groups(const Places& places, int lanes_per_group, F&& count) {
  int sum = 0;
  for (int first = 0; first < kLanes; first += lanes_per_group) {
    sum += count(places, places.before(first), places.before(first + lanes_per_group));
  }
  return sum;
}

/// Every pair of lanes `distance` apart (1 or 2) within a block of 2 x distance, where both are active,
/// accesses one piece.
bool share(const Places& places, int distance) {
  const uint32_t lower_partners = distance == 1 ? 0x55555555u : 0x33333333u;
  const LaneMask pairs{places.active.bits & places.active.bits >> distance & lower_partners};
  // With both lanes active the partner's piece is next in the list, or one further if the lane between them
  // is active too.
  for (uint32_t rest = pairs.bits; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const int n = places.before(lane);
    const int partner = n + (distance == 1 || !places.active.test(lane + 1) ? 1 : 2);
    if (places.list[n] != places.list[partner]) return false;
  }
  return true;
}

uint16_t narrow(int count) { return static_cast<uint16_t>(count); }

Cost wavefronts(int actual, int ideal) {
  return {.wavefronts = narrow(actual), .ideal_wavefronts = narrow(ideal)};
}

int ceiling(int numerator, int denominator) { return (numerator + denominator - 1) / denominator; }

/// Lanes at a constant stride: lanes whose pieces are in one column are columns / gcd(columns, stride) apart.
[[gnu::noinline]] std::optional<Cost> cost_of_stride(const WarpAccess& access) {
  const trace::Operation& operation = access.operation;
  if (operation.detail != Detail::Plain) return std::nullopt;
  if (operation.kind == Kind::Atomic || operation.kind == Kind::Reduction) return std::nullopt;
  const uint32_t bytes = operation.bytes_per_lane;
  const int64_t stride = access.addresses.stride;
  // Up to a word apart, 32 lanes cover at most 32 consecutive words, and no bank twice.
  if (bytes <= 4 && stride >= -4 && stride <= 4) return wavefronts(1, 1);
  const int64_t place_bytes = std::max<uint32_t>(4, bytes);
  if (!is_power_of_two(bytes) || bytes > 16 || stride % place_bytes != 0) return std::nullopt;
  const int columns = static_cast<int>(128 / place_bytes);
  const int groups = kLanes / columns;
  if (groups > 1 ? access.active != kAllLanes : !is_one_run(access.active)) return std::nullopt;
  if (stride == 0) {
    // All at one address: a load merges pairs of groups, a store does not.
    const int merged = operation.kind == Kind::Load ? groups / 2 : groups;
    return wavefronts(merged, merged);
  }
  const int divisor =
      std::min(columns, 1 << std::min(30, std::countr_zero(static_cast<uint64_t>(stride / place_bytes))));
  const int lanes_per_group = std::min(columns, access.active.count());
  return wavefronts(groups * ceiling(lanes_per_group, columns / divisor), groups);
}

/// Wavefronts of a 16-byte load by the address-based metric, which treats the halves of the warp differently.
int count_address_load_16(const Places& places) {
  const auto first = places.list.begin();
  if (std::all_of(first, first + places.count, [&](uint32_t place) { return place == *first; })) {
    return places.count <= 16 ? 1 : 2;
  }
  const auto agree = [&](int begin_lane, int distance, bool partner_must_be_active) {
    for (int lane = begin_lane; lane < begin_lane + 16; ++lane) {
      if (!places.active.test(lane)) continue;
      const int partner = lane ^ distance;
      if (!places.active.test(partner)) {
        if (partner_must_be_active) return false;
      } else if (places.list[places.before(lane)] != places.list[places.before(partner)]) {
        return false;
      }
    }
    return true;
  };
  const auto half = [&](int begin_lane, bool ok) {
    const int begin = places.before(begin_lane);
    const int middle = places.before(begin_lane + 8);
    const int end = places.before(begin_lane + 16);
    if (ok && count_words(places, begin, end) == 1) return 1;
    return count_words(places, begin, middle) + count_words(places, middle, end);
  };
  const bool lower_ok = !places.active.test(31) || agree(0, 1, true) || agree(0, 2, true);
  const bool upper_ok = agree(16, 1, false) || agree(16, 2, false);
  return half(0, lower_ok) + half(16, upper_ok);
}

/// The fewest wavefronts that the active lanes' bytes need, at 128 bytes each.
int full_width(const WarpAccess& access) {
  return ceiling(access.active.count() * access.operation.bytes_per_lane, 128);
}

Cost cost_of_load(const WarpAccess& access, const Places& places) {
  const int together = static_cast<int>(places.columns());
  const int ideal = full_width(access);
  if (places.words_per_lane == 1) {
    const int actual = count_words(places, 0, places.count);
    return wavefronts(actual, std::min(actual, ideal));
  }
  const bool merged = share(places, 1) || share(places, 2);
  const int actual = count_groups(places, merged ? 2 * together : together, count_words);
  switch (places.words_per_lane) {
    case 2:
      // The address-based count is 1 where a merged load needs one wavefront, else split(16), never below
      // full_width.
      return wavefronts(actual, merged && actual == 1 ? 1 : ideal);
    case 4:
      return wavefronts(actual, ideal == 1 ? 1 : std::min(ideal, count_address_load_16(places)));
    default:
      return wavefronts(actual, std::min(actual, ideal));
  }
}

/// Whether lanes that access one word are served together.
bool shares_words(const trace::Operation& operation) {
  const bool is_atomic = operation.kind == Kind::Atomic || operation.kind == Kind::Reduction;
  return !is_atomic || operation.detail == Detail::UnusedIncrement;
}

/// Whether lanes of at most a word, which are all served together, can be sorted.
bool are_words_sorted(const WarpAccess& access) {
  const trace::Operation& operation = access.operation;
  if (operation.bytes_per_lane > 4 || operation.detail == Detail::Matrix || !can_sort_lanes()) return false;
  // Of others an inactive lane would be counted.
  return shares_words(operation) || access.active == kAllLanes;
}

Cost cost_of_sorted_words(const WarpAccess& access) {
  const trace::Operation& operation = access.operation;
  const LaneAddresses addresses(access);
  if (shares_words(operation)) {
    const int actual = count_words_in_bank(addresses.all());
    return wavefronts(actual, std::min(actual, full_width(access)));
  }
  const int passes = operation.detail == Detail::CompareAndSwap ? 2 : 1;
  const int actual = passes * count_lanes_in_bank(addresses.all());
  return wavefronts(actual, std::min(actual, passes * full_width(access)));
}

Cost cost_of_atomic(const WarpAccess& access, const Places& places) {
  if (access.operation.detail == Detail::UnusedIncrement) {
    const int actual = count_words(places, 0, places.count);
    return wavefronts(actual, std::min(actual, full_width(access)));
  }
  const int passes = access.operation.detail == Detail::CompareAndSwap ? 2 : 1;
  const int actual = passes * count_groups(places, static_cast<int>(places.columns()), count_lanes);
  return wavefronts(actual, std::min(actual, passes * full_width(access)));
}

Cost cost_of_matrix(const Places& places) {
  constexpr int kRowsOfMatrix = 8;
  const int actual = count_groups(places, kRowsOfMatrix, count_words);
  const int matrices =
      count_groups(places, kRowsOfMatrix, [](const Places&, int begin, int end) { return end > begin; });
  return wavefronts(actual, matrices);
}

[[gnu::noinline]] Cost cost_of_pieces(const WarpAccess& access) {
  const Places places(access);
  if (access.operation.detail == Detail::Matrix) return cost_of_matrix(places);
  switch (access.operation.kind) {
    case Kind::Load:
      return cost_of_load(access, places);
    case Kind::Atomic:
    case Kind::Reduction:
      return cost_of_atomic(access, places);
    case Kind::Store:
    case Kind::AsyncCopy:  // never here
      break;
  }
  const int actual = count_groups(places, static_cast<int>(places.columns()), count_words);
  return wavefronts(actual, std::min(actual, full_width(access)));
}

}  // namespace

// A gather comes here at each access, most others once: what these need is in functions of their own.
Cost bank_cost(const WarpAccess& access) {
  if (access.operation.kind == Kind::AsyncCopy) {
    const CopySchedule schedule = schedule_copy(access);
    return {.wavefronts = schedule.wavefronts, .ideal_wavefronts = schedule.ideal};
  }
  if (access.addresses.affine())
    if (const auto cost = cost_of_stride(access)) return *cost;
  return are_words_sorted(access) ? cost_of_sorted_words(access) : cost_of_pieces(access);
}

}  // namespace lanescope::model
