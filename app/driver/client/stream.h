// Streams and events: work is done when a call returns, so that there is nothing to wait for.
// Test: tests/unit/driver/client/*
#pragma once

#include "driver/client/cuda_api.h"

#include <stdint.h>

/// The stream as a launch names it: 0 the default one, 2 the default one of a thread, from 3 on those that
/// were created. The stream is checked.
uint64_t stream_number(CUstream stream);

/// Its place among those that are ordered (order.h). The stream is checked.
int stream_place(CUstream stream);

/// The stream's next work comes after what the event recorded. CUDA_ERROR_INVALID_HANDLE where it is no
/// event.
CUresult let_stream_wait(CUstream stream, CUevent event);

/// Notes the time, and what the stream has done. CUDA_ERROR_INVALID_HANDLE where it is no event.
CUresult record_event(CUevent event, CUstream stream);
