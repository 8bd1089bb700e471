// The least time that a kernel can take on a device without a timing model of its own.
// Method: what the kernel asks of each level over what the level can do, the slowest level decides, and a
// start is added: wanted bytes over the memory, sectors over the L2, 128-byte lines over the way to it,
// wavefronts over the pipe of shared memory, and one latency for each wave of blocks that are in flight
// together. Levels are taken to overlap wholly, which no kernel does: the true time is longer. MODEL: each
// wanted byte goes to the memory once, so data that is used again is counted too often, and what stays in the
// L2 too. Which numbers are fitted stands in the device's file.
// Tests: tests/unit/model/bound_test.cpp, tests/unit/study/study_test.cpp (against recorded times)

#pragma once

#include "model/timing.h"

#include <array>
#include <optional>
#include <string_view>

namespace lanescope::model {

enum class Level : uint8_t { Memory, L2, Lines, SharedMemory, Latency };
inline constexpr size_t kLevels = 5;
std::string_view name_of(Level level);  // "shared_memory"

/// What a run asks of the levels.
struct Work {
  double wanted_bytes = 0;  // of global memory: active lanes x bytes
  double sectors = 0;       // of 32 bytes, by the rules of compute capability 5.0 and later
  double lines = 0;         // of 128 bytes
  double wavefronts = 0;    // of shared memory
  double blocks = 0;
  uint32_t blocks_in_flight = 0;

  /// The same kernel on so many times the blocks, each doing the same.
  Work times(double factor) const;
  bool operator==(const Work&) const = default;
};
/// From the totals of the whole grid.
Work work_of(const trace::Trace& trace, const Device& device);

struct BoundTerms {
  double start_seconds = 0;
  std::array<double, kLevels> level_seconds{};  // [level]
  Level limit = Level::Memory;                  // the slowest
  double seconds() const { return start_seconds + level_seconds[static_cast<size_t>(limit)]; }
};
/// Errors: Unsupported where the device's file has no [bound] or no [memory].
Result<BoundTerms> bound_of(const Work& work, const Device& device);

/// A report without partitions and windows: the bytes moved by the device's rules, and the time by bound_of,
/// or where the file has no [bound] those bytes over the memory's peak. Errors: Unsupported where the
/// memory's bandwidth is not known.
Result<TimingReport> bound_memory(const trace::Trace& trace, const Device& device);

}  // namespace lanescope::model
