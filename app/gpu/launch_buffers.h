// A launch's buffers on the GPU and the parameters that name them, ready to be launched again and again.
// Tests: with a GPU all of tests/unit/gpu/plain_run_test.cpp

#pragma once

#include "gpu/plain_run.h"

namespace lanescope::gpu {

/// What the buffers hold before: their initial contents, or whatever is there, for kernels that do not look.
enum class Filling : uint8_t { Initial, Any };

class LaunchBuffers {
 public:
  static Result<LaunchBuffers> make(const Context& context, const launch::Launch& launch, Filling filling);

  /// From now on restore() puts back what the buffers hold now; takes as much memory again.
  Result<void> keep(const Context& context);
  /// Queues the copies; does not wait. Without keep() it does nothing.
  Result<void> restore();
  Result<void> launch(const Module& module, const std::string& entry, const launch::Launch& launch);

  const std::vector<Buffer>& buffers() const { return buffers_; }

 private:
  std::vector<Buffer> buffers_;
  std::vector<Buffer> kept_;
  std::vector<std::vector<std::byte>> parameters_;
  std::vector<void*> pointers_;  // into parameters_
};

}  // namespace lanescope::gpu
