// Capture of streams: between cuStreamBeginCapture and cuStreamEndCapture the work of a stream becomes nodes
// of a graph. Method: a captured stream, and an event recorded in it, has the nodes that its next work comes
// after; another stream joins the capture by waiting for such an event. A call that is not allowed gives its
// error and invalidates the capture. Source: CUDA Driver API, "Stream Management"; CUDA C++ Programming
// Guide, "Prohibited and Unhandled Operations"; the errors were measured on an H200 with driver 580.159.04.
// Test: tests/unit/driver/client/capture_test.cpp
#pragma once

#include "driver/client/captured_point.h"
#include "driver/client/cuda_api.h"
#include "driver/client/node_work.h"

#include <stddef.h>

struct Capture;

/// Begins a call that adds work to a stream: checks the stream, and finds the capture that the work is to go
/// to; null: none, the work is done now.
CUresult begin_call(CUstream stream, struct Capture** capture);

/// Like begin_call(), for a copy or a fill: its stream is that of begin_asynchronous(), else the default one.
CUresult begin_copy_call(CUstream* stream, struct Capture** capture);

/// Adds the work to the graph of the capture, as the stream's next. Takes `work` over.
CUresult capture_work(struct Capture* capture, CUstream stream, struct NodeWork* work);

/// Like capture_work(), for the memory of an allocation node.
CUresult capture_allocation(struct Capture* capture, CUstream stream, size_t size, CUdeviceptr* address);

/// Checks a call that waits for a stream or asks about it: the stream must not be captured, and the call is
/// not safe.
CUresult check_no_capture(CUstream stream);

/// Checks a call that waits for all streams: none may be captured.
CUresult check_no_captures(void);

/// Checks a call that may wait for streams, as an allocation does: not allowed while a stream is captured,
/// with the exceptions of cuThreadExchangeStreamCaptureMode.
CUresult check_safe_call(void);

/// Records an event in a captured stream: `point` gets the stream's nodes.
CUresult capture_record(CUstream stream, struct CapturedPoint* point);

/// Lets a stream wait for an event that was recorded in a captured stream; the stream joins that capture.
/// `capture`: the one that the stream is in.
CUresult capture_wait(struct Capture* capture, CUstream stream, const struct CapturedPoint* point);

/// Ends the captures that a stream, which is about to be destroyed, began.
void abandon_capture(CUstream stream);

/// Checks a call about an event: CUDA_ERROR_CAPTURED_EVENT if it was recorded in a stream whose capture is in
/// progress, and which the call invalidates; CUDA_ERROR_INVALID_VALUE if that capture has ended.
CUresult check_event_point(const struct CapturedPoint* point);
