// Memory of a graph's allocation nodes. Its address is fixed when the node is made, as on a GPU, and so is
// the memory itself: a launch that allocates finds the bytes of the launch before. Test:
// tests/unit/driver/client/graph_test.cpp
#pragma once

#include "driver/client/cuda_api.h"

/// Allocates the memory of a node of a graph, used by that node alone until keep_graph_memory().
CUresult allocate_graph_memory(size_t size, CUdeviceptr* address);

/// Enter that a copy of the node uses the memory, and that a node which used it is gone. The memory is freed
/// when no node uses it and the program has freed what a launch allocated.
void keep_graph_memory(CUdeviceptr address);
void drop_graph_memory(CUdeviceptr address);

/// Enters an allocation by a launch. CUDA_ERROR_INVALID_VALUE if the one of a launch before is not freed.
CUresult begin_graph_memory(CUdeviceptr address);

/// Enters that the allocation of a launch is freed. CUDA_ERROR_INVALID_VALUE if there is none.
CUresult end_graph_memory(CUdeviceptr address);

/// True for the address of an allocation node.
int is_graph_memory(CUdeviceptr address);
