// A kernel on the GPU as it is, uninstrumented: buffers up, launch, buffers down.
// Tests: the target record_on_gpu (it needs a GPU); the argument bytes in tests/unit/gpu/plain_run_test.cpp

#pragma once

#include "gpu/driver.h"
#include "launch/launch.h"

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::gpu {

/// The kernel and its PTX. `name` is the file that messages name.
struct Kernel {
  std::string_view ptx;
  std::string name;
  std::string entry;
};

/// The bytes of each kernel parameter: a value's own, or the address of the buffer that it names.
std::vector<std::vector<std::byte>> parameter_bytes(const launch::Launch& launch,
                                                    const std::vector<uint64_t>& buffer_addresses);

/// Runs the kernel once and returns every buffer of the launch afterwards, [buffer of the launch]. After an
/// error of the kernel itself (Memory) this process can use the GPU no more.
Result<std::vector<launch::Contents>> run_plain(const Context& context, const Kernel& kernel,
                                                const launch::Launch& launch);

}  // namespace lanescope::gpu
