// What `lanescope run` is told of the launches that go to the driver. Test: tests/cli/gpu_run_test.cpp
#pragma once

#include "driver/client/cuda_api.h"
#include "driver/messages.h"

#include <stdint.h>

/// Notes a launch before it is made. False where nobody listens: then it is just made.
int report_launch(const char* kernel, uint64_t module, const struct LanescopeLaunch* shape, uint64_t* number,
                  int* is_wanted);

/// The driver did not make it.
void report_failure(uint64_t number, CUresult result);

/// Why a launch that was to be captured was not. Ends the capture.
void report_not_captured(uint64_t number, const char* sentence);

/// Whether images of modules are needed.
int wants_captures(void);
