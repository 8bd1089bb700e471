// `plan_of` has the rules for which lanes are served together; the rest counts words in banks.

#include "model/banks.h"

#include "model/copy_schedule.h"

#include <algorithm>
#include <array>

namespace lanescope::model {
namespace {

using trace::Detail;
using trace::Kind;
using trace::WarpAccess;

/// The active lanes' addresses in 32-bit words. Accesses are aligned to their width, as PTX requires.
class Pattern {
 public:
  explicit Pattern(const WarpAccess& access) : active_(access.active) {
    const uint32_t bytes = access.operation.bytes_per_lane;
    words_per_lane_ = bytes <= 4 ? 1 : std::bit_ceil(bytes) / 4;
    trace::for_each_address(access, [&](int, int lane, uint64_t address) {
      first_word_[lane] = static_cast<uint32_t>(address / 4) & ~(words_per_lane_ - 1);
    });
  }

  LaneMask active() const { return active_; }
  uint32_t words_per_lane() const { return words_per_lane_; }
  uint32_t first_word(int lane) const { return first_word_[lane]; }
  LaneMask active_of(LaneMask group) const { return {active_.bits & group.bits}; }

  /// Whether every active lane has the address of its partner, lane ^ distance, if that is active.
  bool share(int distance) const {
    bool all_equal = true;
    for_each_lane(active_, [&](int lane) {
      const int partner = lane ^ distance;
      if (active_.test(partner) && first_word_[partner] != first_word_[lane]) all_equal = false;
    });
    return all_equal;
  }
  bool merge() const { return share(1) || share(2); }

