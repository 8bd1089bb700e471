// Functions cuStream*, and cuLaunchHostFunc. Work is done when a call returns, so no function waits.
// Test: tests/unit/driver/client/*
#include "driver/client/capture.h"
#include "driver/client/connection.h"
#include "driver/client/current.h"
#include "driver/client/event.h"
#include "driver/client/memory.h"
#include "driver/client/order.h"
#include "driver/client/stream.h"

#include <stdatomic.h>

enum { kLeastPriority = 0, kGreatestPriority = -5 };  // as cuCtxGetStreamPriorityRange says

CUresult CUDAAPI cuStreamCreateWithPriority(CUstream* stream, unsigned int flags, int priority) {
  static _Atomic uint64_t count = 2;
  CUcontext context;
  TRY(current_context(&context));
  if (!stream || flags > CU_STREAM_NON_BLOCKING) return CUDA_ERROR_INVALID_VALUE;
  CUstream made = make_handle(kStreamHandle, sizeof *made, context);
  if (!made) return CUDA_ERROR_OUT_OF_MEMORY;
  made->flags = flags;
  made->priority = priority > kLeastPriority      ? kLeastPriority
                   : priority < kGreatestPriority ? kGreatestPriority
                                                  : priority;
  made->number = ++count;
  made->place = order_new_stream(flags & CU_STREAM_NON_BLOCKING);
  *stream = made;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuStreamCreate(CUstream* stream, unsigned int flags) {
  return cuStreamCreateWithPriority(stream, flags, kLeastPriority);
}

CUresult CUDAAPI cuStreamDestroy_v2(CUstream stream) {
  TRY(check_stream(stream));
  if (is_default_stream(stream)) return CUDA_ERROR_INVALID_HANDLE;
  order_end_stream(stream->place);
  abandon_capture(stream);
  drop_handle(stream);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuStreamDestroy(CUstream stream) { return cuStreamDestroy_v2(stream); }

CUresult CUDAAPI cuStreamSynchronize(CUstream stream) {
  TRY(check_no_capture(stream));
  order_host_waits_for_stream(stream);
  return CUDA_SUCCESS;
}

/// Waits like cuStreamSynchronize: work is done when a call returns, so a program that polls ends its loop.
CUresult CUDAAPI cuStreamQuery(CUstream stream) { return cuStreamSynchronize(stream); }

CUresult CUDAAPI cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags) {
  struct Capture* capture;
  TRY(begin_call(stream, &capture));
  if (flags > CU_EVENT_WAIT_EXTERNAL) return CUDA_ERROR_INVALID_VALUE;
  if (!capture || flags != CU_EVENT_WAIT_EXTERNAL) return let_stream_wait(stream, event);
  if (!live_handle(kEventHandle, event)) return CUDA_ERROR_INVALID_HANDLE;
  return capture_work(capture, stream,
                      &(struct NodeWork){.type = CU_GRAPH_NODE_TYPE_WAIT_EVENT, .event = event});
}

CUresult CUDAAPI cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void* data,
                                     unsigned int flags) {
  struct Capture* capture;
  TRY(begin_call(stream, &capture));
  if (capture) return check_no_capture(stream);
  if (!callback || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  order_host_waits_for_stream(stream);
  callback(stream, CUDA_SUCCESS, data);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuLaunchHostFunc(CUstream stream, CUhostFn function, void* data) {
  struct Capture* capture;
  TRY(begin_call(stream, &capture));
  if (!function) return CUDA_ERROR_INVALID_VALUE;
  if (capture)
    return capture_work(capture, stream,
                        &(struct NodeWork){.type = CU_GRAPH_NODE_TYPE_HOST, .host = {function, data}});
  order_host_waits_for_stream(stream);
  function(data);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuStreamGetFlags(CUstream stream, unsigned int* flags) {
  TRY(check_stream(stream));
  if (!flags) return CUDA_ERROR_INVALID_VALUE;
  *flags = is_default_stream(stream) ? 0 : stream->flags;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuStreamGetPriority(CUstream stream, int* priority) {
  TRY(check_stream(stream));
  if (!priority) return CUDA_ERROR_INVALID_VALUE;
  *priority = is_default_stream(stream) ? kLeastPriority : stream->priority;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuStreamGetId(CUstream stream, unsigned long long* id) {
  TRY(check_stream(stream));
  if (!id) return CUDA_ERROR_INVALID_VALUE;
  *id = stream_number(stream);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuStreamGetDevice(CUstream stream, CUdevice* device) {
  TRY(check_stream(stream));
  CUcontext context;
  TRY(cuStreamGetCtx(stream, &context));
  if (!device) return CUDA_ERROR_INVALID_VALUE;
  *device = context->device;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuStreamGetCtx(CUstream stream, CUcontext* context) {
  TRY(check_stream(stream));
  if (!context) return CUDA_ERROR_INVALID_VALUE;
  if (is_default_stream(stream)) return current_context(context);
  *context = (CUcontext)stream->handle.owner;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuStreamGetCtx_v2(CUstream stream, CUcontext* context, CUgreenCtx* green) {
  if (green) *green = NULL;
  return cuStreamGetCtx(stream, context);
}

CUresult CUDAAPI cuStreamAttachMemAsync(CUstream stream, CUdeviceptr address, size_t size,
                                        unsigned int flags) {
  (void)size;
  struct Allocation found;
  TRY(check_stream(stream));
  const int is_managed = find_allocation(address, &found) && found.kind & (kManagedMemory | kVariableMemory);
  const int is_known =
      flags == CU_MEM_ATTACH_GLOBAL || flags == CU_MEM_ATTACH_HOST || flags == CU_MEM_ATTACH_SINGLE;
  return is_managed && is_known ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult CUDAAPI cuStreamCopyAttributes(CUstream to, CUstream from) {
  TRY(check_stream(to));
  return check_stream(from);
}
