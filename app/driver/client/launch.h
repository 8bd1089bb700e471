// Making of a launch whose parameters are packed. Test: tests/unit/driver/client/launch_test.cpp
#pragma once

#include "driver/client/packed_launch.h"

/// Runs the kernel as work of the stream. CUDA_ERROR_INVALID_HANDLE if its module is unloaded.
CUresult run_launch(const struct PackedLaunch* packed, CUstream stream);
