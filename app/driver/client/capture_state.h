// The captures in progress, for the functions that begin, end and describe them.
// Test: tests/unit/driver/client/capture_test.cpp
#pragma once

#include "driver/client/captured_point.h"
#include "driver/client/graph.h"

#include <pthread.h>

struct Capture {
  uint64_t number;
  CUgraph graph;
  int owns_graph;    // false: cuStreamBeginCaptureToGraph
  CUgraphNode last;  // of the graph before the capture; null: none
  CUstream origin;   // that the program began to capture, and must end
  pthread_t thread;  // that began it
  CUstreamCaptureMode mode;
  int is_blocking;    // has a stream that the legacy default stream waits for
  int is_invalid;     // after a call that was not allowed
  int is_rearranged;  // cuStreamUpdateCaptureDependencies
  struct Capture* next;
};

/// Enters a capture with a new number, or takes it out.
void enter_capture(struct Capture* capture);
void take_out_capture(struct Capture* capture);

/// Capture of a number, or of a stream; null if there is none in progress.
struct Capture* find_capture(uint64_t number);
struct Capture* capture_of(CUstream stream);
int has_blocking_capture(void);

/// Point of a stream in its capture; null for the legacy default stream, which is never captured.
struct CapturedPoint* point_of(CUstream stream);

int is_blocking_stream(CUstream stream);
