// Streams and events: work is done when a call returns, so that there is nothing to wait for.
// Test: tests/unit/driver/client/*
#pragma once

#include "driver/client/cuda_api.h"

#include <stdint.h>

/// The stream as a launch names it: 0 the default one, 2 the default one of a thread, from 3 on those that
/// were created. The stream is checked.
uint64_t stream_number(CUstream stream);

/// Notes the time. CUDA_ERROR_INVALID_HANDLE where it is no event.
CUresult record_event(CUevent event);
