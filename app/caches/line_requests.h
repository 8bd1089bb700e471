// The lines that a request touches. Method: a list of lines in the order of the lanes, with the sectors and
// bytes of each; a warp touches 64 lines at most. Tests: tests/unit/caches/line_requests_test.cpp

#pragma once

#include "base/ids.h"
#include "caches/l1_cache.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace lanescope::caches {

struct TouchedLine {
  uint64_t number = 0;  // address / 128
  SectorMask sectors = 0;
  std::array<uint32_t, kSectorsOfLine> bytes{};  // [sector] bit n is byte n
};

class LineRequests {
 public:
  void clear() { count_ = 0; }
  std::span<const TouchedLine> lines() const { return {lines_.data(), count_}; }
  /// Adds bytes at an address of the GPU.
  void add(uint64_t address, uint32_t bytes) {
    while (bytes != 0) {
      const auto at = static_cast<uint32_t>(address % kSectorBytes);
      const uint32_t here = std::min(bytes, kSectorBytes - at);
      TouchedLine& line = line_of(address / kLineBytes);
      const auto sector = static_cast<uint32_t>(address % kLineBytes / kSectorBytes);
      line.sectors |= 1u << sector;
      line.bytes[sector] |= (here == kSectorBytes ? ~uint32_t{0} : (1u << here) - 1) << at;
      address += here;
      bytes -= here;
    }
  }

 private:
  TouchedLine& line_of(uint64_t number) {
    for (size_t n = count_; n-- != 0;)
      if (lines_[n].number == number) return lines_[n];
    lines_[count_] = {.number = number};
    return lines_[count_++];
  }

  std::array<TouchedLine, 2 * size_t{kLanes}> lines_;
  size_t count_ = 0;
};

}  // namespace lanescope::caches
