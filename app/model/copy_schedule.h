// Wavefronts of an asynchronous copy (cp.async, LDGSTS), which reads global memory through the banks of the
// L1 and writes shared memory. Method: a wavefront of a copy through the L1 uses each bank once for reading
// and once for writing, and equal words are not merged on either side; lanes whose banks are free go
// together. A copy past the L1 (.cg) moves at once what 8 neighboring lanes take from one line to one row of
// 128 bytes, as far as its chunks of 16 bytes are exchanged by one XOR of their numbers, or shifted by one
// distance that leaves each sector whole. NVIDIA documents none of this; measured: tests/data/copies.csv.gz.
// MODEL: the order in which lanes go where both sides conflict, and copies past the L1; the tests say for how
// many measured patterns each is exact. Tests: tests/unit/model/copy_schedule_test.cpp

#pragma once

#include "trace/access.h"

#include <array>
#include <cstdint>

namespace lanescope::model {

struct CopySchedule {
  std::array<uint16_t, kLanes> wavefront{};  // [lane] that moves its bytes; of active lanes
  uint16_t wavefronts = 0;                   // memory_l1_wavefronts_shared
  uint16_t ideal = 0;                        // memory_l1_wavefronts_shared_ideal
};

/// `access`: the write to shared memory of an asynchronous copy. Where its source is not known, the banks
/// of the source are taken to be free.
CopySchedule schedule_copy(const trace::WarpAccess& access);

}  // namespace lanescope::model
