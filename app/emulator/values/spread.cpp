#include "emulator/values/spread.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include <xxhash.h>

namespace lanescope::emulator {
namespace {

constexpr size_t kMostSpreads = 256;  // kernels have about ten: adding a constant makes no new one

// Numbers are hashed and compared as bytes.
static_assert(sizeof(SpreadNumbers) == 3 * SpreadNumbers::kMostWarps * sizeof(int64_t));

/// True if the number is too long: sums of a few numbers that are not cannot overflow.
bool is_long(int64_t number) { return number > Spread::kLongest || number < -Spread::kLongest; }

bool are_equal(const SpreadNumbers& a, const SpreadNumbers& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

/// Derives the properties of a spread from its base, step and row numbers. Method: the lanes at the corners
/// of a warp have the lowest and the highest value.
void describe(Spread& spread, uint32_t warps, uint32_t row_lanes) {
  const uint32_t rows = kLanes / row_lanes;
  for (uint32_t w = 0; w < warps; ++w) {
    const int64_t base = spread.base[w];
    const int64_t step = spread.step[w];
    const int64_t row = spread.row[w];
    spread.bits |= static_cast<uint64_t>(base | step | row);
    spread.base_bits |= static_cast<uint64_t>(base);
    spread.is_uniform = spread.is_uniform && step == 0 && row == 0;
    spread.has_same_steps = spread.has_same_steps && step == spread.step[0] && row == spread.row[0];
    spread.is_long = spread.is_long || is_long(base) || is_long(step) || is_long(row);
    if (spread.is_long) continue;
    spread.is_affine = spread.is_affine && (rows == 1 || row == step * row_lanes);
    const int64_t along = step * (row_lanes - 1);
    const int64_t down = row * (rows - 1);
    const auto [lowest, highest] = std::minmax({base, base + along, base + down, base + along + down});
    spread.lowest = std::min(spread.lowest, lowest);
    spread.highest = std::max(spread.highest, highest);
  }
}

}  // namespace

Spreads::Spreads(size_t instructions, uint32_t warps, uint32_t row_lanes)
    : warps_(warps),
      row_lanes_(row_lanes),
      made_(instructions),
      places_(instructions),
      truths_(instructions) {}

const Spread* Spreads::find(const SpreadNumbers& numbers) {
  const uint64_t hash = XXH3_64bits(&numbers, sizeof numbers);
  for (auto [at, end] = by_hash_.equal_range(hash); at != end; ++at)
    if (are_equal(*at->second, numbers)) return at->second;
  if (are_equal(numbers, kConstantSpread)) return &kConstantSpread;
  if (all_.size() == kMostSpreads) return nullptr;
  auto made = std::make_unique<Spread>();
  static_cast<SpreadNumbers&>(*made) = numbers;
  describe(*made, warps_, row_lanes_);
  made->state = kInForm | kOnlyForm | (made->is_uniform ? kIsUniform : 0);
  made->number = ++numbered_;
  all_.push_back(std::move(made));
  by_hash_.emplace(hash, all_.back().get());
  return all_.back().get();
}

const Spread* Spreads::places_of(size_t instruction, const Spread& addresses,
                                 const std::vector<uint32_t>& starts) {
  Places& last = places_[instruction];
  if (last.of == &addresses) return last.places;
  SpreadNumbers numbers = addresses;
  for (uint32_t w = 0; w < warps_; ++w) numbers.base[w] += starts[w];
  last = {&addresses, find(numbers)};
  return last.places;
}

bool Spreads::forget() {
  if (all_.size() < kMostSpreads / 2 || all_.size() == kept_) return false;
  std::erase_if(by_hash_, [&](const auto& entry) {
    return std::ranges::none_of(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(kept_),
                                [&](const auto& kept) { return kept.get() == entry.second; });
  });
  all_.resize(kept_);
  std::ranges::fill(made_, Made{});
  std::ranges::fill(places_, Places{});
  for (auto& known : truths_) known.reset();
  return true;
}

}  // namespace lanescope::emulator
