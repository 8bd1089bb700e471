// Launch of a kernel with its parameters packed, to be made now or kept in a node of a graph.
// Test: tests/unit/driver/client/launch_test.cpp
#pragma once

#include "driver/client/cuda_api.h"
#include "driver/messages.h"

struct PackedLaunch {
  CUfunction function;
  struct LanescopeLaunch shape;
  char* bytes;    // the parameters, as the kernel's PTX has them
  size_t size;    // of the parameters
  void** values;  // of cuGraphKernelNodeGetParams: pointers into `bytes`; null until it is asked for
};

/// Checks the shape and packs the parameters. The caller calls free_launch().
CUresult pack_launch(CUfunction function, const struct LanescopeLaunch* shape, void** values, void** extra,
                     struct PackedLaunch* packed);
void free_launch(struct PackedLaunch* packed);

CUresult copy_launch(const struct PackedLaunch* from, struct PackedLaunch* to);

/// Pointers to the value of each parameter, for the program. They last as long as `packed`; null without
/// memory or parameters.
void** launch_values(struct PackedLaunch* packed);
