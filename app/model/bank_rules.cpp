#include "model/bank_rules.h"

#include "model/banks.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <vector>

namespace lanescope::model {
namespace {

using trace::Kind;
using trace::WarpAccess;

/// The active lanes' first words, packed; a lane wider than 4 bytes takes `words_per_lane` from there.
struct LaneWords {
  explicit LaneWords(const WarpAccess& access) {
    const uint32_t bytes = access.operation.bytes_per_lane;
    words_per_lane = std::max(1u, bytes / 4);
    trace::for_each_address(access, [&](int, int number, uint64_t address) {
      lane[count] = number;
      word[count++] = static_cast<uint32_t>(address / 4);
    });
  }
  std::array<int, kLanes> lane{};
  std::array<uint32_t, kLanes> word{};
  size_t count = 0;
  uint32_t words_per_lane = 1;
};

constexpr int kBanks16 = 16;

/// A word that a lane asks for.
struct Asked {
  int lane = 0;
  uint32_t word = 0;
};

/// One 32-bit request of a half-warp of 1.x: steps until every lane is served. Calls serve(step, asked).
template <class F>
uint32_t steps_of_half_warp(std::vector<Asked> asked, bool reads, F&& serve) {
  uint32_t steps = 0;
  while (!asked.empty()) {
    uint32_t served = 0;
    if (reads) {
      const uint32_t broadcast = std::ranges::max_element(asked, {}, [&](const Asked& one) {
                                   return std::ranges::count(asked, one.word, &Asked::word);
                                 })->word;
      served = 1u << (broadcast % kBanks16);
      std::erase_if(asked, [&](const Asked& one) {
        if (one.word != broadcast) return false;
        serve(steps, one);
        return true;
      });
    }
    std::erase_if(asked, [&](const Asked& one) {
      const uint32_t bank = 1u << (one.word % kBanks16);
      if ((served & bank) != 0) return false;
      served |= bank;
      serve(steps, one);
      return true;
    });
    ++steps;
  }
  return steps;
}

/// Calls serve(pass, asked) for each word of each lane.
template <class F>
SharedPasses passes_of_16_banks(const LaneWords& words, bool reads, F&& serve) {
  SharedPasses result;
  for (int first = 0; first < kLanes; first += kLanes / 2) {
    std::vector<Asked> half;
    for (size_t n = 0; n < words.count; ++n)
      if (words.lane[n] / (kLanes / 2) * (kLanes / 2) == first)
        half.push_back({words.lane[n], words.word[n]});
    if (half.empty()) continue;
    ++result.requests;
    result.ideal += words.words_per_lane;
    // 64 and 128 bits are split into requests of 32 bits, one word of each lane at a time.
    for (uint32_t part = 0; part < words.words_per_lane; ++part) {
      const uint32_t before = result.passes;
      result.passes += steps_of_half_warp(
          half, reads, [&](uint32_t step, const Asked& asked) { serve(before + step, asked); });
      for (Asked& asked : half) ++asked.word;
    }
  }
  return result;
}

/// Largest number of distinct keys in one bank among the lanes [first, first + lanes). A word's bank and key
/// come from `place_of`.
template <class F>
uint32_t fullest_bank(const LaneWords& words, int first, int lanes, bool every_lane_counts, F&& place_of) {
  std::array<std::vector<uint32_t>, 32> keys;
  for (size_t n = 0; n < words.count; ++n) {
    if (words.lane[n] < first || words.lane[n] >= first + lanes) continue;
    for (uint32_t part = 0; part < words.words_per_lane; ++part) {
      const auto [bank, key] = place_of(words.word[n] + part);
      if (every_lane_counts || std::ranges::find(keys[bank], key) == keys[bank].end())
        keys[bank].push_back(key);
    }
  }
  size_t most = 0;
  for (const auto& bank : keys) most = std::max(most, bank.size());
  return static_cast<uint32_t>(most);
}

struct Place {
  uint32_t bank = 0, key = 0;
};
Place four_byte_bank(uint32_t word) { return {word % 32, word}; }

SharedPasses passes_of_fermi(const LaneWords& words, uint32_t bytes, bool every_lane_counts) {
  SharedPasses result{
      .requests = 1, .passes = 0, .ideal = static_cast<uint32_t>((words.count * bytes + 127) / 128)};
  if (words.words_per_lane >= 4) {
    // "One must add 1 to the maximum number of threads in a quarter-warp that access different addresses
    // belonging to the same bank": the conflicts of each half-warp.
    uint32_t most = 0;
    for (int first = 0; first < kLanes; first += kLanes / 4)
      most = std::max(most, fullest_bank(words, first, kLanes / 4, every_lane_counts, four_byte_bank));
    uint32_t halves = 0;
    for (int first = 0; first < kLanes; first += kLanes / 2)
      halves += fullest_bank(words, first, kLanes / 2, every_lane_counts, four_byte_bank) != 0;
    result.passes = halves * (1 + most);
    return result;
  }
  const int group = words.words_per_lane == 2 ? kLanes / 2 : kLanes;
  for (int first = 0; first < kLanes; first += group)
    result.passes += fullest_bank(words, first, group, every_lane_counts, four_byte_bank);
  return result;
}

SharedPasses passes_of_kepler(const LaneWords& words, uint32_t bytes, bool every_lane_counts,
                              KeplerBanks banks) {
  SharedPasses result{
      .requests = 1, .passes = 0, .ideal = static_cast<uint32_t>((words.count * bytes + 255) / 256)};
  result.passes = fullest_bank(words, 0, kLanes, every_lane_counts, [&](uint32_t word) {
    return banks == KeplerBanks::EightBytes ? Place{word / 2 % 32, word / 2} : Place{word % 32, word / 64};
  });
  return result;
}

/// The lanes that share a word in a pass, by pass and bank.
class Words {
 public:
  explicit Words(BankReport& report) : report_(report) {}
  void add(uint32_t pass, const Asked& asked) {
    const auto is_it = [&](const BankWord& word) {
      return word.wavefront == pass && word.word == asked.word;
    };
    auto found = std::ranges::find_if(report_.words, is_it);
    if (found == report_.words.end())
      found = report_.words.insert(
          found, {.wavefront = static_cast<uint16_t>(pass),
                  .bank = static_cast<uint8_t>(asked.word % static_cast<uint32_t>(report_.banks)),
                  .word = asked.word,
                  .lanes = {}});
    found->lanes.bits |= 1u << asked.lane;
  }
  void sort() {
    std::ranges::sort(report_.words, {},
                      [](const BankWord& word) { return std::tuple(word.wavefront, word.bank, word.word); });
  }

