// Contexts, and each thread's stack of contexts. The top of the stack is the thread's current context.
// Test: tests/unit/driver/client/context_test.cpp
#pragma once

#include "driver/client/cuda_api.h"
#include "driver/client/handle.h"

#include <stdatomic.h>

enum { kMostLimits = CU_LIMIT_MAX };

struct CUctx_st {
  struct Handle handle;
  unsigned long long id;
  unsigned int flags;
  _Atomic int uses;  // of the primary one: retained and not released; of another: 1, and cuCtxAttach
  int is_primary;
  CUdevice device;
  _Atomic unsigned int peers;  // bit n: access to device n is enabled
  _Atomic size_t limits[kMostLimits];
  _Atomic int cache;
};

/// True if the context was made and is not destroyed; of the primary one: if it is retained.
int is_live_context(CUcontext context);

/// Finds the context on top of the thread's stack. Errors: that of driver_state(); kernel_failure() if a
/// kernel has failed; CUDA_ERROR_INVALID_CONTEXT if the stack is empty; CUDA_ERROR_CONTEXT_IS_DESTROYED.
CUresult current_context(CUcontext* context);

/// Checks that the thread has a current context. Errors: those of current_context().
CUresult check_context(void);

/// Puts a context on top of the thread's stack. CUDA_ERROR_INVALID_VALUE if the stack is full.
CUresult push_context(CUcontext context);

/// Top of the thread's stack, live or not; null if the stack is empty. pop_context() removes the top.
CUcontext top_context(void);
CUcontext pop_context(void);
