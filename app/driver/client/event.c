#include "driver/client/event.h"

#include "driver/client/capture.h"
#include "driver/client/connection.h"
#include "driver/client/current.h"
#include "driver/client/failure.h"
#include "driver/client/generated.h"
#include "driver/client/order.h"
#include "driver/client/stream.h"

#include <stdatomic.h>
#include <time.h>

struct CUevent_st {
  struct Handle handle;
  unsigned int flags;
  _Atomic long long nanoseconds;  // 0: not recorded
  struct Clock clock;             // of the stream when the event was recorded
  struct CapturedPoint captured;  // of the stream, if it was captured
};

static CUresult check_event(CUevent event) {
  TRY(driver_state());
  TRY(kernel_failure());
  return live_handle(kEventHandle, event) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult CUDAAPI cuEventCreate(CUevent* event, unsigned int flags) {
  const unsigned int known = CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS;
  CUcontext context;
  TRY(current_context(&context));
  if (!event || (flags & ~known) != 0) return CUDA_ERROR_INVALID_VALUE;
  if (flags & CU_EVENT_INTERPROCESS) return not_supported("cuEventCreate of an event for other processes");
  CUevent made = make_handle(kEventHandle, sizeof *made, context);
  if (!made) return CUDA_ERROR_OUT_OF_MEMORY;
  made->flags = flags;
  *event = made;
  return CUDA_SUCCESS;
}

void drop_event(CUevent event) {
  clear_point(&event->captured);
  drop_handle(event);
}

CUresult CUDAAPI cuEventDestroy_v2(CUevent event) {
  TRY(check_event(event));
  drop_event(event);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuEventDestroy(CUevent event) { return cuEventDestroy_v2(event); }

CUresult let_stream_wait(CUstream stream, CUevent event) {
  struct Capture* capture;
  TRY(begin_call(stream, &capture));
  TRY(check_event(event));
  if (capture || event->captured.capture != 0) return capture_wait(capture, stream, &event->captured);
  order_stream_waits(stream, &event->clock);
  return CUDA_SUCCESS;
}

CUresult record_event(CUevent event, CUstream stream) {
  struct timespec now;
  struct Capture* capture;
  TRY(begin_call(stream, &capture));
  TRY(check_event(event));
  if (capture) return capture_record(stream, &event->captured);
  clear_point(&event->captured);
  clock_gettime(CLOCK_MONOTONIC, &now);
  event->nanoseconds = (long long)now.tv_sec * 1000000000 + now.tv_nsec;
  order_record(stream, &event->clock);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned int flags) {
  struct Capture* capture;
  TRY(begin_call(stream, &capture));
  if (flags > CU_EVENT_RECORD_EXTERNAL) return CUDA_ERROR_INVALID_VALUE;
  if (!capture || flags != CU_EVENT_RECORD_EXTERNAL) return record_event(event, stream);
  TRY(check_event(event));
  return capture_work(capture, stream,
                      &(struct NodeWork){.type = CU_GRAPH_NODE_TYPE_EVENT_RECORD, .event = event});
}

CUresult CUDAAPI cuEventRecord(CUevent event, CUstream stream) {
  return cuEventRecordWithFlags(event, stream, 0);
}

CUresult CUDAAPI cuEventSynchronize(CUevent event) {
  TRY(check_event(event));
  TRY(check_event_point(&event->captured));
  TRY(check_safe_call());
  order_host_waits(&event->clock);
  return CUDA_SUCCESS;
}

/// Waits like cuEventSynchronize: work is done when a call returns, so a program that polls ends its loop.
CUresult CUDAAPI cuEventQuery(CUevent event) { return cuEventSynchronize(event); }

CUresult CUDAAPI cuEventElapsedTime_v2(float* milliseconds, CUevent start, CUevent end) {
  TRY(check_event(start));
  TRY(check_event(end));
  if (start->captured.capture != 0 || end->captured.capture != 0) return CUDA_ERROR_CAPTURED_EVENT;
  if (!milliseconds) return CUDA_ERROR_INVALID_VALUE;
  const int is_timed = !((start->flags | end->flags) & CU_EVENT_DISABLE_TIMING);
  if (!is_timed || start->nanoseconds == 0 || end->nanoseconds == 0) return CUDA_ERROR_INVALID_HANDLE;
  *milliseconds = (float)((double)(end->nanoseconds - start->nanoseconds) * 1e-6);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  return cuEventElapsedTime_v2(milliseconds, start, end);
}
