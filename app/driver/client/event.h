// Events. Their times are of this machine's clock: they measure the emulator, not a GPU.
// Test: tests/unit/driver/client/*
#pragma once

#include "driver/client/cuda_api.h"

/// Orders the stream's next work after the work that the event recorded; a captured event lets the stream
/// join its capture. CUDA_ERROR_INVALID_HANDLE if `event` is not an event.
CUresult let_stream_wait(CUstream stream, CUevent event);

/// Records the time and the stream's work so far. CUDA_ERROR_INVALID_HANDLE if `event` is not an event.
CUresult record_event(CUevent event, CUstream stream);

/// Frees a live event.
void drop_event(CUevent event);
