// A device of assets/devices as a program asks the driver for it. What its file does not say is what all GPUs
// of its compute capability have. Source: CUDA C++ Programming Guide, "Compute Capabilities"; the numbers of
// the attributes are those of CUdevice_attribute. Tests: tests/unit/driver/driver_process_test.cpp

#pragma once

#include "driver/messages.h"
#include "model/device.h"

namespace lanescope::driver {

LanescopeDevice device_attributes(const model::Device& device);

}  // namespace lanescope::driver
