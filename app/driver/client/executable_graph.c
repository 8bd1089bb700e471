#include "driver/client/executable_graph.h"

#include "driver/client/capture.h"
#include "driver/client/connection.h"
#include "driver/client/current.h"
#include "driver/client/generated.h"
#include "driver/client/graph_memory.h"
#include "driver/client/graph_run.h"

#include <stdlib.h>

struct CUgraphExec_st {
  struct Handle handle;
  CUgraph graph;  // a copy
  cuuint64_t flags;
};

static CUgraphExec checked_executable(CUgraphExec executable) {
  return live_handle(kExecutableHandle, executable);
}

CUgraphNode executable_node(CUgraphExec executable, CUgraphNode node) {
  return checked_executable(executable) && checked_node(node) ? copy_in_graph(executable->graph, node) : NULL;
}

/// True if the graph can be run: it, and every graph in a node of it, has no circle of edges.
static int has_order(CUgraph graph) {
  CUgraphNode* order = order_nodes(graph);
  free(order);
  if (!order) return 0;
  for (CUgraphNode each = graph->first; each; each = each->next)
    if (each->work.type == CU_GRAPH_NODE_TYPE_GRAPH && !has_order(each->work.child)) return 0;
  return 1;
}

CUresult CUDAAPI cuGraphInstantiateWithFlags(CUgraphExec* executable, CUgraph graph,
                                             unsigned long long flags) {
  const unsigned long long known = CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH |
                                   CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD |
                                   CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;
  TRY(check_context());
  if (flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH)
    return not_supported("a graph that the device launches");
  if (!executable || !checked_graph(graph) || (flags & ~known) != 0 || !has_order(graph))
    return CUDA_ERROR_INVALID_VALUE;
  CUgraphExec made = make_handle(kExecutableHandle, sizeof *made, NULL);
  if (!made) return CUDA_ERROR_OUT_OF_MEMORY;
  const CUresult result = copy_graph(graph, &made->graph);
  if (result != CUDA_SUCCESS) {
    drop_handle(made);
    return result;
  }
  made->flags = flags;
  *executable = made;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGraphInstantiateWithParams(CUgraphExec* executable, CUgraph graph,
                                              CUDA_GRAPH_INSTANTIATE_PARAMS* parameters) {
  if (!parameters) return CUDA_ERROR_INVALID_VALUE;
  const CUresult result = cuGraphInstantiateWithFlags(executable, graph, parameters->flags);
  parameters->hErrNode_out = NULL;
  parameters->result_out =
      result == CUDA_SUCCESS ? CUDA_GRAPH_INSTANTIATE_SUCCESS : CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE;
  return result;
}

CUresult CUDAAPI cuGraphInstantiate_v2(CUgraphExec* executable, CUgraph graph, CUgraphNode* wrong, char* log,
                                       size_t room) {
  if (wrong) *wrong = NULL;
  if (log && room > 0) *log = 0;
  return cuGraphInstantiateWithFlags(executable, graph, 0);
}

CUresult CUDAAPI cuGraphInstantiate(CUgraphExec* executable, CUgraph graph, CUgraphNode* wrong, char* log,
                                    size_t room) {
  return cuGraphInstantiate_v2(executable, graph, wrong, log, room);
}

CUresult CUDAAPI cuGraphExecDestroy(CUgraphExec executable) {
  TRY(driver_state());
  if (!checked_executable(executable)) return CUDA_ERROR_INVALID_VALUE;
  free_graph(executable->graph);
  drop_handle(executable);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGraphExecGetFlags(CUgraphExec executable, cuuint64_t* flags) {
  TRY(driver_state());
  if (!checked_executable(executable) || !flags) return CUDA_ERROR_INVALID_VALUE;
  *flags = executable->flags;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGraphUpload(CUgraphExec executable, CUstream stream) {
  struct Capture* capture;
  TRY(begin_call(stream, &capture));
  return checked_executable(executable) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/// Frees what the allocation nodes of an earlier launch gave and nothing freed.
static void free_allocations(CUgraph graph) {
  for (CUgraphNode each = graph->first; each; each = each->next)
    if (each->work.type == CU_GRAPH_NODE_TYPE_MEM_ALLOC) end_graph_memory(each->work.allocation.dptr);
}

CUresult CUDAAPI cuGraphLaunch(CUgraphExec executable, CUstream stream) {
  struct Capture* capture;
  TRY(begin_call(stream, &capture));
  if (!checked_executable(executable)) return CUDA_ERROR_INVALID_VALUE;
  if (!capture) {
    if (executable->flags & CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH)
      free_allocations(executable->graph);
    return run_graph(executable->graph, stream);
  }
  const struct NodeWork original = {.type = CU_GRAPH_NODE_TYPE_GRAPH, .child = executable->graph};
  struct NodeWork work;
  TRY(copy_work(&original, &work));
  return capture_work(capture, stream, &work);
}

CUresult CUDAAPI cuGraphNodeSetEnabled(CUgraphExec executable, CUgraphNode node, unsigned int is_enabled) {
  TRY(driver_state());
  CUgraphNode found = executable_node(executable, node);
  const CUgraphNodeType type = found ? found->work.type : CU_GRAPH_NODE_TYPE_EMPTY;
  if (type != CU_GRAPH_NODE_TYPE_KERNEL && type != CU_GRAPH_NODE_TYPE_MEMCPY &&
      type != CU_GRAPH_NODE_TYPE_MEMSET)
    return CUDA_ERROR_INVALID_VALUE;
  found->is_disabled = !is_enabled;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGraphNodeGetEnabled(CUgraphExec executable, CUgraphNode node, unsigned int* is_enabled) {
  TRY(driver_state());
  CUgraphNode found = executable_node(executable, node);
  if (!found || !is_enabled) return CUDA_ERROR_INVALID_VALUE;
  *is_enabled = !found->is_disabled;
  return CUDA_SUCCESS;
}

static CUresult refuse_update(CUgraphExecUpdateResult why, CUgraphNode node,
                              CUgraphExecUpdateResultInfo* info) {
  *info = (CUgraphExecUpdateResultInfo){.result = why, .errorNode = node};
  return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
}

static int has_edges_of(CUgraphNode node, CUgraphNode from) {
  if (node->after_count != from->after_count) return 0;
  for (size_t n = 0; n < from->after_count; ++n)
    if (place_in_graph(node->after[n]) != place_in_graph(from->after[n])) return 0;
  return 1;
}

/// Compares two graphs, node by node in the order in which the nodes were made.
static CUresult compare_graphs(CUgraph graph, CUgraph from, CUgraphExecUpdateResultInfo* info) {
  if (graph->count != from->count)
    return refuse_update(CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, NULL, info);
  CUgraphNode node = graph->first;
  for (CUgraphNode each = from->first; each; each = each->next, node = node->next) {
    const CUgraphNodeType type = each->work.type;
    if (type != node->work.type)
      return refuse_update(CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED, each, info);
    if (!has_edges_of(node, each))
      return refuse_update(CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, each, info);
    if (type == CU_GRAPH_NODE_TYPE_MEM_ALLOC || type == CU_GRAPH_NODE_TYPE_MEM_FREE)
      return refuse_update(CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED, each, info);
    if (type == CU_GRAPH_NODE_TYPE_GRAPH) TRY(compare_graphs(node->work.child, each->work.child, info));
  }
  return CUDA_SUCCESS;
}

CUresult update_graph(CUgraph graph, CUgraph from, CUgraphExecUpdateResultInfo* info) {
  TRY(compare_graphs(graph, from, info));
  CUgraphNode node = graph->first;
  for (CUgraphNode each = from->first; each; each = each->next, node = node->next) {
    struct NodeWork work;
    if (node->work.type == CU_GRAPH_NODE_TYPE_GRAPH) {
      TRY(update_graph(node->work.child, each->work.child, info));
      continue;
    }
    TRY(copy_work(&each->work, &work));
    free_work(&node->work);
    node->work = work;
  }
  *info = (CUgraphExecUpdateResultInfo){.result = CU_GRAPH_EXEC_UPDATE_SUCCESS};
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGraphExecUpdate_v2(CUgraphExec executable, CUgraph from,
                                      CUgraphExecUpdateResultInfo* info) {
  TRY(driver_state());
  if (!checked_executable(executable) || !checked_graph(from) || !info) return CUDA_ERROR_INVALID_VALUE;
  return update_graph(executable->graph, from, info);
}

CUresult CUDAAPI cuGraphExecUpdate(CUgraphExec executable, CUgraph from, CUgraphNode* wrong,
                                   CUgraphExecUpdateResult* why) {
  CUgraphExecUpdateResultInfo info = {0};
  const CUresult result = cuGraphExecUpdate_v2(executable, from, &info);
  if (wrong) *wrong = info.errorNode;
  if (why) *why = info.result;
  return result;
}
