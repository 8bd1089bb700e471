#include "driver/client/graph_node.h"

#include "driver/client/connection.h"
#include "driver/client/current.h"
#include "driver/client/generated.h"

static CUresult check_fill(const CUDA_MEMSET_NODE_PARAMS* fill) {
  const unsigned int size = fill->elementSize;
  const int is_known = size == 1 || size == 2 || size == 4;
  if (!is_known || fill->width == 0 || fill->height == 0 || fill->dst == 0 || fill->dst % size != 0)
    return CUDA_ERROR_INVALID_VALUE;
  return CUDA_SUCCESS;
}

static CUresult check_copy(const CUDA_MEMCPY3D* copy) {
  if (copy->srcMemoryType == CU_MEMORYTYPE_ARRAY || copy->dstMemoryType == CU_MEMORYTYPE_ARRAY)
    return not_supported("a copy from or to a CUDA array");
  return copy->WidthInBytes && copy->Height && copy->Depth ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/// Checks the parameters of a copy, a fill, a host function and an event.
static CUresult check_work(const struct NodeWork* work) {
  switch (work->type) {
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      return check_copy(&work->copy);
    case CU_GRAPH_NODE_TYPE_MEMSET:
      return check_fill(&work->fill);
    case CU_GRAPH_NODE_TYPE_HOST:
      return work->host.fn ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
      return live_handle(kEventHandle, work->event) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
    default:
      return CUDA_SUCCESS;
  }
}

CUresult add_work(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, size_t count,
                  struct NodeWork work) {
  CUresult result = check_context();
  if (result == CUDA_SUCCESS && (!node || !checked_graph(graph) || (count > 0 && !after)))
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS) result = check_work(&work);
  if (result == CUDA_SUCCESS) return add_node(graph, after, count, &work, node);
  free_work(&work);
  return result;
}

CUresult replace_work(CUgraphNode node, struct NodeWork work) {
  CUresult result = driver_state();
  if (result == CUDA_SUCCESS)
    result = node && node->work.type == work.type ? check_work(&work) : CUDA_ERROR_INVALID_VALUE;
  if (result != CUDA_SUCCESS) {
    free_work(&work);
    return result;
  }
  free_work(&node->work);
  node->work = work;
  return CUDA_SUCCESS;
}

CUgraphNode node_of_type(CUgraphNode node, CUgraphNodeType type) {
  return checked_node(node) && node->work.type == type ? node : NULL;
}
