// The driver that calls are passed on to: a library of its own, whose path `lanescope run` says. Method:
// every function that cuda.h declares and no source here defines is written by generate.py and passes its
// arguments on as they are; undocumented tables come from the real driver untouched. Test:
// tests/cli/gpu_run_test.cpp
#pragma once

#include "driver/client/cuda_api.h"

#include <lanescope_driver_names.h>  // written by generate.py

/// [its number] the real driver's function. One that it does not have answers CUDA_ERROR_NOT_FOUND; without a
/// driver all answer CUDA_ERROR_NO_DEVICE.
extern void* real_functions[];
extern const char* const real_names[];

/// The real driver's function of this name.
#define REAL(name) ((__typeof__(&name))real_functions[kNumberOf_##name])

/// Whether a driver was opened.
int has_real_driver(void);
