#include "driver/client/graph.h"

#include "driver/client/connection.h"
#include "driver/client/graph_memory.h"

#include <stdlib.h>

CUresult copy_work(const struct NodeWork* from, struct NodeWork* to) {
  *to = *from;
  switch (from->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
      return copy_launch(&from->kernel, &to->kernel);
    case CU_GRAPH_NODE_TYPE_GRAPH:
      TRY(copy_graph(from->child, &to->child));
      to->child->is_child = 1;
      return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
      keep_graph_memory(from->allocation.dptr);
      return CUDA_SUCCESS;
    default:
      return CUDA_SUCCESS;
  }
}

void free_work(struct NodeWork* work) {
  if (work->type == CU_GRAPH_NODE_TYPE_KERNEL) free_launch(&work->kernel);
  if (work->type == CU_GRAPH_NODE_TYPE_GRAPH) free_graph(work->child);
  if (work->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC) drop_graph_memory(work->allocation.dptr);
  work->type = CU_GRAPH_NODE_TYPE_EMPTY;
}

CUgraph make_graph(void) { return make_handle(kGraphHandle, sizeof(struct CUgraph_st), NULL); }

CUgraph checked_graph(CUgraph graph) { return live_handle(kGraphHandle, graph); }

CUgraphNode checked_node(CUgraphNode node) { return live_handle(kNodeHandle, node); }

CUgraph graph_of(CUgraphNode node) { return (CUgraph)node->handle.owner; }

size_t place_in_graph(CUgraphNode node) {
  size_t place = 0;
  for (CUgraphNode each = graph_of(node)->first; each != node; each = each->next) ++place;
  return place;
}

static void free_node(CUgraphNode node) {
  free_work(&node->work);
  free(node->after);
  drop_handle(node);
}

void free_graph(CUgraph graph) {
  while (graph->first) {
    CUgraphNode gone = graph->first;
    graph->first = gone->next;
    free_node(gone);
  }
  drop_handle(graph);
}

int comes_after(CUgraphNode node, CUgraphNode before) {
  for (size_t n = 0; n < node->after_count; ++n)
    if (node->after[n] == before) return 1;
  return 0;
}

CUresult add_edge(CUgraphNode before, CUgraphNode node) {
  if (before == node || graph_of(before) != graph_of(node) || comes_after(node, before))
    return CUDA_ERROR_INVALID_VALUE;
  CUgraphNode* longer = realloc(node->after, (node->after_count + 1) * sizeof *longer);
  if (!longer) return CUDA_ERROR_OUT_OF_MEMORY;
  longer[node->after_count++] = before;
  node->after = longer;
  return CUDA_SUCCESS;
}

CUresult remove_edge(CUgraphNode before, CUgraphNode node) {
  for (size_t n = 0; n < node->after_count; ++n) {
    if (node->after[n] != before) continue;
    --node->after_count;
    for (; n < node->after_count; ++n) node->after[n] = node->after[n + 1];
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

/// Link to `node` in its graph, or to the end for null.
static CUgraphNode* link_to(CUgraph graph, CUgraphNode node) {
  CUgraphNode* at = &graph->first;
  while (*at != node) at = &(*at)->next;
  return at;
}

CUresult add_node(CUgraph graph, const CUgraphNode* after, size_t count, struct NodeWork* work,
                  CUgraphNode* made) {
  CUgraphNode node = make_handle(kNodeHandle, sizeof *node, graph);
  CUresult result = node ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
  if (node) node->work = *work;
  for (size_t n = 0; n < count && result == CUDA_SUCCESS; ++n)
    result = checked_node(after[n]) ? add_edge(after[n], node) : CUDA_ERROR_INVALID_VALUE;
  if (result != CUDA_SUCCESS) {
    if (node)
      free_node(node);
    else
      free_work(work);
    return result;
  }
  *link_to(graph, NULL) = node;
  ++graph->count;
  if (made) *made = node;
  return CUDA_SUCCESS;
}

void remove_node(CUgraphNode node) {
  CUgraph graph = graph_of(node);
  *link_to(graph, node) = node->next;
  --graph->count;
  for (CUgraphNode each = graph->first; each; each = each->next) remove_edge(node, each);
  free_node(node);
}

static CUresult copy_node(CUgraphNode node, CUgraph into) {
  struct NodeWork work;
  CUgraphNode copy;
  TRY(copy_work(&node->work, &work));
  TRY(add_node(into, NULL, 0, &work, &copy));
  copy->original = node;
  copy->is_disabled = node->is_disabled;
  return CUDA_SUCCESS;
}

/// Node of a copied graph at the place of `node` in its own.
static CUgraphNode at_place_of(CUgraph copy, CUgraphNode node) {
  CUgraphNode found = copy->first;
  for (size_t place = place_in_graph(node); place > 0; --place) found = found->next;
  return found;
}

CUresult copy_graph(CUgraph graph, CUgraph* copy) {
  CUgraph made = make_graph();
  CUresult result = made ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
  for (CUgraphNode each = graph->first; each && result == CUDA_SUCCESS; each = each->next)
    result = copy_node(each, made);
  CUgraphNode into = made ? made->first : NULL;
  for (CUgraphNode each = graph->first; each && result == CUDA_SUCCESS; each = each->next, into = into->next)
    for (size_t n = 0; n < each->after_count && result == CUDA_SUCCESS; ++n)
      result = add_edge(at_place_of(made, each->after[n]), into);
  if (result != CUDA_SUCCESS && made) free_graph(made);
  if (result == CUDA_SUCCESS) *copy = made;
  return result;
}

static int may_be_placed(CUgraphNode node) {
  for (size_t n = 0; n < node->after_count; ++n)
    if (!node->after[n]->is_placed) return 0;
  return !node->is_placed;
}

CUgraphNode* order_nodes(CUgraph graph) {
  CUgraphNode* order = malloc((graph->count + 1) * sizeof *order);
  size_t count = 0, before;
  if (!order) return NULL;
  for (CUgraphNode each = graph->first; each; each = each->next) each->is_placed = 0;
  do {  // once for most graphs, whose nodes were made in an order that can be run
    before = count;
    for (CUgraphNode each = graph->first; each; each = each->next)
      if (may_be_placed(each)) {
        order[count++] = each;
        each->is_placed = 1;
      }
  } while (count > before && count < graph->count);
  if (count == graph->count) return order;
  free(order);
  return NULL;
}

CUgraphNode copy_in_graph(CUgraph graph, CUgraphNode original) {
  for (CUgraphNode each = graph->first; each; each = each->next) {
    if (each->original == original) return each;
    CUgraphNode found =
        each->work.type == CU_GRAPH_NODE_TYPE_GRAPH ? copy_in_graph(each->work.child, original) : NULL;
    if (found) return found;
  }
  return NULL;
}
