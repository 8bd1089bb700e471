// Functions of nodes that copy, fill, call the host or hold a graph: add, read, replace in a graph and in an
// instantiated one. Test: tests/unit/driver/client/graph_test.cpp
#include "driver/client/connection.h"
#include "driver/client/executable_graph.h"
#include "driver/client/graph_node.h"

/// Work of a type whose parameters are one struct.
#define WORK(kind, member_of_it, value) \
  (struct NodeWork) { .type = (kind), .member_of_it = (value) }

CUresult CUDAAPI cuGraphAddMemcpyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                                      size_t count, const CUDA_MEMCPY3D* copy, CUcontext context) {
  (void)context;
  if (!copy) return CUDA_ERROR_INVALID_VALUE;
  return add_work(node, graph, after, count, WORK(CU_GRAPH_NODE_TYPE_MEMCPY, copy, *copy));
}

CUresult CUDAAPI cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D* copy) {
  TRY(driver_state());
  if (!copy || !node_of_type(node, CU_GRAPH_NODE_TYPE_MEMCPY)) return CUDA_ERROR_INVALID_VALUE;
  *copy = node->work.copy;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D* copy) {
  if (!copy) return CUDA_ERROR_INVALID_VALUE;
  return replace_work(checked_node(node), WORK(CU_GRAPH_NODE_TYPE_MEMCPY, copy, *copy));
}

CUresult CUDAAPI cuGraphExecMemcpyNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                                const CUDA_MEMCPY3D* copy, CUcontext context) {
  (void)context;
  if (!copy) return CUDA_ERROR_INVALID_VALUE;
  return replace_work(executable_node(executable, node), WORK(CU_GRAPH_NODE_TYPE_MEMCPY, copy, *copy));
}

CUresult CUDAAPI cuGraphAddMemsetNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                                      size_t count, const CUDA_MEMSET_NODE_PARAMS* fill, CUcontext context) {
  (void)context;
  if (!fill) return CUDA_ERROR_INVALID_VALUE;
  return add_work(node, graph, after, count, WORK(CU_GRAPH_NODE_TYPE_MEMSET, fill, *fill));
}

CUresult CUDAAPI cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS* fill) {
  TRY(driver_state());
  if (!fill || !node_of_type(node, CU_GRAPH_NODE_TYPE_MEMSET)) return CUDA_ERROR_INVALID_VALUE;
  *fill = node->work.fill;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS* fill) {
  if (!fill) return CUDA_ERROR_INVALID_VALUE;
  return replace_work(checked_node(node), WORK(CU_GRAPH_NODE_TYPE_MEMSET, fill, *fill));
}

CUresult CUDAAPI cuGraphExecMemsetNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                                const CUDA_MEMSET_NODE_PARAMS* fill, CUcontext context) {
  (void)context;
  if (!fill) return CUDA_ERROR_INVALID_VALUE;
  return replace_work(executable_node(executable, node), WORK(CU_GRAPH_NODE_TYPE_MEMSET, fill, *fill));
}

CUresult CUDAAPI cuGraphAddHostNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, size_t count,
                                    const CUDA_HOST_NODE_PARAMS* host) {
  if (!host) return CUDA_ERROR_INVALID_VALUE;
  return add_work(node, graph, after, count, WORK(CU_GRAPH_NODE_TYPE_HOST, host, *host));
}

CUresult CUDAAPI cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS* host) {
  TRY(driver_state());
  if (!host || !node_of_type(node, CU_GRAPH_NODE_TYPE_HOST)) return CUDA_ERROR_INVALID_VALUE;
  *host = node->work.host;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS* host) {
  if (!host) return CUDA_ERROR_INVALID_VALUE;
  return replace_work(checked_node(node), WORK(CU_GRAPH_NODE_TYPE_HOST, host, *host));
}

CUresult CUDAAPI cuGraphExecHostNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                              const CUDA_HOST_NODE_PARAMS* host) {
  if (!host) return CUDA_ERROR_INVALID_VALUE;
  return replace_work(executable_node(executable, node), WORK(CU_GRAPH_NODE_TYPE_HOST, host, *host));
}

CUresult CUDAAPI cuGraphAddEmptyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                                     size_t count) {
  return add_work(node, graph, after, count, (struct NodeWork){.type = CU_GRAPH_NODE_TYPE_EMPTY});
}

CUresult CUDAAPI cuGraphAddEventRecordNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                                           size_t count, CUevent event) {
  return add_work(node, graph, after, count, WORK(CU_GRAPH_NODE_TYPE_EVENT_RECORD, event, event));
}

CUresult CUDAAPI cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent* event) {
  TRY(driver_state());
  if (!event || !node_of_type(node, CU_GRAPH_NODE_TYPE_EVENT_RECORD)) return CUDA_ERROR_INVALID_VALUE;
  *event = node->work.event;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event) {
  return replace_work(checked_node(node), WORK(CU_GRAPH_NODE_TYPE_EVENT_RECORD, event, event));
}

CUresult CUDAAPI cuGraphExecEventRecordNodeSetEvent(CUgraphExec executable, CUgraphNode node, CUevent event) {
  return replace_work(executable_node(executable, node), WORK(CU_GRAPH_NODE_TYPE_EVENT_RECORD, event, event));
}

CUresult CUDAAPI cuGraphAddEventWaitNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                                         size_t count, CUevent event) {
  return add_work(node, graph, after, count, WORK(CU_GRAPH_NODE_TYPE_WAIT_EVENT, event, event));
}

CUresult CUDAAPI cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent* event) {
  TRY(driver_state());
  if (!event || !node_of_type(node, CU_GRAPH_NODE_TYPE_WAIT_EVENT)) return CUDA_ERROR_INVALID_VALUE;
  *event = node->work.event;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event) {
  return replace_work(checked_node(node), WORK(CU_GRAPH_NODE_TYPE_WAIT_EVENT, event, event));
}

CUresult CUDAAPI cuGraphExecEventWaitNodeSetEvent(CUgraphExec executable, CUgraphNode node, CUevent event) {
  return replace_work(executable_node(executable, node), WORK(CU_GRAPH_NODE_TYPE_WAIT_EVENT, event, event));
}
