// Function cuGraphDebugDotPrint: a graph as a text for Graphviz. Test:
// tests/unit/driver/client/graph_test.cpp
#include "driver/client/connection.h"
#include "driver/client/graph.h"
#include "driver/client/module.h"

#include <stdio.h>

static const char* title_of(CUgraphNodeType type) {
  switch (type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
      return "kernel";
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      return "MEMCPY";
    case CU_GRAPH_NODE_TYPE_MEMSET:
      return "MEMSET";
    case CU_GRAPH_NODE_TYPE_HOST:
      return "HOST";
    case CU_GRAPH_NODE_TYPE_GRAPH:
      return "GRAPH";
    case CU_GRAPH_NODE_TYPE_EMPTY:
      return "EMPTY";
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
      return "EVENT_WAIT";
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
      return "EVENT_RECORD";
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
      return "MEM_ALLOC";
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
      return "MEM_FREE";
    default:
      return "NODE";
  }
}

static void print_label(FILE* file, CUgraphNode node) {
  const struct PackedLaunch* kernel = &node->work.kernel;
  const struct Function* function =
      node->work.type == CU_GRAPH_NODE_TYPE_KERNEL ? checked_function(kernel->function) : NULL;
  if (!function) {
    fputs(title_of(node->work.type), file);
    return;
  }
  const unsigned int *grid = kernel->shape.grid, *block = kernel->shape.block;
  fprintf(file, "%s\\<\\<\\<(%u,%u,%u),(%u,%u,%u),%u\\>\\>\\>", function->name, grid[0], grid[1], grid[2],
          block[0], block[1], block[2], kernel->shape.dynamic_shared_bytes);
}

/// Prints a graph, then those in its nodes; `number`: the last number of a graph that was given.
static void print_graph(FILE* file, CUgraph graph, int* number) {
  const int own = ++*number;
  fprintf(file, "subgraph cluster_%d {\nlabel=\"graph_%d\" graph[style=\"dashed\"];\n", own, own);
  for (CUgraphNode each = graph->first; each; each = each->next) {
    const size_t place = place_in_graph(each);
    fprintf(file, "\"graph_%d_node_%zu\"[shape=\"rectangle\" label=\"%zu\\n", own, place, place);
    print_label(file, each);
    fputs("\"];\n", file);
    for (size_t n = 0; n < each->after_count; ++n)
      fprintf(file, "\"graph_%d_node_%zu\" -> \"graph_%d_node_%zu\";\n", own, place_in_graph(each->after[n]),
              own, place);
  }
  fputs("}\n", file);
  for (CUgraphNode each = graph->first; each; each = each->next)
    if (each->work.type == CU_GRAPH_NODE_TYPE_GRAPH) print_graph(file, each->work.child, number);
}

CUresult CUDAAPI cuGraphDebugDotPrint(CUgraph graph, const char* path, unsigned int flags) {
  (void)flags;
  TRY(driver_state());
  if (!checked_graph(graph) || !path) return CUDA_ERROR_INVALID_VALUE;
  FILE* file = fopen(path, "we");
  int number = 0;
  if (!file) return CUDA_ERROR_OPERATING_SYSTEM;
  fputs("digraph dot {\n", file);
  print_graph(file, graph, &number);
  fputs("}\n", file);
  return fclose(file) == 0 ? CUDA_SUCCESS : CUDA_ERROR_OPERATING_SYSTEM;
}
