// Work of a node of a graph. Test: tests/unit/driver/client/graph_test.cpp
#pragma once

#include "driver/client/cuda_api.h"
#include "driver/client/packed_launch.h"

struct NodeWork {
  CUgraphNodeType type;
  union {
    struct PackedLaunch kernel;
    CUDA_MEMCPY3D copy;
    CUDA_MEMSET_NODE_PARAMS fill;
    CUDA_HOST_NODE_PARAMS host;
    CUgraph child;  // owned
    CUevent event;  // that is recorded or waited for
    CUDA_MEM_ALLOC_NODE_PARAMS allocation;
    CUdeviceptr freed;
  };
};
