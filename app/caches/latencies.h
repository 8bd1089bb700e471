// Latencies of a load, in cycles of the multiprocessor, by the level that has it. MODEL: first guesses for an
// H100, from the times of its launches; not fitted since. Measured by a chain of loads on an H200 at
// 1.98 GHz: L1 40, L2 287 (1 MiB) to 405 (20 MB), DRAM 690 to 704, so the guesses are a lower bound there.
// Source: tests/data/caches/README.md.

#pragma once

namespace lanescope::caches {

using Cycles = double;

inline constexpr Cycles kL1Latency = 35;
inline constexpr Cycles kL2Latency = 270;
inline constexpr Cycles kHomeLatency = 470;  // in the other partition of the L2
inline constexpr Cycles kDramLatency = 650;

}  // namespace lanescope::caches
