// Graphs: nodes, each with its work and the nodes that it comes after. As in CUDA, a graph is used by one
// thread at a time. Source: CUDA Driver API, "Graph Management". Test:
// tests/unit/driver/client/graph_test.cpp
#pragma once

#include "driver/client/cuda_api.h"
#include "driver/client/handle.h"
#include "driver/client/node_work.h"

#include <stddef.h>

struct CUgraphNode_st {
  struct Handle handle;  // owned by its graph
  struct NodeWork work;
  CUgraphNode* after;  // the nodes that it depends on
  size_t after_count;
  CUgraphNode original;  // of which it is a copy; perhaps destroyed; null: none
  int is_disabled;       // a launch leaves it out
  int is_placed;         // a mark of functions that walk through the graph
  CUgraphNode next;      // of the graph
};

struct CUgraph_st {
  struct Handle handle;
  CUgraphNode first;  // in the order in which they were made
  size_t count;
  int is_child;  // owned by a node
};

/// Copies the work, a child graph with its nodes. The caller calls free_work().
CUresult copy_work(const struct NodeWork* from, struct NodeWork* to);
void free_work(struct NodeWork* work);

/// A graph without nodes; null without memory.
CUgraph make_graph(void);
void free_graph(CUgraph graph);

/// Copies a graph with its nodes, whose `original` is set.
CUresult copy_graph(CUgraph graph, CUgraph* copy);

/// Graph or node of a handle; null if the handle is not live.
CUgraph checked_graph(CUgraph graph);
CUgraphNode checked_node(CUgraphNode node);
CUgraph graph_of(CUgraphNode node);

/// Place of a node in its graph, from 0.
size_t place_in_graph(CUgraphNode node);

/// Adds a node that takes over `work`, which is freed if that fails. `made` may be null.
CUresult add_node(CUgraph graph, const CUgraphNode* after, size_t count, struct NodeWork* work,
                  CUgraphNode* made);
void remove_node(CUgraphNode node);

/// Lets `node` come after `before`. CUDA_ERROR_INVALID_VALUE if it does already, or is the same node.
CUresult add_edge(CUgraphNode before, CUgraphNode node);
/// CUDA_ERROR_INVALID_VALUE if there is no such edge.
CUresult remove_edge(CUgraphNode before, CUgraphNode node);
int comes_after(CUgraphNode node, CUgraphNode before);

/// Lists the nodes so that each stands behind those that it comes after; else in the order in which they were
/// made. The caller frees the list, which is null without memory and for a graph with a circle of edges.
CUgraphNode* order_nodes(CUgraph graph);

/// Copy of `original` in `graph` or in a child of it; null if there is none.
CUgraphNode copy_in_graph(CUgraph graph, CUgraphNode original);
