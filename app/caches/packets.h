// Packets of the path between the L1s and the L2 of an H200. Method: a line that is stored is a packet and
// one more for each sector; an atomic one for each sector, as often as lanes update one word; of a line that
// is loaded two sectors come in a packet. MODEL: NVIDIA documents none of this; measured with 16 MiB that the
// L2 holds (tests/data/caches/README.md, Between L1 and L2). Where loads and stores meet less was reached
// than each has alone, so packets of each direction are counted by themselves. Tests:
// tests/unit/caches/simulate_test.cpp

#pragma once

#include "caches/line_requests.h"
#include "caches/sector_mask.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lanescope::caches {

inline constexpr double kBytesOfLoadPacket = 2 * double{kSectorBytes};

constexpr uint64_t packets_of_load(SectorMask missing) {
  return (static_cast<uint64_t>(std::popcount(missing)) + 1) / 2;
}
/// `is_whole`: all 128 bytes are stored. MODEL: then the line has no packet of its own; a kernel of other
/// people that stores 16 MB so is 8 % faster than with one.
constexpr uint64_t packets_of_store(SectorMask stored, bool is_whole) {
  return (is_whole ? 0 : 1) + static_cast<uint64_t>(std::popcount(stored));
}
inline bool is_whole(const TouchedLine& line) {
  return std::ranges::all_of(line.bytes, [](uint32_t bytes) { return bytes == ~uint32_t{0}; });
}

/// Stores of a warp with no other request between them, as of the fields of structures one by one: what they
/// store of one sector counts as one packet. MODEL: a lower bound; five kernels of other people that store
/// vectors of three floats so are faster than with a packet for each (tests/data/caches/h200_programs.csv).
class RecentStores {
 public:
  void clear() { lines_.clear(); }
  /// Packets of the next store.
  uint64_t add(std::span<const TouchedLine> lines) {
    uint64_t packets = 0;
    const size_t before = lines_.size();
    for (const TouchedLine& line : lines) {
      const auto end = lines_.begin() + static_cast<std::ptrdiff_t>(before);
      const auto found =
          std::find_if(lines_.begin(), end, [&](const Line& each) { return each.number == line.number; });
      if (found == end) {
        packets += packets_of_store(line.sectors, is_whole(line));
        lines_.push_back({line.number, line.sectors});
      } else {
        packets += static_cast<uint64_t>(std::popcount(line.sectors & ~found->sectors));
        found->sectors |= line.sectors;
      }
    }
    if (lines_.size() > kMost) lines_.erase(lines_.begin(), lines_.end() - kMost);
    return packets;
  }

 private:
  struct Line {
    uint64_t number = 0;
    SectorMask sectors = 0;
  };
  static constexpr std::ptrdiff_t kMost = 64;
  std::vector<Line> lines_;
};

}  // namespace lanescope::caches
