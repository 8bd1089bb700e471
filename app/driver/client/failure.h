// Failure of a kernel. All functions that need a context then return its result, as on a GPU until the
// process ends. Here lanescopeLaunches() clears the failure, so that the next cell of a notebook can run.
// Test: tests/unit/driver/client/*
#pragma once

#include "driver/client/cuda_api.h"

/// Result of the kernel that failed; CUDA_SUCCESS if none has.
CUresult kernel_failure(void);

/// Keeps the result of the first kernel that fails. Launches that were not made do not count.
void note_launch(CUresult result);

void forget_failure(void);
