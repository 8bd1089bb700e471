// A call that launches a kernel, in one form for all functions that a program may call.
// Test: tests/cli/gpu_run_test.cpp
#pragma once

#include "driver/client/cuda_api.h"
#include "driver/messages.h"

struct Launch {
  CUfunction function;
  struct LanescopeLaunch shape;
  CUstream stream;
  void** values;  // one of the two, or neither
  void** extra;
  const CUlaunchConfig* configuration;  // of cuLaunchKernelEx; null: of another function
};
