// A kernel that reads every sector of a piece of memory, past the L1: what fits the L2 is there afterwards.
// Tests: tests/unit/gpu/timing_test.cpp

#pragma once

#include "gpu/driver.h"

namespace lanescope::gpu {

class SectorReads {
 public:
  static Result<SectorReads> make(const Context& context);
  /// Queues the reads; does not wait.
  Result<void> queue(const Buffer& buffer) const;

 private:
  explicit SectorReads(Module module) : module_(std::move(module)) {}
  Module module_;
};

}  // namespace lanescope::gpu
