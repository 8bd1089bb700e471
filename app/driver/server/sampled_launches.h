// Memory that is incomplete because only some blocks of a launch ran (`run --sample-blocks`), and the
// launches that read it. Method: after such a launch every allocation that it changed, or that its parameters
// let it write, is incomplete until it is freed; a launch reads what its parameters and variables lead it to
// (KernelParameter::may_be_read). Tests: tests/unit/driver/sampled_launches_test.cpp

#pragma once

#include "driver/server/device_memory.h"
#include "driver/server/requested_launch.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::driver {

class SampledLaunches {
 public:
  /// The launch that left an allocation incomplete.
  struct Origin {
    uint32_t launch = 0;  // number
    std::string kernel;   // as in the source
  };

  /// Notes a launch of which some blocks ran, or that read incomplete memory. `changed`: allocations.
  void note(const KernelLaunch& launch, const DeviceMemory& memory, const std::vector<uint32_t>& changed,
            uint32_t number);
  /// The origin of incomplete memory that the launch may read; nullopt if there is none.
  std::optional<Origin> incomplete_input(const KernelLaunch& launch, const DeviceMemory& memory) const;
  /// The allocation is new.
  void forget(uint32_t allocation) { incomplete_.erase(allocation); }

 private:
  std::map<uint32_t, Origin> incomplete_;  // [allocation]
};

/// Sentence for a launch that is not run because it would read incomplete memory.
std::string refusal_of(const SampledLaunches::Origin& origin);

}  // namespace lanescope::driver
