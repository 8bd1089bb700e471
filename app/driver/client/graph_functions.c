// Functions cuGraph* on graphs as a whole: making, copying, listing, edges.
// Test: tests/unit/driver/client/graph_test.cpp
#include "driver/client/connection.h"
#include "driver/client/current.h"
#include "driver/client/generated.h"
#include "driver/client/graph.h"

CUresult CUDAAPI cuGraphCreate(CUgraph* graph, unsigned int flags) {
  TRY(check_context());
  if (!graph || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  return (*graph = make_graph()) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult CUDAAPI cuGraphDestroy(CUgraph graph) {
  TRY(driver_state());
  if (!checked_graph(graph) || graph->is_child) return CUDA_ERROR_INVALID_VALUE;
  free_graph(graph);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGraphDestroyNode(CUgraphNode node) {
  TRY(driver_state());
  if (!checked_node(node)) return CUDA_ERROR_INVALID_VALUE;
  if (node->work.type == CU_GRAPH_NODE_TYPE_MEM_ALLOC || node->work.type == CU_GRAPH_NODE_TYPE_MEM_FREE)
    return CUDA_ERROR_NOT_SUPPORTED;
  remove_node(node);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGraphClone(CUgraph* copy, CUgraph graph) {
  TRY(driver_state());
  return copy && checked_graph(graph) ? copy_graph(graph, copy) : CUDA_ERROR_INVALID_VALUE;
}

CUresult CUDAAPI cuGraphNodeFindInClone(CUgraphNode* found, CUgraphNode original, CUgraph copy) {
  TRY(driver_state());
  if (!found || !checked_graph(copy)) return CUDA_ERROR_INVALID_VALUE;
  *found = copy_in_graph(copy, original);
  return *found ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult CUDAAPI cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType* type) {
  TRY(driver_state());
  if (!checked_node(node) || !type) return CUDA_ERROR_INVALID_VALUE;
  *type = node->work.type;
  return CUDA_SUCCESS;
}

// Lists. A function that lists writes as many rows as there is room for, and clears the rest of the room;
// without an array it says how many there are.

struct List {
  CUgraphNode* nodes;
  CUgraphNode* others;     // of edges: their ends
  CUgraphEdgeData* edges;  // null: not asked for
  size_t room, count;
};

static void list(struct List* into, CUgraphNode node, CUgraphNode other) {
  const size_t at = into->count++;
  if (at >= into->room) return;
  if (into->nodes) into->nodes[at] = node;
  if (into->others) into->others[at] = other;
  if (into->edges) into->edges[at] = (CUgraphEdgeData){0};
}

static CUresult end_list(const struct List* list, size_t* count) {
  if (!list->nodes && !list->others) {
    *count = list->count;
    return CUDA_SUCCESS;
  }
  for (size_t n = list->count; n < list->room; ++n) {
    if (list->nodes) list->nodes[n] = NULL;
    if (list->others) list->others[n] = NULL;
  }
  if (list->count < list->room) *count = list->count;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGraphGetNodes(CUgraph graph, CUgraphNode* nodes, size_t* count) {
  TRY(driver_state());
  if (!checked_graph(graph) || !count) return CUDA_ERROR_INVALID_VALUE;
  struct List found = {.nodes = nodes, .room = *count};
  for (CUgraphNode each = graph->first; each; each = each->next) list(&found, each, NULL);
  return end_list(&found, count);
}

CUresult CUDAAPI cuGraphGetRootNodes(CUgraph graph, CUgraphNode* nodes, size_t* count) {
  TRY(driver_state());
  if (!checked_graph(graph) || !count) return CUDA_ERROR_INVALID_VALUE;
  struct List found = {.nodes = nodes, .room = *count};
  for (CUgraphNode each = graph->first; each; each = each->next)
    if (each->after_count == 0) list(&found, each, NULL);
  return end_list(&found, count);
}

CUresult CUDAAPI cuGraphGetEdges_v2(CUgraph graph, CUgraphNode* from, CUgraphNode* to, CUgraphEdgeData* edges,
                                    size_t* count) {
  TRY(driver_state());
  if (!checked_graph(graph) || !count || !from != !to) return CUDA_ERROR_INVALID_VALUE;
  struct List found = {.nodes = from, .others = to, .edges = edges, .room = *count};
  for (CUgraphNode each = graph->first; each; each = each->next)
    for (size_t n = 0; n < each->after_count; ++n) list(&found, each->after[n], each);
  return end_list(&found, count);
}

CUresult CUDAAPI cuGraphGetEdges(CUgraph graph, CUgraphNode* from, CUgraphNode* to, size_t* count) {
  return cuGraphGetEdges_v2(graph, from, to, NULL, count);
}

CUresult CUDAAPI cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode* nodes, CUgraphEdgeData* edges,
                                               size_t* count) {
  TRY(driver_state());
  if (!checked_node(node) || !count) return CUDA_ERROR_INVALID_VALUE;
  struct List found = {.nodes = nodes, .edges = edges, .room = *count};
  for (size_t n = 0; n < node->after_count; ++n) list(&found, node->after[n], NULL);
  return end_list(&found, count);
}

CUresult CUDAAPI cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode* nodes, size_t* count) {
  return cuGraphNodeGetDependencies_v2(node, nodes, NULL, count);
}

CUresult CUDAAPI cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode* nodes, CUgraphEdgeData* edges,
                                                 size_t* count) {
  TRY(driver_state());
  if (!checked_node(node) || !count) return CUDA_ERROR_INVALID_VALUE;
  struct List found = {.nodes = nodes, .edges = edges, .room = *count};
  for (CUgraphNode each = graph_of(node)->first; each; each = each->next)
    if (comes_after(each, node)) list(&found, each, NULL);
  return end_list(&found, count);
}

CUresult CUDAAPI cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode* nodes, size_t* count) {
  return cuGraphNodeGetDependentNodes_v2(node, nodes, NULL, count);
}

// Edges. What a programmatic edge allows to overlap changes no result here, where nodes run one by one.

static CUresult change_edges(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to, size_t count,
                             CUresult (*change)(CUgraphNode, CUgraphNode)) {
  TRY(driver_state());
  if (!checked_graph(graph) || (count > 0 && (!from || !to))) return CUDA_ERROR_INVALID_VALUE;
  for (size_t n = 0; n < count; ++n) {
    if (!checked_node(from[n]) || !checked_node(to[n]) || graph_of(from[n]) != graph)
      return CUDA_ERROR_INVALID_VALUE;
    TRY(change(from[n], to[n]));
  }
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                           const CUgraphEdgeData* edges, size_t count) {
  (void)edges;
  return change_edges(graph, from, to, count, add_edge);
}

CUresult CUDAAPI cuGraphAddDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                        size_t count) {
  return change_edges(graph, from, to, count, add_edge);
}

CUresult CUDAAPI cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                              const CUgraphEdgeData* edges, size_t count) {
  (void)edges;
  return change_edges(graph, from, to, count, remove_edge);
}

CUresult CUDAAPI cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                           size_t count) {
  return change_edges(graph, from, to, count, remove_edge);
}
