// Contexts, and each thread's stack of contexts. A context's memory, modules, streams and events end with it.
// Test: tests/unit/driver/client/*
#pragma once

#include "driver/client/cuda_api.h"
#include "driver/client/handle.h"

/// Finds the context on top of the thread's stack. Errors: that of driver_state(); kernel_failure() if a
/// kernel has failed; CUDA_ERROR_INVALID_CONTEXT if the stack is empty; CUDA_ERROR_CONTEXT_IS_DESTROYED.
CUresult current_context(CUcontext* context);

/// Checks that the thread has a current context. Errors: those of current_context().
CUresult check_context(void);
