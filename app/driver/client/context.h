// Contexts, and each thread's stack of them. What belongs to one goes with it: memory, modules, streams,
// events. Test: tests/unit/driver/client/*
#pragma once

#include "driver/client/cuda_api.h"
#include "driver/client/handle.h"

/// The context on top of the thread's stack. CUDA_ERROR_NOT_INITIALIZED, CUDA_ERROR_INVALID_CONTEXT where
/// there is none, CUDA_ERROR_CONTEXT_IS_DESTROYED, kernel_failure() where a kernel has failed.
CUresult current_context(CUcontext* context);

/// The same for who needs to know only that there is one.
CUresult check_context(void);
