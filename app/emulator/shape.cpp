#include "emulator/shape.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include <xxhash.h>

namespace lanescope::emulator {
namespace {

constexpr size_t kMostShapes = 512;

/// Longer than any region of memory, and short enough that sums of a few do not overflow.
constexpr int64_t kLongest = int64_t{1} << 40;
bool is_long(int64_t number) { return number > kLongest || number < -kLongest; }

/// The base, steps and rows of the warps.
struct Numbers {
  int64_t of[3 * Shape::kMostWarps];
};
Numbers numbers_of(const Shape& shape) {
  Numbers all;
  std::memcpy(all.of, shape.base, sizeof shape.base);
  std::memcpy(all.of + Shape::kMostWarps, shape.step, sizeof shape.step);
  std::memcpy(all.of + 2 * Shape::kMostWarps, shape.row, sizeof shape.row);
  return all;
}

/// What follows from the base, steps and rows. Method: the lanes at the corners of a warp are the outermost.
void describe(Shape& shape, uint32_t warps, uint32_t row_lanes) {
  const uint32_t rows = kLanes / row_lanes;
  for (uint32_t w = 0; w < warps; ++w) {
    const int64_t base = shape.base[w];
    const int64_t step = shape.step[w];
    const int64_t row = shape.row[w];
    shape.bits |= static_cast<uint64_t>(base | step | row);
    shape.base_bits |= static_cast<uint64_t>(base);
    shape.is_uniform = shape.is_uniform && step == 0 && row == 0;
    shape.has_same_steps = shape.has_same_steps && step == shape.step[0] && row == shape.row[0];
    shape.is_long = shape.is_long || is_long(base) || is_long(step) || is_long(row);
    if (shape.is_long) continue;
    shape.is_affine = shape.is_affine && (rows == 1 || row == step * row_lanes);
    const int64_t along = step * (row_lanes - 1);
    const int64_t down = row * (rows - 1);
    const auto [lowest, highest] = std::minmax({base, base + along, base + down, base + along + down});
    shape.lowest = std::min(shape.lowest, lowest);
    shape.highest = std::max(shape.highest, highest);
  }
}

}  // namespace

Shapes::Shapes(size_t instructions, uint32_t warps, uint32_t row_lanes)
    : warps_(warps), row_lanes_(row_lanes), made_(instructions) {}

const Shape* Shapes::find(const Shape& numbers) {
  const Numbers wanted = numbers_of(numbers);
  const uint64_t hash = XXH3_64bits(&wanted, sizeof wanted);
  for (auto [at, end] = by_hash_.equal_range(hash); at != end; ++at) {
    const Numbers known = numbers_of(*at->second);
    if (std::memcmp(&known, &wanted, sizeof known) == 0) return at->second;
  }
  static constexpr Numbers kNone{};
  if (std::memcmp(&wanted, &kNone, sizeof wanted) == 0) return &kConstantShape;
  if (all_.size() == kMostShapes) return nullptr;
  auto made = std::make_unique<Shape>();
  std::ranges::copy(numbers.base, made->base);
  std::ranges::copy(numbers.step, made->step);
  std::ranges::copy(numbers.row, made->row);
  describe(*made, warps_, row_lanes_);
  all_.push_back(std::move(made));
  by_hash_.emplace(hash, all_.back().get());
  return all_.back().get();
}

bool Shapes::forget() {
  if (all_.size() < kMostShapes / 2 || all_.size() == kept_) return false;
  std::erase_if(by_hash_, [&](const auto& entry) {
    return std::ranges::none_of(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(kept_),
                                [&](const auto& kept) { return kept.get() == entry.second; });
  });
  all_.resize(kept_);
  std::ranges::fill(made_, Made{});
  return true;
}

}  // namespace lanescope::emulator
