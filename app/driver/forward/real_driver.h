// Driver that calls are passed on to: a separate library, whose path is in LANESCOPE_REAL_DRIVER_VARIABLE.
// Method: generate.py writes every function that cuda.h declares and no source here defines; it passes its
// arguments on unchanged, and so undocumented tables are the real driver's. Test: tests/cli/gpu_run_test.cpp
#pragma once

#include "driver/client/cuda_api.h"

#include <lanescope_driver_names.h>  // written by generate.py

/// [kNumberOf_NAME] Functions of the real driver. A function that the driver lacks answers
/// CUDA_ERROR_NOT_FOUND; without a driver, all answer CUDA_ERROR_NO_DEVICE.
extern void* real_functions[];
extern const char* const real_names[];

/// The real driver's function of this name.
#define REAL(name) ((__typeof__(&name))real_functions[kNumberOf_##name])

/// True if a driver was opened.
int has_real_driver(void);