 private:
  LaneMask active_;
  uint32_t words_per_lane_ = 1;
  std::array<uint32_t, kLanes> first_word_{};
};

/// How one access is served: its groups of lanes one after another, `passes` times.
struct Plan {
  enum class Sharing { SameWord, Nothing };  // Nothing: lanes at one address are serialized (atomics)
  std::vector<LaneMask> groups;              // those with an active lane
  Sharing sharing = Sharing::SameWord;
  int passes = 1;
};

std::vector<LaneMask> groups_of(const Pattern& pattern, int lanes_per_group) {
  std::vector<LaneMask> groups;
  for (int first = 0; first < kLanes; first += lanes_per_group) {
    const LaneMask group = pattern.active_of({kAllLanes.bits >> (kLanes - lanes_per_group) << first});
    if (group.any()) groups.push_back(group);
  }
  return groups;
}

/// Lanes that are served together: as many as 128 bytes hold, which is all of them up to 4 bytes per lane.
int lanes_served_together(const Pattern& pattern) {
  return kLanes / static_cast<int>(pattern.words_per_lane());
}

Plan plan_of(const WarpAccess& access, const Pattern& pattern) {
  const Kind kind = access.operation.kind;
  const int together = lanes_served_together(pattern);
  if (access.operation.detail == Detail::Matrix) return {groups_of(pattern, 8)};
  if (kind == Kind::Atomic || kind == Kind::Reduction) {
    if (access.operation.detail == Detail::UnusedIncrement) return {groups_of(pattern, kLanes)};
    // 64-bit atomics other than cas were not measured: MODEL, they split into halves like cas.
    const int passes = access.operation.detail == Detail::CompareAndSwap ? 2 : 1;
    return {groups_of(pattern, together), Plan::Sharing::Nothing, passes};
  }
  // Neighboring lanes at one address let a wide load be served in groups twice as large.
  const bool doubled = kind == Kind::Load && together < kLanes && pattern.merge();
  return {groups_of(pattern, doubled ? 2 * together : together)};
}

/// The words that the lanes of `group` access, one entry for each word that is served once; each bank's words
/// are numbered in rising lane order from 0 in `wavefront`.
std::vector<BankWord> words_of(const Pattern& pattern, LaneMask group, Plan::Sharing sharing) {
  std::vector<BankWord> words;
  std::array<uint16_t, kBanks> in_bank{};
  for_each_lane(group, [&](int lane) {
    const LaneMask self{uint32_t{1} << lane};
    for (uint32_t word = pattern.first_word(lane); word < pattern.first_word(lane) + pattern.words_per_lane();
         ++word) {
      const auto known = std::ranges::find(words, word, &BankWord::word);
      if (known != words.end() && sharing == Plan::Sharing::SameWord) {
        known->lanes.bits |= self.bits;
      } else {
        const auto bank = static_cast<uint8_t>(word % kBanks);
        words.push_back({in_bank[bank]++, bank, word, self});
      }
    }
  });
  return words;
}

uint16_t wavefronts_of(const std::vector<BankWord>& words) {
  uint16_t count = 0;
  for (const BankWord& word : words) count = std::max<uint16_t>(count, word.wavefront + 1);
  return count;
}

/// words(G, W) of the measured rules: wavefronts of one group whose lanes share words.
uint16_t count_words(const Pattern& pattern, LaneMask group) {
  return wavefronts_of(words_of(pattern, pattern.active_of(group), Plan::Sharing::SameWord));
}

/// split(g, W) of the measured rules.
uint16_t count_split(const Pattern& pattern, int lanes_per_group) {
  uint16_t sum = 0;
  for (const LaneMask group : groups_of(pattern, lanes_per_group)) sum += count_words(pattern, group);
  return sum;
}

/// The 16-byte load as the address-based metric counts it, which treats the two halves of the warp separately
/// and differently.
uint16_t count_address_load_16(const Pattern& pattern) {
  const LaneMask active = pattern.active();
  const uint32_t somewhere = pattern.first_word(std::countr_zero(active.bits));
  bool all_at_one_address = true;
  for_each_lane(active, [&](int lane) { all_at_one_address &= pattern.first_word(lane) == somewhere; });
  if (all_at_one_address) return active.count() <= 16 ? 1 : 2;

  const auto partners_agree = [&](LaneMask half, int distance, bool partner_must_be_active) {
    bool agree = true;
    for_each_lane(pattern.active_of(half), [&](int lane) {
      const int partner = lane ^ distance;
      if (!active.test(partner)) {
        agree &= !partner_must_be_active;
      } else {
        agree &= pattern.first_word(partner) == pattern.first_word(lane);
      }
    });
    return agree;
  };
  constexpr LaneMask kLower{0x0000ffffu};
  constexpr LaneMask kUpper{0xffff0000u};
  const bool lower_ok =
      !active.test(31) || partners_agree(kLower, 1, true) || partners_agree(kLower, 2, true);
  const bool upper_ok = partners_agree(kUpper, 1, false) || partners_agree(kUpper, 2, false);
  const auto half = [&](LaneMask lanes, bool ok) -> int {
    if (ok && count_words(pattern, lanes) == 1) return 1;
    return count_words(pattern, {lanes.bits & 0x00ff00ffu}) +
           count_words(pattern, {lanes.bits & 0xff00ff00u});
  };
  return static_cast<uint16_t>(half(kLower, lower_ok) + half(kUpper, upper_ok));
}

void sort_by_wavefront(std::vector<BankWord>& words) {
  std::ranges::sort(words, [](const BankWord& left, const BankWord& right) {
    return std::pair(left.wavefront, left.bank) < std::pair(right.wavefront, right.bank);
  });
}

/// Words that are written, each in the wavefront of its lane.
BankReport banks_of_copy(const WarpAccess& access) {
  const CopySchedule schedule = schedule_copy(access);
  WarpAccess written = access;
  written.reading = {};
  const bool is_by_source = schedule_copy(written).wavefronts < schedule.wavefronts;
  BankReport report{.wavefronts = schedule.wavefronts,
                    .address_wavefronts = schedule.wavefronts,
                    .ideal = schedule.ideal,
                    .is_by_source = is_by_source,
                    .words = {}};
  const Pattern pattern(access);
  for_each_lane(access.active, [&](int lane) {
    for (uint32_t n = 0; n < pattern.words_per_lane(); ++n) {
      const uint32_t word = pattern.first_word(lane) + n;
      const uint16_t wavefront = schedule.wavefront[static_cast<size_t>(lane)];
      const LaneMask self{uint32_t{1} << lane};
      const auto known = std::ranges::find_if(report.words, [&](const BankWord& other) {
        return other.word == word && other.wavefront == wavefront;
      });
      if (known != report.words.end())
        known->lanes.bits |= self.bits;
      else
        report.words.push_back({wavefront, static_cast<uint8_t>(word % kBanks), word, self});
    }
  });
  sort_by_wavefront(report.words);
  return report;
}

}  // namespace

uint16_t count_wavefronts(const WarpAccess& access) {
  if (access.operation.kind == Kind::AsyncCopy) return schedule_copy(access).wavefronts;
  const Pattern pattern(access);
  const Plan plan = plan_of(access, pattern);
  int sum = 0;
  for (const LaneMask group : plan.groups) sum += wavefronts_of(words_of(pattern, group, plan.sharing));
  return static_cast<uint16_t>(sum * plan.passes);
}

uint16_t count_address_wavefronts(const WarpAccess& access) {
  const Pattern pattern(access);
  const bool plain_load = access.operation.kind == Kind::Load && access.operation.detail == Detail::Plain;
  if (plain_load && pattern.words_per_lane() == 2) {
    return pattern.merge() && count_words(pattern, kAllLanes) == 1 ? uint16_t{1} : count_split(pattern, 16);
  }
  if (plain_load && pattern.words_per_lane() == 4) return count_address_load_16(pattern);
  return count_wavefronts(access);
}

uint16_t count_ideal_wavefronts(const WarpAccess& access) {
  if (access.operation.kind == Kind::AsyncCopy) return schedule_copy(access).ideal;
  const Pattern pattern(access);
  const Plan plan = plan_of(access, pattern);
  if (access.operation.detail == Detail::Matrix) return static_cast<uint16_t>(plan.groups.size());
  const int bytes = access.active.count() * access.operation.bytes_per_lane;
  const int passes_of_full_width = plan.passes * ((bytes + 127) / 128);
  return static_cast<uint16_t>(std::min<int>(count_address_wavefronts(access), passes_of_full_width));
}

BankReport count_banks(const WarpAccess& access) {
  if (access.operation.kind == Kind::AsyncCopy) return banks_of_copy(access);
  const Pattern pattern(access);
  const Plan plan = plan_of(access, pattern);
  BankReport report;
  report.address_wavefronts = count_address_wavefronts(access);
  report.ideal = count_ideal_wavefronts(access);
  for (const LaneMask group : plan.groups) {
    const std::vector<BankWord> words = words_of(pattern, group, plan.sharing);
    for (const BankWord& word : words) {
      for (int pass = 0; pass < plan.passes; ++pass) {
        const int wavefront = report.wavefronts + word.wavefront * plan.passes + pass;
        report.words.push_back({static_cast<uint16_t>(wavefront), word.bank, word.word, word.lanes});
      }
    }
    report.wavefronts += static_cast<uint16_t>(wavefronts_of(words) * plan.passes);
  }
  sort_by_wavefront(report.words);
  return report;
}

}  // namespace lanescope::model
