// Functions of kernel nodes. Test: tests/unit/driver/client/graph_test.cpp
#include "driver/client/connection.h"
#include "driver/client/current.h"
#include "driver/client/executable_graph.h"
#include "driver/client/graph_node.h"

#include <string.h>

static void copy_attributes(const struct LanescopeLaunch* from, struct LanescopeLaunch* to) {
  to->is_cooperative = from->is_cooperative;
  memcpy(to->cluster, from->cluster, sizeof to->cluster);
}

CUresult kernel_work(const CUDA_KERNEL_NODE_PARAMS* kernel, const struct NodeWork* replaced,
                     struct NodeWork* work) {
  TRY(check_context());
  if (!kernel) return CUDA_ERROR_INVALID_VALUE;
  struct LanescopeLaunch shape = {.grid = {kernel->gridDimX, kernel->gridDimY, kernel->gridDimZ},
                                  .block = {kernel->blockDimX, kernel->blockDimY, kernel->blockDimZ},
                                  .dynamic_shared_bytes = kernel->sharedMemBytes};
  if (replaced) copy_attributes(&replaced->kernel.shape, &shape);
  *work = (struct NodeWork){.type = CU_GRAPH_NODE_TYPE_KERNEL};
  return pack_launch(kernel->func ? kernel->func : (CUfunction)kernel->kern, &shape, kernel->kernelParams,
                     kernel->extra, &work->kernel);
}

CUresult CUDAAPI cuGraphAddKernelNode_v2(CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                                         size_t count, const CUDA_KERNEL_NODE_PARAMS* kernel) {
  struct NodeWork work;
  TRY(kernel_work(kernel, NULL, &work));
  return add_work(node, graph, after, count, work);
}

CUresult CUDAAPI cuGraphKernelNodeGetParams_v2(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS* kernel) {
  TRY(driver_state());
  if (!kernel || !node_of_type(node, CU_GRAPH_NODE_TYPE_KERNEL)) return CUDA_ERROR_INVALID_VALUE;
  const struct LanescopeLaunch* shape = &node->work.kernel.shape;
  *kernel = (CUDA_KERNEL_NODE_PARAMS){.func = node->work.kernel.function,
                                      .gridDimX = shape->grid[0],
                                      .gridDimY = shape->grid[1],
                                      .gridDimZ = shape->grid[2],
                                      .blockDimX = shape->block[0],
                                      .blockDimY = shape->block[1],
                                      .blockDimZ = shape->block[2],
                                      .sharedMemBytes = shape->dynamic_shared_bytes,
                                      .kernelParams = launch_values(&node->work.kernel)};
  return CUDA_SUCCESS;
}

static CUresult replace_kernel(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS* kernel) {
  struct NodeWork work;
  if (!node || node->work.type != CU_GRAPH_NODE_TYPE_KERNEL) return CUDA_ERROR_INVALID_VALUE;
  TRY(kernel_work(kernel, &node->work, &work));
  return replace_work(node, work);
}

CUresult CUDAAPI cuGraphKernelNodeSetParams_v2(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS* kernel) {
  TRY(driver_state());
  return replace_kernel(checked_node(node), kernel);
}

CUresult CUDAAPI cuGraphExecKernelNodeSetParams_v2(CUgraphExec executable, CUgraphNode node,
                                                   const CUDA_KERNEL_NODE_PARAMS* kernel) {
  TRY(driver_state());
  return replace_kernel(executable_node(executable, node), kernel);
}

CUresult CUDAAPI cuGraphKernelNodeCopyAttributes(CUgraphNode to, CUgraphNode from) {
  TRY(driver_state());
  if (!node_of_type(to, CU_GRAPH_NODE_TYPE_KERNEL) || !node_of_type(from, CU_GRAPH_NODE_TYPE_KERNEL))
    return CUDA_ERROR_INVALID_VALUE;
  copy_attributes(&from->work.kernel.shape, &to->work.kernel.shape);
  return CUDA_SUCCESS;
}

/// Sets an attribute of the launch. Those that are not entered are hints, which change no result.
CUresult CUDAAPI cuGraphKernelNodeSetAttribute(CUgraphNode node, CUlaunchAttributeID attribute,
                                               const CUlaunchAttributeValue* value) {
  TRY(driver_state());
  if (!value || !node_of_type(node, CU_GRAPH_NODE_TYPE_KERNEL)) return CUDA_ERROR_INVALID_VALUE;
  struct LanescopeLaunch* shape = &node->work.kernel.shape;
  if (attribute == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) shape->is_cooperative = value->cooperative != 0;
  if (attribute == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) {
    shape->cluster[0] = value->clusterDim.x;
    shape->cluster[1] = value->clusterDim.y;
    shape->cluster[2] = value->clusterDim.z;
  }
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGraphKernelNodeGetAttribute(CUgraphNode node, CUlaunchAttributeID attribute,
                                               CUlaunchAttributeValue* value) {
  TRY(driver_state());
  if (!value || !node_of_type(node, CU_GRAPH_NODE_TYPE_KERNEL)) return CUDA_ERROR_INVALID_VALUE;
  const struct LanescopeLaunch* shape = &node->work.kernel.shape;
  memset(value, 0, sizeof *value);
  if (attribute == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) value->cooperative = (int)shape->is_cooperative;
  if (attribute == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) {
    value->clusterDim.x = shape->cluster[0];
    value->clusterDim.y = shape->cluster[1];
    value->clusterDim.z = shape->cluster[2];
  }
  return CUDA_SUCCESS;
}
