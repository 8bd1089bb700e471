// Reports to `lanescope run` about launches that go to the driver. Test: tests/cli/gpu_run_test.cpp
#pragma once

#include "driver/client/cuda_api.h"
#include "driver/messages.h"

#include <stdint.h>

/// Reports a launch before it is made; `is_wanted`: it is to be captured. False if the server is not reached.
int report_launch(const char* kernel, uint64_t module, const struct LanescopeLaunch* shape, uint64_t* number,
                  int* is_wanted);

/// Reports that the driver did not make a launch.
void report_failure(uint64_t number, CUresult result);

/// Reports the reason why a launch was not captured. Ends the capture.
void report_not_captured(uint64_t number, const char* sentence);

/// True if any launch is to be captured, so that images of modules must be kept.
int wants_captures(void);
