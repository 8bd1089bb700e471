// Functions cuStream*, and cuLaunchHostFunc. Work is done when a call returns, so no function waits.
// Test: tests/unit/driver/client/*
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
  drop_handle(stream);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuStreamDestroy(CUstream stream) { return cuStreamDestroy_v2(stream); }

CUresult CUDAAPI cuStreamSynchronize(CUstream stream) {
  TRY(check_stream(stream));
  order_host_waits_for_stream(stream);
  return CUDA_SUCCESS;
}

/// Waits like cuStreamSynchronize: work is done when a call returns, so a program that polls ends its loop.
CUresult CUDAAPI cuStreamQuery(CUstream stream) { return cuStreamSynchronize(stream); }

CUresult CUDAAPI cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags) {
  TRY(check_stream(stream));
  if (flags > CU_EVENT_WAIT_EXTERNAL) return CUDA_ERROR_INVALID_VALUE;
  return let_stream_wait(stream, event);
}

CUresult CUDAAPI cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void* data,
                                     unsigned int flags) {
  TRY(check_stream(stream));
  if (!callback || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  order_host_waits_for_stream(stream);
  callback(stream, CUDA_SUCCESS, data);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuLaunchHostFunc(CUstream stream, CUhostFn function, void* data) {
  TRY(check_stream(stream));
  if (!function) return CUDA_ERROR_INVALID_VALUE;
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
  if (!device) return CUDA_ERROR_INVALID_VALUE;
  *device = 0;
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

CUresult CUDAAPI cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
  TRY(check_stream(stream));
  if (!status) return CUDA_ERROR_INVALID_VALUE;
  *status = CU_STREAM_CAPTURE_STATUS_NONE;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id) {
  if (id) *id = 0;
  return cuStreamIsCapturing(stream, status);
}

CUresult CUDAAPI cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id,
                                           CUgraph* graph, const CUgraphNode** nodes, size_t* count) {
  if (graph) *graph = NULL;
  if (nodes) *nodes = NULL;
  if (count) *count = 0;
  return cuStreamGetCaptureInfo(stream, status, id);
}

CUresult CUDAAPI cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id,
                                           CUgraph* graph, const CUgraphNode** nodes,
                                           const CUgraphEdgeData** edges, size_t* count) {
  if (edges) *edges = NULL;
  return cuStreamGetCaptureInfo_v2(stream, status, id, graph, nodes, count);
}

CUresult CUDAAPI cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  static __thread CUstreamCaptureMode current = CU_STREAM_CAPTURE_MODE_GLOBAL;
  TRY(driver_state());
  if (!mode || (unsigned int)*mode > CU_STREAM_CAPTURE_MODE_RELAXED) return CUDA_ERROR_INVALID_VALUE;
  const CUstreamCaptureMode before = current;
  current = *mode;
  *mode = before;
  return CUDA_SUCCESS;
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
