// The time of each launch, by two events of the driver right before and after it in its stream. Method: the
// events of launches that have ended are read when the program waits for the GPU anyway, when many are open,
// and at its end. Launches of a stream that a graph captures are not timed.
// Test: tests/cli/gpu_run_test.cpp
#pragma once

#include "driver/client/cuda_api.h"

#include <stdint.h>

/// Two events; null members: this launch is not timed.
struct LaunchTimer {
  CUcontext context;
  CUevent begin, end;
};

/// Right before a launch in the current context.
struct LaunchTimer begin_timer(CUstream stream);
/// Right after it. `result`: the launch's.
void end_timer(struct LaunchTimer timer, uint64_t number, CUstream stream, CUresult result);

/// Reports the launches that have ended.
void collect_times(void);
/// The same, and waits a moment for those that have not.
void collect_all_times(void);
/// Of this context, which goes.
void forget_times_of(CUcontext context);
