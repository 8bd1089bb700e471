// Instantiated graphs. Test: tests/unit/driver/client/graph_test.cpp
#pragma once

#include "driver/client/graph.h"

/// Node of the instantiated graph that was made from `node`; null if there is none, or `executable` is wrong.
CUgraphNode executable_node(CUgraphExec executable, CUgraphNode node);

/// Gives the nodes of `graph` the work of those of `from`, which must be the same in number, kinds and edges.
/// CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE with the reason in `info`.
CUresult update_graph(CUgraph graph, CUgraph from, CUgraphExecUpdateResultInfo* info);
