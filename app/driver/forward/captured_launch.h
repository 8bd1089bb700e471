// A launch that the emulator repeats: PTX, parameters, and the memory that it may use, before and after it.
// Method: the context is synchronized before and after the launch. The memory is every allocation that an
// aligned word of the parameters points into, or of the module's variables, or of such an allocation, and so
// on; the driver says where an address's allocation begins and ends. Copies go to memory that the server
// allocates and both map. Test: tests/cli/gpu_run_test.cpp
#pragma once

#include "driver/forward/kept_module.h"
#include "driver/forward/launch.h"

#include <stdint.h>

struct CapturedLaunch;

/// Right before the launch. Null where it cannot be captured, which is reported with the reason.
struct CapturedLaunch* begin_capture(const struct Launch* launch, const struct KernelName* kernel,
                                     uint64_t number);

/// Right after it. `result`: the launch's.
void end_capture(struct CapturedLaunch* captured, CUresult result);
