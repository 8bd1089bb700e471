#include "driver/client/capture.h"

#include "driver/client/capture_state.h"
#include "driver/client/connection.h"
#include "driver/client/current.h"
#include "driver/client/graph.h"
#include "driver/client/graph_memory.h"
#include "driver/client/order.h"
#include "driver/client/stream.h"

#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;  // of the list of captures
static struct Capture* captures;
static _Atomic int capture_count;
static __thread struct CapturedPoint thread_point;  // of the per-thread default stream
static __thread CUstreamCaptureMode thread_mode = CU_STREAM_CAPTURE_MODE_GLOBAL;

struct CapturedPoint* point_of(CUstream stream) {
  return is_legacy_stream(stream) ? NULL : stream == CU_STREAM_PER_THREAD ? &thread_point : &stream->captured;
}

struct Capture* find_capture(uint64_t number) {
  if (number == 0 || capture_count == 0) return NULL;
  pthread_mutex_lock(&lock);
  struct Capture* found = captures;
  while (found && found->number != number) found = found->next;
  pthread_mutex_unlock(&lock);
  return found;
}

struct Capture* capture_of(CUstream stream) {
  const struct CapturedPoint* point = point_of(stream);
  return point ? find_capture(point->capture) : NULL;
}

int is_blocking_stream(CUstream stream) {
  return is_default_stream(stream) || !(stream->flags & CU_STREAM_NON_BLOCKING);
}

void enter_capture(struct Capture* capture) {
  static uint64_t last_number;
  pthread_mutex_lock(&lock);
  capture->number = ++last_number;
  capture->next = captures;
  captures = capture;
  ++capture_count;
  pthread_mutex_unlock(&lock);
}

void take_out_capture(struct Capture* capture) {
  pthread_mutex_lock(&lock);
  struct Capture** at = &captures;
  while (*at && *at != capture) at = &(*at)->next;
  if (*at) {
    *at = capture->next;
    --capture_count;
  }
  pthread_mutex_unlock(&lock);
}

/// Invalidates the captures that `is_one` chooses. Returns `error` if there are any.
static CUresult invalidate(int (*is_one)(const struct Capture*), CUresult error) {
  CUresult result = CUDA_SUCCESS;
  if (capture_count == 0) return result;
  pthread_mutex_lock(&lock);
  for (struct Capture* each = captures; each; each = each->next) {
    if (!is_one(each)) continue;
    each->is_invalid = 1;
    result = error;
  }
  pthread_mutex_unlock(&lock);
  return result;
}

static int is_any(const struct Capture* capture) {
  (void)capture;
  return 1;
}

static int is_blocking(const struct Capture* capture) { return capture->is_blocking; }

/// True if the capture forbids this thread's unsafe calls.
static int forbids_unsafe(const struct Capture* capture) {
  if (thread_mode == CU_STREAM_CAPTURE_MODE_RELAXED) return 0;
  if (pthread_equal(capture->thread, pthread_self())) return capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED;
  return thread_mode == CU_STREAM_CAPTURE_MODE_GLOBAL && capture->mode == CU_STREAM_CAPTURE_MODE_GLOBAL;
}

int has_blocking_capture(void) {
  int found = 0;
  if (capture_count == 0) return 0;
  pthread_mutex_lock(&lock);
  for (struct Capture* each = captures; each && !found; each = each->next) found = each->is_blocking;
  pthread_mutex_unlock(&lock);
  return found;
}

CUresult begin_call(CUstream stream, struct Capture** capture) {
  *capture = NULL;
  TRY(check_stream(stream));
  if (capture_count == 0) return CUDA_SUCCESS;
  if (is_legacy_stream(stream)) return invalidate(is_blocking, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  *capture = capture_of(stream);
  return *capture && (*capture)->is_invalid ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED : CUDA_SUCCESS;
}

CUresult begin_copy_call(CUstream* stream, struct Capture** capture) {
  *stream = stream_of_copies();
  return begin_call(*stream, capture);
}

CUresult capture_work(struct Capture* capture, CUstream stream, struct NodeWork* work) {
  struct CapturedPoint* point = point_of(stream);
  CUgraphNode node;
  TRY(add_node(capture->graph, point->nodes, point->count, work, &node));
  return set_point(point, capture->number, &node, 1);
}

CUresult capture_allocation(struct Capture* capture, CUstream stream, size_t size, CUdeviceptr* address) {
  struct NodeWork work = {.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC};
  if (!address || size == 0) return CUDA_ERROR_INVALID_VALUE;
  work.allocation.bytesize = size;
  work.allocation.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  work.allocation.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  TRY(allocate_graph_memory(size, &work.allocation.dptr));
  *address = work.allocation.dptr;
  return capture_work(capture, stream, &work);
}

CUresult check_no_capture(CUstream stream) {
  TRY(check_stream(stream));
  if (capture_count == 0) return CUDA_SUCCESS;
  if (is_legacy_stream(stream)) TRY(invalidate(is_blocking, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT));
  struct Capture* capture = capture_of(stream);
  if (!capture) return check_safe_call();
  capture->is_invalid = 1;
  return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}

CUresult check_no_captures(void) { return invalidate(is_any, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED); }

CUresult check_safe_call(void) { return invalidate(forbids_unsafe, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED); }

CUresult capture_record(CUstream stream, struct CapturedPoint* point) {
  const struct CapturedPoint* now = point_of(stream);
  return set_point(point, now->capture, now->nodes, now->count);
}

CUresult capture_wait(struct Capture* capture, CUstream stream, const struct CapturedPoint* point) {
  struct Capture* other = find_capture(point->capture);
  if (!other) {
    if (capture) capture->is_invalid = 1;
    return capture ? CUDA_ERROR_STREAM_CAPTURE_ISOLATION : CUDA_ERROR_INVALID_VALUE;
  }
  if (other->is_invalid) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  if (capture && capture != other) {
    capture->is_invalid = other->is_invalid = 1;
    return CUDA_ERROR_STREAM_CAPTURE_MERGE;
  }
  if (is_legacy_stream(stream)) {
    other->is_invalid = 1;
    return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
  }
  if (capture) return add_to_point(point_of(stream), point->nodes, point->count);
  other->is_blocking |= is_blocking_stream(stream);
  return set_point(point_of(stream), point->capture, point->nodes, point->count);
}

CUresult check_event_point(const struct CapturedPoint* point) {
  if (point->capture == 0) return CUDA_SUCCESS;
  struct Capture* capture = find_capture(point->capture);
  if (!capture) return CUDA_ERROR_INVALID_VALUE;
  capture->is_invalid = 1;
  return CUDA_ERROR_CAPTURED_EVENT;
}

CUresult CUDAAPI cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  TRY(driver_state());
  if (!mode || (unsigned int)*mode > CU_STREAM_CAPTURE_MODE_RELAXED) return CUDA_ERROR_INVALID_VALUE;
  const CUstreamCaptureMode before = thread_mode;
  thread_mode = *mode;
  *mode = before;
  return CUDA_SUCCESS;
}
