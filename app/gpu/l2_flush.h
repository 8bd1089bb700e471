// Flushes the L2: what is timed or counted afterwards finds none of its buffers there.
// Method: a copy between two buffers, each twice as large as the cache. It leaves dirty lines, as an earlier
// kernel would. Tests: tests/unit/gpu/timing_test.cpp; that it is enough: on a GPU, dependent loads take as
// long in a small buffer as in one that is larger than the L2.

#pragma once

#include "gpu/driver.h"

namespace lanescope::gpu {

class L2Flush {
 public:
  static Result<L2Flush> make(const Context& context);
  /// Queues it; does not wait.
  Result<void> queue() { return to_.queue_copy(from_); }

 private:
  L2Flush(Buffer from, Buffer to) : from_(std::move(from)), to_(std::move(to)) {}
  Buffer from_;
  Buffer to_;
};

}  // namespace lanescope::gpu
