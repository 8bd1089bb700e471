// Adding and replacing what a node of a graph does, for the functions of all kinds of nodes.
// Test: tests/unit/driver/client/graph_test.cpp
#pragma once

#include "driver/client/graph.h"

/// Adds a node of this work, after checks. The work is freed if that fails.
CUresult add_work(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, size_t count,
                  struct NodeWork work);

/// Replaces the work of a node by that of the same type. The work is freed if that fails. `node` may be null.
CUresult replace_work(CUgraphNode node, struct NodeWork work);

/// The node if it is live and of this type, else null.
CUgraphNode node_of_type(CUgraphNode node, CUgraphNodeType type);

/// Work of a kernel node; `replaced`: whose attributes of the launch it takes over; null: none.
CUresult kernel_work(const CUDA_KERNEL_NODE_PARAMS* kernel, const struct NodeWork* replaced,
                     struct NodeWork* work);
