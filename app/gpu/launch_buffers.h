// A launch's buffers on the GPU and the parameters that name them, ready to be launched again and again.
// Tests: tests/unit/gpu/{launch_buffers,timing}_test.cpp

#pragma once

#include "gpu/driver.h"
#include "gpu/launch_images.h"
#include "launch/launch.h"

#include <optional>
#include <string>
#include <vector>

namespace lanescope::gpu {

/// What the buffers hold before: their initial contents, or whatever is there, for kernels that do not look.
enum class Filling : uint8_t { Initial, Any };

/// The bytes of each kernel parameter: a value's own, the address of the buffer or the handle of the texture
/// or surface that it names.
std::vector<std::vector<std::byte>> parameter_bytes(const launch::Launch& launch,
                                                    const std::vector<uint64_t>& buffer_addresses,
                                                    const std::vector<uint64_t>& image_handles);

class LaunchBuffers {
 public:
  static Result<LaunchBuffers> make(const Context& context, const launch::Launch& launch, Filling filling);

  /// From now on restore() puts back what the buffers hold now, their initial contents, and what the
  /// module's variables hold. It takes as much memory again; what has no room comes from the host each time.
  Result<void> keep(const Context& context, const Module& module, const std::vector<std::string>& variables);
  /// Queues the copies; those within the GPU are not waited for. Without keep() it does nothing.
  Result<void> restore();
  Result<void> launch(const Module& module, const std::string& entry, const launch::Launch& launch,
                      LaunchKind kind);

  /// What they hold now: waits for the kernel, and takes what it wrote to surfaces.
  Result<std::vector<launch::Contents>> download();

  const std::vector<Buffer>& buffers() const { return buffers_; }

 private:
  std::vector<Buffer> buffers_;
  LaunchImages images_;                      // over the buffers
  std::vector<launch::Contents> initial_;    // [buffer]
  std::vector<std::optional<Buffer>> kept_;  // [buffer], none where there was no room
  struct KeptVariable {
    uint64_t address;
    Buffer contents;
  };
  std::vector<KeptVariable> variables_;
  std::vector<std::vector<std::byte>> parameters_;
  std::vector<void*> pointers_;  // into parameters_
};

}  // namespace lanescope::gpu
