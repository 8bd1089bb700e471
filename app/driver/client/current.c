#include "driver/client/current.h"

#include "driver/client/connection.h"
#include "driver/client/failure.h"

enum { kMostContexts = 64 };

static __thread CUcontext stack[kMostContexts];
static __thread int depth;

int is_live_context(CUcontext context) { return live_handle(kContextHandle, context) && context->uses > 0; }

CUresult current_context(CUcontext* context) {
  TRY(driver_state());
  TRY(kernel_failure());
  if (depth == 0) return CUDA_ERROR_INVALID_CONTEXT;
  *context = stack[depth - 1];
  return is_live_context(*context) ? CUDA_SUCCESS : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

CUresult check_context(void) {
  CUcontext context;
  return current_context(&context);
}

CUresult push_context(CUcontext context) {
  if (depth == kMostContexts) return invalid("a thread's stack has %d contexts already", depth);
  stack[depth++] = context;
  return CUDA_SUCCESS;
}

CUcontext top_context(void) { return depth > 0 ? stack[depth - 1] : NULL; }

CUcontext pop_context(void) { return depth > 0 ? stack[--depth] : NULL; }
