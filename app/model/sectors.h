// 32-byte sectors and 128-byte lines of one warp access to global or local memory, compute capability 5.0 and
// later. Method: distinct sectors and lines of the active lanes' bytes; each counts once, for any width.
// Local memory is interleaved by lane: word w of lane l is at 128 w + 4 l of the warp's local space. Source:
// Nsight Compute documentation, "sector"; measured: l1tex__t_sectors_pipe_lsu_mem_global_op_* on an H200.
// MODEL for local memory: the guide ("Local Memory") says that consecutive 32-bit words are accessed by
// consecutive threads, the rest is a literal reading of that sentence. Tests:
// tests/unit/model/sectors_test.cpp

#pragma once

#include "trace/access.h"

#include <cstdint>
#include <vector>

namespace lanescope::model {

inline constexpr uint32_t kSectorBytes = 32;
inline constexpr uint32_t kLineBytes = 128;
inline constexpr uint32_t kLocalWordBytes = 4;

/// Offset of byte `offset` of a lane's local memory in the local memory of its warp.
constexpr uint64_t interleaved_address(int lane, uint64_t offset) {
  return offset / kLocalWordBytes * kLineBytes + static_cast<uint64_t>(lane) * kLocalWordBytes +
         offset % kLocalWordBytes;
}

struct SectorUse {
  uint64_t address = 0;  // of its first byte: normal form, or in the warp's local memory
  LaneMask lanes;        // the lanes that access it
  uint32_t bytes = 0;    // bit b: byte b of the sector is useful
};

/// Aligned bytes that are transferred at once.
struct Segment {
  uint64_t address = 0;  // of its first byte
  uint32_t bytes = 0;    // 32, 64 or 128
};

struct SectorReport {
  uint16_t sectors = 0;        // transactions of GPUs before 5.0
  uint16_t ideal_sectors = 0;  // the distinct useful bytes, packed: ceil(bytes / 32)
  uint16_t lines = 0;
  uint32_t bytes_wanted = 0;    // distinct bytes
  std::vector<SectorUse> used;  // rising address; transferred ones without useful bytes have no lanes
  // Of GPUs before 5.0, in the order of the rules: a transaction each. Empty since: sectors are transferred.
  std::vector<Segment> segments = {};
  int compute_capability = 90;  // whose rules count; below 2.0 the lanes of a half-warp are served together
};

/// Empty for shared and constant memory, which have no sectors.
SectorReport count_sectors(const trace::WarpAccess& access);

}  // namespace lanescope::model
