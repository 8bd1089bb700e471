// Which lanes use which byte of the 128-byte lines that an access touches: the data of a sector figure.
// Tests: tests/unit/plot/line_bytes_test.cpp

#pragma once

#include "model/sectors.h"
#include "trace/access.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace lanescope::plot {

inline constexpr uint32_t kSectorsPerLine = model::kLineBytes / model::kSectorBytes;

/// Adjacent bytes of a line that the same lanes use.
struct ByteRun {
  uint32_t first = 0;
  uint32_t count = 0;
  LaneMask lanes;
};

struct LineBytes {
  uint64_t address = 0;                            // of its first byte
  std::array<bool, kSectorsPerLine> moved{};       // [sector]
  std::array<uint32_t, kSectorsPerLine> wanted{};  // bytes, [sector]
  std::array<LaneMask, kSectorsPerLine> lanes{};   // [sector]
  std::vector<ByteRun> runs;                       // rising; unused bytes are in none

  uint32_t bytes_moved() const;
  uint32_t bytes_wanted() const;
};

/// The lines in rising order of address.
std::vector<LineBytes> lines_of(const trace::WarpAccess& access, const model::SectorReport& report);

}  // namespace lanescope::plot
