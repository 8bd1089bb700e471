// Driver attributes of a device of assets/devices. An attribute that the device's file lacks is that of all
// GPUs of the compute capability. Source: CUDA C++ Programming Guide, "Compute Capabilities"; attributes have
// the numbers of CUdevice_attribute. Tests: tests/unit/driver/driver_process_test.cpp

#pragma once

#include "driver/messages.h"
#include "model/device.h"

namespace lanescope::driver {

LanescopeDevice device_attributes(const model::Device& device);

}  // namespace lanescope::driver
