// Which DRAM partition the bytes of each block go to, separately for reads and writes. Method: each distinct
// sector of an access counts 32 bytes at the partition of its address; a block's accesses come from the
// trace. MODEL: every buffer starts at partition 0 (cudaMalloc aligns further than one round of partitions),
// and the map itself is the device's (GT200: 8 partitions x 256 bytes; source: NVIDIA, "Optimizing Matrix
// Transpose in CUDA", 2010). Tests: tests/unit/model/partitions_test.cpp

#pragma once

#include "model/device.h"
#include "trace/trace.h"

#include <bit>
#include <cstdint>
#include <vector>

namespace lanescope::model {

/// Partition of a global address in normal form; 0 if the device's map is not known.
uint32_t partition_of(uint64_t address, const PartitionMap& map);

/// The pieces of a linear map, without divisions if width and count are powers of two, as they nearly always
/// are. Needs a known map.
class PartitionPieces {
 public:
  explicit PartitionPieces(const PartitionMap& map)
      : width_(map.width_bytes),
        count_(map.count),
        shift_(std::has_single_bit(map.width_bytes) ? std::countr_zero(map.width_bytes) : -1),
        mask_(std::has_single_bit(map.count) ? map.count - 1 : 0) {}

  uint64_t width() const { return width_; }
  uint32_t count() const { return count_; }
  /// The number of the piece of `width` bytes that contains an offset of a buffer.
  uint64_t piece_at(uint64_t offset) const { return shift_ >= 0 ? offset >> shift_ : offset / width_; }
  uint32_t partition_of(uint64_t piece) const {
    return static_cast<uint32_t>(mask_ != 0 ? piece & mask_ : piece % count_);
  }

 private:
  uint64_t width_;
  uint32_t count_;
  int shift_;
  uint64_t mask_;
};

/// Loads and asynchronous copies read, stores write, atomics and reductions do both. Local memory is
/// excluded: its location in the DRAM is not known.
struct PartitionReport {
  /// Whether the device's map is known. If not (a hash, as on a recent GPU), `partitions` is 0 and the lists
  /// of bytes are empty: there is nothing to draw, and the figure says so.
  bool known() const { return partitions != 0; }

  uint32_t partitions = 0;
  uint32_t blocks_in_flight = 0;        // resident at once on the device: the first wave
  std::vector<CtaId> blocks;            // stored blocks in launch order
  std::vector<uint32_t> read_bytes;     // [block][partition]
  std::vector<uint32_t> written_bytes;  // [block][partition]
  double read_effective = 0;  // 1 / sum(share^2) over the first wave: effective number of partitions
  double written_effective = 0;
  uint64_t blocks_missing = 0;  // blocks of the grid that the trace did not store
};

PartitionReport map_partitions(const trace::Trace& trace, const Device& device);
/// Adds the report of blocks after those of `report`, of the same launch and device.
void append(PartitionReport& report, const PartitionReport& later);

}  // namespace lanescope::model
