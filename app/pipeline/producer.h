// Who runs the kernel that is shown.

#pragma once

#include <cstdint>

namespace lanescope::pipeline {

enum class Producer : uint8_t { Emulator, Gpu };

}  // namespace lanescope::pipeline
