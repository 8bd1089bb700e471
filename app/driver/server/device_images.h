// Texture and surface objects of a program. An object describes texels in an allocation of the device; its
// handle is what a kernel gets, and is found by the emulator (emulator/memory/image.h).
// Tests: tests/unit/driver/device_images_test.cpp, tests/cli/texture_program_test.cpp

#pragma once

#include "base/error.h"
#include "driver/messages.h"
#include "emulator/memory/image.h"
#include "emulator/memory/region.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace lanescope::driver {

class DeviceImages {
 public:
  /// Handle of a new object over memory of an allocation; `regions`: [number of the allocation]. As on a GPU,
  /// coordinates that are not normalized neither wrap nor mirror, and a texture over linear memory has no
  /// filter. `payload`: a LanescopeImage. Errors: Launch where CUDA cannot make such an object; Usage where
  /// its texels lie outside of an allocation.
  Result<uint64_t> make(std::string_view payload, const std::vector<emulator::Region>& regions);
  /// Errors: Usage if there is no such object.
  Result<void> end(uint64_t handle);
  /// Ends all objects over an allocation.
  void end_those_over(uint32_t allocation);
  /// [number of the handle] The objects, with texels in `regions`, the memory of a run; without texels where
  /// an object has ended.
  std::vector<emulator::Image> over(const std::vector<emulator::Region>& regions) const;

 private:
  struct Object {
    emulator::Image image;
    uint64_t offset_bytes = 0;  // of the first texel in its allocation
    bool is_live = false;
  };
  std::vector<Object> objects_;  // [number of the handle]
};

}  // namespace lanescope::driver
