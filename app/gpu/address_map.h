// Addresses of the machine that ran the kernel, turned into those of a trace: (buffer, offset), offsets in
// shared, local and constant memory as ptx::lower lays them out. Method: the launch's buffers lie where they
// were put, a kernel says where its variables are. Tests: tests/unit/gpu/instrument_test.cpp

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
  /// `variables` are indices in Program::variables, `variable_addresses` what the kernel said of them.
  AddressMap(const ptx::Program& program, const launch::Launch& launch,
             std::span<const uint64_t> buffer_addresses, std::span<const uint32_t> variables,
             std::span<const uint64_t> variable_addresses);

  /// A global address that is in no buffer comes out below 1 TiB (trace::has_buffer says no); of the other
  /// spaces one that is in no variable stays as it is.
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
