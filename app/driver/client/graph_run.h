// Doing the work of a graph. Test: tests/unit/driver/client/graph_test.cpp
#pragma once

#include "driver/client/graph.h"

/// Does the work of all nodes, one after the other, as work of the stream.
CUresult run_graph(CUgraph graph, CUstream stream);
