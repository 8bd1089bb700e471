// Time of each launch, by two events of the driver right before and after it in its stream. Method: events of
// launches that have ended are read when the program waits for the GPU, when many timers are open, and at the
// end of the program. Launches of a stream that a graph captures are not timed.
// Test: tests/cli/gpu_run_test.cpp
#pragma once

#include "driver/client/cuda_api.h"

#include <stdint.h>

/// Events before and after a launch; null members if the launch is not timed.
struct LaunchTimer {
  CUcontext context;
  CUevent begin, end;
};

/// Starts a timer, right before a launch in the current context.
struct LaunchTimer begin_timer(CUstream stream);
/// Ends the timer, right after the launch. `result`: of the launch.
void end_timer(struct LaunchTimer timer, uint64_t number, CUstream stream, CUresult result);

/// Reports the launches that have ended.
void collect_times(void);
/// Reports the launches that have ended, and waits up to 1 s for the others.
void collect_all_times(void);
/// Forgets the timers of a context that is to be destroyed.
void forget_times_of(CUcontext context);
