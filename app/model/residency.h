// Which blocks are in flight together: how many fit on a multiprocessor, by each of its limits, and the
// resulting waves. MODEL: blocks start in launch order, a whole wave at a time. From compute capability 5.0
// on registers are given to a warp in pieces of 256, by the quarter of the multiprocessor that it runs on,
// and shared memory to a block in pieces of 128 bytes: so the driver of an H100 (580.159, CUDA 13.0) counts
// resident blocks for 77 numbers of registers, 32 sizes of a block and 465 of shared memory, without a
// difference. Earlier devices are modelled without pieces. Registers are an estimate from the PTX unless the
// machine code is known (Trace::registers_per_thread) and limit only compute capability 2.0 and later:
// earlier devices had 32-bit pointers and another compiler. Source: CUDA C Programming Guide, technical
// specifications. Tests: tests/unit/model/residency_test.cpp

#pragma once

#include "model/device.h"
#include "model/partitions.h"
#include "trace/trace.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace lanescope::model {

enum class ResidencyLimit : uint8_t { Blocks, Warps, SharedMemory, Registers };
/// "blocks", "warps", "shared memory", "registers": in reports.
std::string_view name_of(ResidencyLimit limit);

struct Residency {
  uint32_t per_multiprocessor = 0;  // 1 for a block that does not fit on the device
  uint32_t in_flight = 0;           // on the whole device
  ResidencyLimit limit = ResidencyLimit::Blocks;
  // Blocks that each limit alone allows; no value if it is no limit.
  uint64_t by_blocks = 0;
  std::optional<uint64_t> by_warps, by_shared_memory, by_registers;
};

/// What a block takes of a multiprocessor.
struct BlockNeeds {
  uint32_t threads = 1;
  uint64_t shared_bytes = 0;          // of a block
  uint32_t registers_per_thread = 0;  // 0: not known
  bool operator==(const BlockNeeds&) const = default;
};
BlockNeeds needs_of(const trace::Trace& trace);
/// Warps of a block.
constexpr uint32_t warps_of(const BlockNeeds& needs) { return (needs.threads + kLanes - 1) / kLanes; }

Residency residency_of(const BlockNeeds& needs, const Device& device);
Residency residency_of(const trace::Trace& trace, const Device& device);

/// Blocks [first, end) in launch order.
struct Wave {
  uint32_t number = 0;
  uint32_t first = 0, end = 0;
  bool holds(CtaId cta) const { return cta.value >= first && cta.value < end; }
};
uint32_t wave_count(uint64_t blocks, uint32_t in_flight);
/// The last wave if `number` is larger.
Wave wave_of(uint64_t blocks, uint32_t in_flight, uint32_t number);

/// Bytes that the stored blocks of a wave transfer in each partition; empty if the map is not known.
struct WaveTraffic {
  std::vector<uint64_t> read_bytes, written_bytes;   // [partition]
  double read_effective = 0, written_effective = 0;  // 1 / sum(share^2)
  double read_busiest = 0, written_busiest = 0;      // share of the busiest partition
};
WaveTraffic traffic_of(const PartitionReport& report, const Wave& wave);

}  // namespace lanescope::model
