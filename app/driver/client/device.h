// The one device. Test: tests/unit/driver/client/*
#pragma once

#include "driver/client/cuda_api.h"

/// driver_state(), then CUDA_ERROR_INVALID_DEVICE where `device` is not the one there is.
CUresult check_device(CUdevice device);

/// An attribute as the server said it; 0 where it is unknown.
int device_attribute(CUdevice_attribute attribute);
