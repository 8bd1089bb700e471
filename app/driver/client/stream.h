// Streams: the two default ones, which have no struct, and those that the program creates.
// Test: tests/unit/driver/client/*
#pragma once

#include "driver/client/captured_point.h"
#include "driver/client/cuda_api.h"
#include "driver/client/handle.h"

#include <stdint.h>

struct CUstream_st {
  struct Handle handle;
  unsigned int flags;
  int priority;
  uint64_t number;
  int place;  // order.h
  struct CapturedPoint captured;
};

/// True for the legacy default stream and for the thread's.
int is_default_stream(CUstream stream);

/// True for the legacy default stream.
int is_legacy_stream(CUstream stream);

/// Checks the context and the stream. CUDA_ERROR_INVALID_HANDLE if `stream` is not a live stream.
CUresult check_stream(CUstream stream);

/// Number of a stream in LanescopeLaunch: 0 the default stream, 2 the per-thread default stream, 3 and above
/// the created streams. The caller has checked the stream.
uint64_t stream_number(CUstream stream);

/// Place of a stream in clocks (order.h); -1 if its order is not tracked. The caller has checked the stream.
int stream_place(CUstream stream);
