// Flushes the L2: what is timed or counted afterwards finds none of its buffers there, and no line that must
// be written back first. Method: reads a buffer of several times the cache. (A copy leaves dirty lines; the
// next kernel's time and DRAM traffic then contain their write-back: on an H200 15 to 30 % of the time of a
// transpose of 1024 x 1024.) Tests: tests/unit/gpu/timing_test.cpp; on a GPU: assets/recordings/README.md

#pragma once

#include "gpu/driver.h"
#include "gpu/sector_reads.h"

namespace lanescope::gpu {

class L2Flush {
 public:
  static Result<L2Flush> make(const Context& context);
  /// Queues it; does not wait.
  Result<void> queue() const { return reads_.queue(buffer_); }

 private:
  L2Flush(SectorReads reads, Buffer buffer) : reads_(std::move(reads)), buffer_(std::move(buffer)) {}
  SectorReads reads_;
  Buffer buffer_;
};

}  // namespace lanescope::gpu
