// Functions of nodes that hold a graph, allocate or free; and those of a node of any kind.
// Test: tests/unit/driver/client/graph_test.cpp
#include "driver/client/connection.h"
#include "driver/client/current.h"
#include "driver/client/device.h"
#include "driver/client/executable_graph.h"
#include "driver/client/generated.h"
#include "driver/client/graph_memory.h"
#include "driver/client/graph_node.h"

static CUresult child_work(CUgraph child, struct NodeWork* work) {
  TRY(check_context());
  if (!checked_graph(child)) return CUDA_ERROR_INVALID_VALUE;
  const struct NodeWork original = {.type = CU_GRAPH_NODE_TYPE_GRAPH, .child = child};
  return copy_work(&original, work);
}

CUresult CUDAAPI cuGraphAddChildGraphNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                                          size_t count, CUgraph child) {
  struct NodeWork work;
  TRY(child_work(child, &work));
  return add_work(node, graph, after, count, work);
}

CUresult CUDAAPI cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph* child) {
  TRY(driver_state());
  if (!child || !node_of_type(node, CU_GRAPH_NODE_TYPE_GRAPH)) return CUDA_ERROR_INVALID_VALUE;
  *child = node->work.child;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGraphExecChildGraphNodeSetParams(CUgraphExec executable, CUgraphNode node, CUgraph child) {
  TRY(driver_state());
  CUgraphNode found = executable_node(executable, node);
  CUgraphExecUpdateResultInfo info;
  if (!checked_graph(child) || !found || found->work.type != CU_GRAPH_NODE_TYPE_GRAPH)
    return CUDA_ERROR_INVALID_VALUE;
  return update_graph(found->work.child, child, &info);
}

static CUresult allocation_work(const CUDA_MEM_ALLOC_NODE_PARAMS* allocation, struct NodeWork* work) {
  if (!allocation || allocation->bytesize == 0) return CUDA_ERROR_INVALID_VALUE;
  if (allocation->poolProps.handleTypes != CU_MEM_HANDLE_TYPE_NONE)
    return not_supported("an allocation node for other processes");
  *work = (struct NodeWork){.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC, .allocation = *allocation};
  return allocate_graph_memory(allocation->bytesize, &work->allocation.dptr);
}

CUresult CUDAAPI cuGraphAddMemAllocNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                                        size_t count, CUDA_MEM_ALLOC_NODE_PARAMS* allocation) {
  struct NodeWork work;
  TRY(allocation_work(allocation, &work));
  TRY(add_work(node, graph, after, count, work));
  allocation->dptr = work.allocation.dptr;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS* allocation) {
  TRY(driver_state());
  if (!allocation || !node_of_type(node, CU_GRAPH_NODE_TYPE_MEM_ALLOC)) return CUDA_ERROR_INVALID_VALUE;
  *allocation = node->work.allocation;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGraphAddMemFreeNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                                       size_t count, CUdeviceptr address) {
  if (!is_graph_memory(address)) return CUDA_ERROR_INVALID_VALUE;
  return add_work(node, graph, after, count,
                  (struct NodeWork){.type = CU_GRAPH_NODE_TYPE_MEM_FREE, .freed = address});
}

CUresult CUDAAPI cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr* address) {
  TRY(driver_state());
  if (!address || !node_of_type(node, CU_GRAPH_NODE_TYPE_MEM_FREE)) return CUDA_ERROR_INVALID_VALUE;
  *address = node->work.freed;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceGraphMemTrim(CUdevice device) { return check_device(device); }

// Nodes of any kind, by one struct.

static CUresult any_kernel_work(const CUDA_KERNEL_NODE_PARAMS_v3* kernel, const struct NodeWork* replaced,
                                struct NodeWork* work) {
  const CUDA_KERNEL_NODE_PARAMS same = {.func = kernel->func,
                                        .gridDimX = kernel->gridDimX,
                                        .gridDimY = kernel->gridDimY,
                                        .gridDimZ = kernel->gridDimZ,
                                        .blockDimX = kernel->blockDimX,
                                        .blockDimY = kernel->blockDimY,
                                        .blockDimZ = kernel->blockDimZ,
                                        .sharedMemBytes = kernel->sharedMemBytes,
                                        .kernelParams = kernel->kernelParams,
                                        .extra = kernel->extra,
                                        .kern = kernel->kern};
  return kernel_work(&same, replaced, work);
}

static CUDA_MEMSET_NODE_PARAMS fill_of(const CUDA_MEMSET_NODE_PARAMS_v2* fill) {
  return (CUDA_MEMSET_NODE_PARAMS){.dst = fill->dst,
                                   .pitch = fill->pitch,
                                   .value = fill->value,
                                   .elementSize = fill->elementSize,
                                   .width = fill->width,
                                   .height = fill->height};
}

_Static_assert(sizeof(CUDA_MEM_ALLOC_NODE_PARAMS) == sizeof(CUDA_MEM_ALLOC_NODE_PARAMS_v2), "an allocation");

static CUresult any_work(const CUgraphNodeParams* any, const struct NodeWork* replaced,
                         struct NodeWork* work) {
  *work = (struct NodeWork){.type = any->type};
  switch (any->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
      return any_kernel_work(&any->kernel, replaced, work);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      work->copy = any->memcpy.copyParams;
      return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_MEMSET:
      work->fill = fill_of(&any->memset);
      return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_HOST:
      work->host = (CUDA_HOST_NODE_PARAMS){.fn = any->host.fn, .userData = any->host.userData};
      return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_GRAPH:
      return child_work(any->graph.graph, work);
    case CU_GRAPH_NODE_TYPE_EMPTY:
      return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
      work->event = any->eventWait.event;
      return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
      work->event = any->eventRecord.event;
      return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
      return allocation_work((const CUDA_MEM_ALLOC_NODE_PARAMS*)&any->alloc, work);
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
      work->freed = any->free.dptr;
      return is_graph_memory(work->freed) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
      return not_supported("a conditional node of a graph");
    default:
      return not_supported("a node of a graph of this kind");
  }
}

CUresult CUDAAPI cuGraphAddNode_v2(CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                                   const CUgraphEdgeData* edges, size_t count, CUgraphNodeParams* any) {
  struct NodeWork work;
  (void)edges;
  TRY(check_context());
  if (!any) return CUDA_ERROR_INVALID_VALUE;
  TRY(any_work(any, NULL, &work));
  TRY(add_work(node, graph, after, count, work));
  if (any->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC) any->alloc.dptr = work.allocation.dptr;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGraphAddNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, size_t count,
                                CUgraphNodeParams* any) {
  return cuGraphAddNode_v2(node, graph, after, NULL, count, any);
}

static CUresult replace_any(CUgraphNode node, const CUgraphNodeParams* any) {
  struct NodeWork work;
  if (!any || !node || node->work.type != any->type) return CUDA_ERROR_INVALID_VALUE;
  TRY(any_work(any, &node->work, &work));
  return replace_work(node, work);
}

CUresult CUDAAPI cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams* any) {
  TRY(driver_state());
  return replace_any(checked_node(node), any);
}

CUresult CUDAAPI cuGraphExecNodeSetParams(CUgraphExec executable, CUgraphNode node, CUgraphNodeParams* any) {
  TRY(driver_state());
  return replace_any(executable_node(executable, node), any);
}

CUresult CUDAAPI cuGraphConditionalHandleCreate(CUgraphConditionalHandle* handle, CUgraph graph,
                                                CUcontext context, unsigned int value, unsigned int flags) {
  (void)handle, (void)graph, (void)context, (void)value, (void)flags;
  return not_supported("a conditional node of a graph");
}
