// Streams and events. Work is done when a call returns, so no function waits.
// Test: tests/unit/driver/client/*
#pragma once

#include "driver/client/cuda_api.h"

#include <stdint.h>

/// Number of a stream in LanescopeLaunch: 0 the default stream, 2 the per-thread default stream, 3 and above
/// the created streams. The caller has checked the stream.
uint64_t stream_number(CUstream stream);

/// Place of a stream in clocks (order.h); -1 if its order is not tracked. The caller has checked the stream.
int stream_place(CUstream stream);

/// Orders the stream's next work after the work that the event recorded. CUDA_ERROR_INVALID_HANDLE if `event`
/// is not an event.
CUresult let_stream_wait(CUstream stream, CUevent event);

/// Records the time and the stream's work so far. CUDA_ERROR_INVALID_HANDLE if `event` is not an event.
CUresult record_event(CUevent event, CUstream stream);
