// Functions that begin, end and describe the capture of a stream.
// Test: tests/unit/driver/client/capture_test.cpp
#include "driver/client/capture.h"
#include "driver/client/capture_state.h"
#include "driver/client/connection.h"
#include "driver/client/stream.h"

#include <stdlib.h>

static CUresult begin(CUstream stream, CUgraph graph, int owns_graph, const CUgraphNode* after, size_t count,
                      CUstreamCaptureMode mode) {
  struct Capture* capture = calloc(1, sizeof *capture);
  if (!capture) return CUDA_ERROR_OUT_OF_MEMORY;
  *capture = (struct Capture){.graph = graph,
                              .owns_graph = owns_graph,
                              .origin = stream,
                              .thread = pthread_self(),
                              .mode = mode,
                              .is_blocking = is_blocking_stream(stream)};
  for (CUgraphNode each = graph->first; each; each = each->next) capture->last = each;
  enter_capture(capture);
  return set_point(point_of(stream), capture->number, after, count);
}

static CUresult check_begin(CUstream stream, CUstreamCaptureMode mode) {
  TRY(check_stream(stream));
  if ((unsigned int)mode > CU_STREAM_CAPTURE_MODE_RELAXED) return CUDA_ERROR_INVALID_VALUE;
  if (is_legacy_stream(stream)) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  return capture_of(stream) ? CUDA_ERROR_ILLEGAL_STATE : CUDA_SUCCESS;
}

CUresult CUDAAPI cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode) {
  TRY(check_begin(stream, mode));
  CUgraph graph = make_graph();
  return graph ? begin(stream, graph, 1, NULL, 0, mode) : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult CUDAAPI cuStreamBeginCapture(CUstream stream) {
  return cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
}

CUresult CUDAAPI cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph, const CUgraphNode* after,
                                             const CUgraphEdgeData* edges, size_t count,
                                             CUstreamCaptureMode mode) {
  (void)edges;
  TRY(check_begin(stream, mode));
  if (!checked_graph(graph) || (count > 0 && !after)) return CUDA_ERROR_INVALID_VALUE;
  for (size_t n = 0; n < count; ++n)
    if (!checked_node(after[n]) || graph_of(after[n]) != graph) return CUDA_ERROR_INVALID_VALUE;
  return begin(stream, graph, 0, after, count, mode);
}

/// True if the stream that the capture began with comes after all captured work of the other streams. Method:
/// marks, from the last node to the first, what the marked nodes come after; a captured node is made after
/// those.
static int is_joined(const struct Capture* capture) {
  const struct CapturedPoint* point = point_of(capture->origin);
  CUgraphNode* nodes = malloc((capture->graph->count + 1) * sizeof *nodes);
  size_t count = 0;
  if (!nodes) return 0;
  for (CUgraphNode each = capture->graph->first; each; each = each->next) {
    nodes[count++] = each;
    each->is_placed = 0;
  }
  for (size_t n = 0; n < point->count; ++n) point->nodes[n]->is_placed = 1;
  int is_all = 1;
  while (count-- > 0 && nodes[count] != capture->last && is_all) {
    is_all = nodes[count]->is_placed;
    for (size_t n = 0; n < nodes[count]->after_count; ++n) nodes[count]->after[n]->is_placed = 1;
  }
  free(nodes);
  return is_all;
}

CUresult CUDAAPI cuStreamEndCapture(CUstream stream, CUgraph* graph) {
  TRY(check_stream(stream));
  struct Capture* capture = capture_of(stream);
  if (!graph) return CUDA_ERROR_INVALID_VALUE;
  *graph = NULL;
  if (!capture) return CUDA_ERROR_ILLEGAL_STATE;
  if (stream != capture->origin) {
    capture->is_invalid = 1;
    return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
  }
  CUresult result = CUDA_SUCCESS;
  if (!capture->is_rearranged && !is_joined(capture)) result = CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
  if (capture->is_invalid) result = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  if (capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED && !pthread_equal(capture->thread, pthread_self()))
    result = CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
  take_out_capture(capture);
  clear_point(point_of(stream));
  if (result == CUDA_SUCCESS)
    *graph = capture->graph;
  else if (capture->owns_graph)
    free_graph(capture->graph);
  free(capture);
  return result;
}

void abandon_capture(CUstream stream) {
  struct Capture* capture = capture_of(stream);
  if (capture && capture->origin == stream) {
    take_out_capture(capture);
    if (capture->owns_graph) free_graph(capture->graph);
    free(capture);
  }
  clear_point(point_of(stream));
}

CUresult CUDAAPI cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
  TRY(check_stream(stream));
  if (!status) return CUDA_ERROR_INVALID_VALUE;
  if (is_legacy_stream(stream) && has_blocking_capture()) return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
  const struct Capture* capture = capture_of(stream);
  *status = !capture              ? CU_STREAM_CAPTURE_STATUS_NONE
            : capture->is_invalid ? CU_STREAM_CAPTURE_STATUS_INVALIDATED
                                  : CU_STREAM_CAPTURE_STATUS_ACTIVE;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id,
                                           CUgraph* graph, const CUgraphNode** nodes, size_t* count) {
  TRY(cuStreamIsCapturing(stream, status));
  const struct Capture* capture = *status == CU_STREAM_CAPTURE_STATUS_ACTIVE ? capture_of(stream) : NULL;
  if (id) *id = capture ? capture->number : 0;
  if (graph) *graph = capture ? capture->graph : NULL;
  if (nodes) *nodes = capture ? point_of(stream)->nodes : NULL;
  if (count) *count = capture ? point_of(stream)->count : 0;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id) {
  return cuStreamGetCaptureInfo_v2(stream, status, id, NULL, NULL, NULL);
}

CUresult CUDAAPI cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id,
                                           CUgraph* graph, const CUgraphNode** nodes,
                                           const CUgraphEdgeData** edges, size_t* count) {
  if (edges) *edges = NULL;
  return cuStreamGetCaptureInfo_v2(stream, status, id, graph, nodes, count);
}

CUresult CUDAAPI cuStreamUpdateCaptureDependencies_v2(CUstream stream, CUgraphNode* nodes,
                                                      const CUgraphEdgeData* edges, size_t count,
                                                      unsigned int flags) {
  (void)edges;
  TRY(check_stream(stream));
  struct Capture* capture = capture_of(stream);
  if (!capture) return CUDA_ERROR_ILLEGAL_STATE;
  if (capture->is_invalid) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  if ((count > 0 && !nodes) || flags > CU_STREAM_SET_CAPTURE_DEPENDENCIES) return CUDA_ERROR_INVALID_VALUE;
  for (size_t n = 0; n < count; ++n)
    if (!checked_node(nodes[n]) || graph_of(nodes[n]) != capture->graph) return CUDA_ERROR_INVALID_VALUE;
  capture->is_rearranged = 1;
  return flags == CU_STREAM_SET_CAPTURE_DEPENDENCIES
             ? set_point(point_of(stream), capture->number, nodes, count)
             : add_to_point(point_of(stream), nodes, count);
}

CUresult CUDAAPI cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode* nodes, size_t count,
                                                   unsigned int flags) {
  return cuStreamUpdateCaptureDependencies_v2(stream, nodes, NULL, count, flags);
}
