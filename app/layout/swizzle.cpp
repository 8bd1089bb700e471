#include "layout/swizzle.h"

#include <array>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>

namespace lanescope::layout {
namespace {

constexpr int kMostBits = 16;      // of an offset in shared memory, with room to spare
constexpr int kMostOfPart = 4096;  // of a phase, a vector or a padding

/// `count` whole numbers with commas between them.
std::optional<std::array<int, 3>> numbers_in(std::string_view text, size_t count) {
  std::array<int, 3> numbers{};
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  for (size_t n = 0; n < count; ++n) {
    if (n != 0) {
      if (at == end || *at != ',') return std::nullopt;
      ++at;
    }
    const auto [next, error] = std::from_chars(at, end, numbers[n]);
    if (error != std::errc()) return std::nullopt;
    at = next;
  }
  if (at != end) return std::nullopt;
  return numbers;
}

}  // namespace

uint32_t apply(const Swizzle& swizzle, uint32_t offset) {
  const uint32_t mask = (uint32_t{1} << swizzle.bits) - 1;
  if (swizzle.shift >= 0) return offset ^ (offset >> swizzle.shift & mask << swizzle.base);
  const uint32_t taken = offset & mask << swizzle.base;
  return offset ^ taken << -swizzle.shift;
}

uint32_t apply(const TritonSwizzle& swizzle, uint32_t line, uint32_t place) {
  const uint32_t phase = line / swizzle.per_phase % swizzle.max_phase;
  return (place / swizzle.vec ^ phase) * swizzle.vec + place % swizzle.vec;
}

std::string name_of(const Arrangement& arrangement) {
  struct Name {
    std::string operator()(const Plain& /*plain*/) const { return "plain"; }
    std::string operator()(const Swizzle& one) const {
      return fmt::format("Swizzle<{},{},{}>", one.bits, one.base, one.shift);
    }
    std::string operator()(const TritonSwizzle& one) const {
      return fmt::format("Triton ({},{},{})", one.vec, one.per_phase, one.max_phase);
    }
    std::string operator()(const Padding& one) const { return fmt::format("padding {}", one.elements); }
  };
  return std::visit(Name{}, arrangement);
}

Result<Swizzle> parse_swizzle(std::string_view text) {
  const auto numbers = numbers_in(text, 3);
  if (!numbers)
    return fail(ErrorKind::Usage,
                fmt::format("a swizzle is B,M,S as in Swizzle<3,3,3>, for example 3,3,3; found '{}'",
                            text.substr(0, 60)));
  const auto [bits, base, shift] = *numbers;
  const auto within = [](int value, int lowest) { return value >= lowest && value <= kMostBits; };
  if (!within(bits, 0) || !within(base, 0) || !within(shift, -kMostBits) ||
      bits + base + std::abs(shift) > kMostBits)
    return fail(ErrorKind::Usage,
                fmt::format("B and M of a swizzle are at least 0, and B + M + |S| at most {}; found '{}'",
                            kMostBits, text.substr(0, 60)));
  if (std::abs(shift) < bits)
    return fail(ErrorKind::Usage,
                fmt::format("the shift S of a swizzle is at least B, so that no bit is XORed with itself; "
                            "found '{}'",
                            text.substr(0, 60)));
  return Swizzle{static_cast<uint32_t>(bits), static_cast<uint32_t>(base), shift};
}

Result<TritonSwizzle> parse_triton(std::string_view text) {
  const auto numbers = numbers_in(text, 3);
  const auto fits = [](int value) {
    return value >= 1 && value <= kMostOfPart && std::has_single_bit(static_cast<unsigned>(value));
  };
  if (!numbers || !fits((*numbers)[0]) || !fits((*numbers)[1]) || !fits((*numbers)[2]))
    return fail(ErrorKind::Usage,
                fmt::format("Triton's swizzle is VEC,PER_PHASE,MAX_PHASE, each a power of two up to {}, for "
                            "example 8,1,8; found '{}'",
                            kMostOfPart, text.substr(0, 60)));
  return TritonSwizzle{static_cast<uint32_t>((*numbers)[0]), static_cast<uint32_t>((*numbers)[1]),
                       static_cast<uint32_t>((*numbers)[2])};
}

Result<Padding> parse_padding(std::string_view text) {
  const auto numbers = numbers_in(text, 1);
  if (!numbers || (*numbers)[0] < 0 || (*numbers)[0] > kMostOfPart)
    return fail(ErrorKind::Usage,
                fmt::format("a padding is the number of elements after each row, from 0 to {}, for example "
                            "8; found '{}'",
                            kMostOfPart, text.substr(0, 60)));
  return Padding{static_cast<uint32_t>((*numbers)[0])};
}

}  // namespace lanescope::layout
