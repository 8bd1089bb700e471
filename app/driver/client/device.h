// The one device. Test: tests/unit/driver/client/*
#pragma once

#include "driver/client/cuda_api.h"

/// Result of driver_state(), else CUDA_ERROR_INVALID_DEVICE if `device` is not 0.
CUresult check_device(CUdevice device);

/// Attribute of the device, from the server; 0 if it is unknown.
int device_attribute(CUdevice_attribute attribute);
