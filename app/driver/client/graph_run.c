#include "driver/client/graph_run.h"

#include "driver/client/connection.h"
#include "driver/client/event.h"
#include "driver/client/generated.h"
#include "driver/client/graph_memory.h"
#include "driver/client/launch.h"

#include <stdlib.h>

static CUresult run_fill(const CUDA_MEMSET_NODE_PARAMS* fill) {
  switch (fill->elementSize) {
    case 1:
      return cuMemsetD2D8_v2(fill->dst, fill->pitch, (unsigned char)fill->value, fill->width, fill->height);
    case 2:
      return cuMemsetD2D16_v2(fill->dst, fill->pitch, (unsigned short)fill->value, fill->width, fill->height);
    default:
      return cuMemsetD2D32_v2(fill->dst, fill->pitch, fill->value, fill->width, fill->height);
  }
}

static CUresult run_copy_or_fill(const struct NodeWork* work, CUstream stream) {
  TRY(begin_asynchronous(stream));
  const CUresult result =
      work->type == CU_GRAPH_NODE_TYPE_MEMCPY ? cuMemcpy3D_v2(&work->copy) : run_fill(&work->fill);
  end_asynchronous();
  return result;
}

static CUresult run_work(const struct NodeWork* work, CUstream stream) {
  switch (work->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
      return run_launch(&work->kernel, stream);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
    case CU_GRAPH_NODE_TYPE_MEMSET:
      return run_copy_or_fill(work, stream);
    case CU_GRAPH_NODE_TYPE_HOST:
      return cuLaunchHostFunc(stream, work->host.fn, work->host.userData);
    case CU_GRAPH_NODE_TYPE_GRAPH:
      return run_graph(work->child, stream);
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
      return record_event(work->event, stream);
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
      return let_stream_wait(stream, work->event);
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
      return begin_graph_memory(work->allocation.dptr);
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
      return end_graph_memory(work->freed);
    default:
      return CUDA_SUCCESS;
  }
}

CUresult run_graph(CUgraph graph, CUstream stream) {
  CUgraphNode* order = order_nodes(graph);
  CUresult result = order ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  for (size_t n = 0; n < graph->count && result == CUDA_SUCCESS; ++n)
    if (!order[n]->is_disabled) result = run_work(&order[n]->work, stream);
  free(order);
  return result;
}
