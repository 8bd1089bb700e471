// A launch that the emulator repeats: PTX, parameters, and the memory that it may use, before and after it.
// Method: the context is synchronized before and after the launch. The memory is the module's variables, and
// every allocation that an aligned word of the parameters, of a variable or of captured memory points into.
// The driver gives the bounds of an allocation. Copies go to memory that the server allocates and both sides
// map. Test: tests/cli/gpu_run_test.cpp
#pragma once

#include "driver/forward/kept_module.h"
#include "driver/forward/launch_call.h"

#include <stdint.h>

struct CapturedLaunch;

/// Captures the memory, right before the launch. Null if that is not possible; the reason is reported.
struct CapturedLaunch* begin_capture(const struct Launch* launch, const struct KernelName* kernel,
                                     uint64_t number);

/// Captures the memory, right after the launch, and lets the emulator repeat the launch. `result`: of the
/// launch.
void end_capture(struct CapturedLaunch* captured, CUresult result);
