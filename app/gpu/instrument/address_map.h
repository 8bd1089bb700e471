// Translates addresses of the machine that ran the kernel into those of a trace: (buffer, offset), and
// offsets in shared, local and constant memory as ptx::lower lays them out. Method: the launch's buffers have
// known addresses, and the kernel reports those of its variables. Tests: tests/unit/gpu/instrument_test.cpp

#pragma once

#include "launch/launch.h"
#include "ptx/program.h"
#include "trace/site.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace lanescope::gpu {

class AddressMap {
 public:
  /// `variables` are indices in Program::variables, `variable_addresses` their addresses as the kernel
  /// reported them.
  AddressMap(const ptx::Program& program, const launch::Launch& launch,
             std::span<const uint64_t> buffer_addresses, std::span<const uint32_t> variables,
             std::span<const uint64_t> variable_addresses);

  /// A global address outside all buffers becomes one below 1 TiB (trace::has_buffer is false); in the other
  /// spaces an address outside all variables is unchanged.
  uint64_t normalized(trace::Space space, uint64_t address) const;

 private:
  struct Range {
    uint64_t begin = 0;
    uint64_t end = 0;
    uint64_t to = 0;
  };
  std::array<std::vector<Range>, 4> ranges_;  // [space]
};

}  // namespace lanescope::gpu
