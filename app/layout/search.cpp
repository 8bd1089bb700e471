#include "layout/search.h"

#include <algorithm>
#include <bit>

namespace lanescope::layout {
namespace {

constexpr uint32_t kBankBytes = 4 * model::kBanks;

/// None where the tile or an access is impossible with this arrangement.
std::optional<Candidate> tried(const Tile& tile, const Arrangement& arrangement,
                               const std::vector<Access>& accesses) {
  Tile changed = tile;
  changed.arrangement = arrangement;
  const auto placed = place(changed);
  if (!placed) return std::nullopt;
  Candidate candidate{.arrangement = arrangement, .excess = 0, .size_bytes = placed->size_bytes};
  for (const Access& access : accesses) {
    const auto cost = cost_of(*placed, access);
    if (!cost) return std::nullopt;
    candidate.excess += cost->excess();
  }
  return candidate;
}

std::vector<Arrangement> swizzles_of(uint32_t elements) {
  const int bits_of_tile = std::bit_width(elements - 1);
  std::vector<Arrangement> all;
  for (int bits = 1; bits <= 5; ++bits)
    for (int base = 0; base + 2 * bits <= bits_of_tile; ++base)
      for (int shift = bits; base + bits + shift <= bits_of_tile; ++shift)
        all.emplace_back(Swizzle{static_cast<uint32_t>(bits), static_cast<uint32_t>(base), shift});
  return all;
}

std::vector<Arrangement> paddings_of(uint32_t element_bytes) {
  std::vector<Arrangement> all;
  for (uint32_t elements = 1; elements * element_bytes < kBankBytes; ++elements)
    all.emplace_back(Padding{elements});
  return all;
}

}  // namespace

Result<Found> search(const Tile& tile, const std::vector<Access>& accesses) {
  Found found;
  TRY(const PlacedTile placed, place(plain(tile)));
  found.plain_bytes = placed.size_bytes;
  const auto offer = [&](const std::optional<Candidate>& candidate) {
    if (candidate && (!found.best || candidate->excess < found.best->excess)) found.best = candidate;
    return candidate && candidate->excess == 0;
  };
  found.plain_serves = offer(tried(tile, Plain{}, accesses));
  if (found.plain_serves) return found;
  const auto first_of = [&](const std::vector<Arrangement>& all) -> std::optional<Candidate> {
    for (const Arrangement& arrangement : all) {
      const auto candidate = tried(tile, arrangement, accesses);
      if (offer(candidate)) return candidate;
    }
    return std::nullopt;
  };
  found.swizzle = first_of(swizzles_of(placed.size_bytes / placed.element_bytes));
  found.padding = first_of(paddings_of(placed.element_bytes));
  return found;
}

}  // namespace lanescope::layout
