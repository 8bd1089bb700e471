// A lower bound for the time of a kernel on a device without a timing model. Method: the demand of the kernel
// on each level divided by the level's throughput; the slowest level decides, and a start time is added.
// Useful bytes go to the memory, bytes of sectors to the L2, 128-byte lines to the path to it, requests to
// the L1's tags, wavefronts to the data stage that the L1 and shared memory have in common, floating-point
// operations to the pipe of their type (these three on the multiprocessors that have a block), and each wave
// of blocks adds one latency. Where it is known how long each warp waits for its loads, as many wait at a
// time as a multiprocessor holds. Levels are assumed to overlap completely, which no kernel achieves: the
// true time is longer. MODEL: each useful byte is transferred from memory once, so reused data and data that
// stays in the L2 are counted too often; caches::demand_of() counts what the modelled caches transfer
// instead. The device's file says which numbers are fitted. Tests: tests/unit/model/bound_test.cpp,
// tests/unit/study/study_test.cpp (against recorded times)

#pragma once

#include "model/timing.h"

#include <array>
#include <optional>
#include <string_view>

namespace lanescope::model {

enum class Level : uint8_t { Memory, L2, Lines, SharedMemory, Latency, L1, Arithmetic };
inline constexpr size_t kLevels = 7;
std::string_view name_of(Level level);  // "shared_memory"

/// The demand of a run on the levels.
struct Work {
  // Bytes that the memory moves: active lanes x bytes of global memory, or what the modelled caches read and
  // write in the DRAM.
  double memory_bytes = 0;
  // Bytes that the L2 hands to the multiprocessors: 32 for each sector by the rules of compute capability 5.0
  // and later, or the room in the packets of the modelled caches.
  double l2_bytes = 0;
  // Lines of 128 bytes on the path to the L2, or as many packets of stores as a line takes.
  double path_lines = 0;
  double l1_tags = 0;        // cycles of the L1's tag stage, which looks up four lines in a cycle at best
  double l1_wavefronts = 0;  // cycles of the data stage for global and local memory
  double wavefronts = 0;     // of shared memory: cycles of the same data stage
  // Floating-point operations; those on integers are left out, since the assembler removes many.
  double fp16 = 0, fp32 = 0, fp64 = 0, tensor = 0, tensor8 = 0;
  double blocks = 0;
  uint32_t blocks_in_flight = 0;
  // Cycles for which warps wait for their loads, of all warps together and of the one that waits longest; 0
  // where the caches were not modelled.
  double warp_cycles = 0, longest_warp_cycles = 0;
  uint32_t resident_warps = 1;  // of a multiprocessor

  /// The same kernel with `factor` times as many equal blocks.
  Work times(double factor) const;
  bool operator==(const Work&) const = default;
};
/// Adds the floating-point operations of a run.
void add_operations(Work& work, const trace::Operations& operations);
/// From the totals of the whole grid.
Work work_of(const trace::Trace& trace, const Device& device);

struct BoundTerms {
  double start_seconds = 0;
  std::array<double, kLevels> level_seconds{};  // [level]
  Level limit = Level::Memory;                  // the slowest
  double seconds() const { return start_seconds + level_seconds[static_cast<size_t>(limit)]; }
};
/// The device with the bound of what a profiler times: the kernel alone, and no slower than kernels were seen
/// to be.
Device as_profiled(const Device& device);
/// Errors: Unsupported if the device's file has no [bound] or no [memory].
Result<BoundTerms> bound_of(const Work& work, const Device& device);

/// A report without partitions and windows: the bytes transferred by the device's rules, and the time by
/// bound_of(work) or, if the file has no [bound], those bytes divided by the memory's peak bandwidth. Errors:
/// Unsupported if the memory's bandwidth is not known.
Result<TimingReport> bound_memory(const trace::Trace& trace, const Device& device, const Work& work);

}  // namespace lanescope::model
