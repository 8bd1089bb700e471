// The devices, which are alike. Test: tests/unit/driver/client/*
#pragma once

#include "driver/client/cuda_api.h"

/// Result of driver_state(), else CUDA_ERROR_INVALID_DEVICE if there is no device of this number.
CUresult check_device(CUdevice device);

/// Attribute of every device, from the server; 0 if it is unknown.
int device_attribute(CUdevice_attribute attribute);