 private:
  BankReport& report_;
};

/// 2.x and 3.x: the n-th different key of a bank is served in the n-th pass of its group of lanes.
template <class F>
void serve_groups(const LaneWords& words, int group, bool every_lane_counts, F&& place_of, Words& served) {
  uint32_t before = 0;
  for (int first = 0; first < kLanes; first += group) {
    std::array<std::vector<uint32_t>, 32> keys;
    for (size_t n = 0; n < words.count; ++n) {
      if (words.lane[n] < first || words.lane[n] >= first + group) continue;
      for (uint32_t part = 0; part < words.words_per_lane; ++part) {
        const uint32_t word = words.word[n] + part;
        const auto [bank, key] = place_of(word);
        auto known = every_lane_counts ? keys[bank].end() : std::ranges::find(keys[bank], key);
        if (known == keys[bank].end()) known = keys[bank].insert(known, key);
        served.add(before + static_cast<uint32_t>(known - keys[bank].begin()), {words.lane[n], word});
      }
    }
    size_t most = 0;
    for (const auto& bank : keys) most = std::max(most, bank.size());
    before += static_cast<uint32_t>(most);
  }
}

}  // namespace

BankReport device_banks(const WarpAccess& access, int compute_capability) {
  if (compute_capability >= 50) return count_banks(access);
  const SharedPasses passes = count_shared_passes(access, compute_capability);
  BankReport report{.compute_capability = compute_capability,
                    .banks = compute_capability < 20 ? kBanks16 : kBanks,
                    .wavefronts = static_cast<uint16_t>(passes.passes),
                    .address_wavefronts = static_cast<uint16_t>(passes.passes),
                    .ideal = static_cast<uint16_t>(passes.ideal),
                    .words = {}};
  if (passes.requests == 0) return report;
  const LaneWords words(access);
  Words served(report);
  const bool updates = access.operation.kind == Kind::Atomic || access.operation.kind == Kind::Reduction;
  if (compute_capability < 20) {
    passes_of_16_banks(words, access.operation.kind == Kind::Load,
                       [&](uint32_t pass, const Asked& asked) { served.add(pass, asked); });
  } else if (compute_capability < 30) {
    serve_groups(words, words.words_per_lane >= 2 ? kLanes / 2 : kLanes, updates, four_byte_bank, served);
  } else {
    serve_groups(words, kLanes, updates, [](uint32_t word) { return Place{word % 32, word / 64}; }, served);
  }
  served.sort();
  return report;
}

SharedPasses count_shared_passes(const WarpAccess& access, int compute_capability, KeplerBanks kepler) {
  if (access.operation.space != trace::Space::Shared || !access.active.any()) return {};
  if (compute_capability >= 50) return {1, count_wavefronts(access), count_ideal_wavefronts(access)};
  const LaneWords words(access);
  const bool updates = access.operation.kind == Kind::Atomic || access.operation.kind == Kind::Reduction;
  if (compute_capability < 20)
    return passes_of_16_banks(words, access.operation.kind == Kind::Load, [](uint32_t, const Asked&) {});
  if (compute_capability < 30) return passes_of_fermi(words, access.operation.bytes_per_lane, updates);
  return passes_of_kepler(words, access.operation.bytes_per_lane, updates, kepler);
}

}  // namespace lanescope::model
