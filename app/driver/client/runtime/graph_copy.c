// Nodes that copy: boxes, ranges, and variables of a module; and nodes of any kind.
// Test: tests/unit/driver/client/graph_test.cpp
#include "driver/client/runtime/generated.h"

#include <string.h>

static CUcontext current(void) {
  CUcontext context = NULL;
  cuCtxGetCurrent(&context);
  return context;
}

/// Copies whose parameters are read once the runtime is started.
struct Range {
  void* to;
  const void* from;
  size_t size;
  enum cudaMemcpyKind kind;
};

static CUresult convert_range(const struct Range* range, CUDA_MEMCPY3D* converted) {
  const struct cudaMemcpy3DParms box = {.srcPtr = {(void*)range->from, range->size, range->size, 1},
                                        .dstPtr = {range->to, range->size, range->size, 1},
                                        .extent = {range->size, 1, 1},
                                        .kind = range->kind};
  return convert_box(&box, converted);
}

enum Use { kAdd, kReplace, kReplaceInstantiated };

/// Node that a copy is put into: a new one, or one whose copy is replaced.
struct Target {
  enum Use use;
  cudaGraphNode_t* made;
  cudaGraph_t graph;
  const cudaGraphNode_t* after;
  size_t count;
  cudaGraphNode_t node;
  cudaGraphExec_t executable;
};

static CUresult apply(const struct Target* target, const CUDA_MEMCPY3D* copy) {
  switch (target->use) {
    case kAdd:
      return cuGraphAddMemcpyNode(target->made, target->graph, target->after, target->count, copy, current());
    case kReplace:
      return cuGraphMemcpyNodeSetParams(target->node, copy);
    default:
      return cuGraphExecMemcpyNodeSetParams(target->executable, target->node, copy, current());
  }
}

static cudaError_t put_box(struct Target target, const struct cudaMemcpy3DParms* box) {
  CUDA_MEMCPY3D converted;
  CUresult result = start_runtime();
  if (result == CUDA_SUCCESS) result = convert_box(box, &converted);
  return answer(result != CUDA_SUCCESS ? result : apply(&target, &converted));
}

static cudaError_t put_range(struct Target target, struct Range range) {
  CUDA_MEMCPY3D converted;
  CUresult result = start_runtime();
  if (result == CUDA_SUCCESS) result = convert_range(&range, &converted);
  return answer(result != CUDA_SUCCESS ? result : apply(&target, &converted));
}

static cudaError_t put_to_symbol(struct Target target, const void* symbol, size_t offset,
                                 struct Range range) {
  const CUresult result = place_in_variable(symbol, offset, range.size, &range.to);
  return result != CUDA_SUCCESS ? answer(result) : put_range(target, range);
}

static cudaError_t put_from_symbol(struct Target target, const void* symbol, size_t offset,
                                   struct Range range) {
  void* from = NULL;
  const CUresult result = place_in_variable(symbol, offset, range.size, &from);
  range.from = from;
  return result != CUDA_SUCCESS ? answer(result) : put_range(target, range);
}

#define ADDED \
  (struct Target) { .use = kAdd, .made = node, .graph = graph, .after = after, .count = count }
#define REPLACED \
  (struct Target) { .use = kReplace, .node = node }
#define REPLACED_IN_EXECUTABLE \
  (struct Target) { .use = kReplaceInstantiated, .node = node, .executable = executable }

cudaError_t CUDARTAPI cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* after, size_t count,
                                             const struct cudaMemcpy3DParms* box) {
  return put_box(ADDED, box);
}

cudaError_t CUDARTAPI cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                               const cudaGraphNode_t* after, size_t count, void* to,
                                               const void* from, size_t size, enum cudaMemcpyKind kind) {
  return put_range(ADDED, (struct Range){to, from, size, kind});
}

cudaError_t CUDARTAPI cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                                     const cudaGraphNode_t* after, size_t count,
                                                     const void* symbol, const void* from, size_t size,
                                                     size_t offset, enum cudaMemcpyKind kind) {
  return put_to_symbol(ADDED, symbol, offset, (struct Range){NULL, from, size, kind});
}

cudaError_t CUDARTAPI cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                                       const cudaGraphNode_t* after, size_t count, void* to,
                                                       const void* symbol, size_t size, size_t offset,
                                                       enum cudaMemcpyKind kind) {
  return put_from_symbol(ADDED, symbol, offset, (struct Range){to, NULL, size, kind});
}

cudaError_t CUDARTAPI cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                                   const struct cudaMemcpy3DParms* box) {
  return put_box(REPLACED, box);
}

cudaError_t CUDARTAPI cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from,
                                                     size_t size, enum cudaMemcpyKind kind) {
  return put_range(REPLACED, (struct Range){to, from, size, kind});
}

cudaError_t CUDARTAPI cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void* symbol,
                                                           const void* from, size_t size, size_t offset,
                                                           enum cudaMemcpyKind kind) {
  return put_to_symbol(REPLACED, symbol, offset, (struct Range){NULL, from, size, kind});
}

cudaError_t CUDARTAPI cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* to,
                                                             const void* symbol, size_t size, size_t offset,
                                                             enum cudaMemcpyKind kind) {
  return put_from_symbol(REPLACED, symbol, offset, (struct Range){to, NULL, size, kind});
}

cudaError_t CUDARTAPI cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                       const struct cudaMemcpy3DParms* box) {
  return put_box(REPLACED_IN_EXECUTABLE, box);
}

cudaError_t CUDARTAPI cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                         void* to, const void* from, size_t size,
                                                         enum cudaMemcpyKind kind) {
  return put_range(REPLACED_IN_EXECUTABLE, (struct Range){to, from, size, kind});
}

cudaError_t CUDARTAPI cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t executable,
                                                               cudaGraphNode_t node, const void* symbol,
                                                               const void* from, size_t size, size_t offset,
                                                               enum cudaMemcpyKind kind) {
  return put_to_symbol(REPLACED_IN_EXECUTABLE, symbol, offset, (struct Range){NULL, from, size, kind});
}

cudaError_t CUDARTAPI cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t executable,
                                                                 cudaGraphNode_t node, void* to,
                                                                 const void* symbol, size_t size,
                                                                 size_t offset, enum cudaMemcpyKind kind) {
  return put_from_symbol(REPLACED_IN_EXECUTABLE, symbol, offset, (struct Range){to, NULL, size, kind});
}

static enum cudaMemcpyKind kind_of(const CUDA_MEMCPY3D* copy) {
  for (int kind = cudaMemcpyHostToHost; kind < cudaMemcpyDefault; ++kind)
    if (copy->srcMemoryType == source_type((enum cudaMemcpyKind)kind) &&
        copy->dstMemoryType == destination_type((enum cudaMemcpyKind)kind))
      return (enum cudaMemcpyKind)kind;
  return cudaMemcpyDefault;
}

cudaError_t CUDARTAPI cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, struct cudaMemcpy3DParms* box) {
  CUDA_MEMCPY3D copy;
  CUresult result = start_runtime();
  if (result == CUDA_SUCCESS)
    result = box ? cuGraphMemcpyNodeGetParams(node, &copy) : CUDA_ERROR_INVALID_VALUE;
  if (result != CUDA_SUCCESS) return answer(result);
  void* from =
      copy.srcMemoryType == CU_MEMORYTYPE_HOST ? (void*)copy.srcHost : (void*)(uintptr_t)copy.srcDevice;
  void* to = copy.dstMemoryType == CU_MEMORYTYPE_HOST ? copy.dstHost : (void*)(uintptr_t)copy.dstDevice;
  *box = (struct cudaMemcpy3DParms){.srcPos = {copy.srcXInBytes, copy.srcY, copy.srcZ},
                                    .srcPtr = {from, copy.srcPitch, copy.srcPitch, copy.srcHeight},
                                    .dstPos = {copy.dstXInBytes, copy.dstY, copy.dstZ},
                                    .dstPtr = {to, copy.dstPitch, copy.dstPitch, copy.dstHeight},
                                    .extent = {copy.WidthInBytes, copy.Height, copy.Depth},
                                    .kind = kind_of(&copy)};
  return cudaSuccess;
}

// Nodes of any kind. Of the structs of the runtime and the driver only those of kernels and copies differ.
_Static_assert(sizeof(struct cudaGraphNodeParams) == sizeof(CUgraphNodeParams), "a node of any kind");

static CUresult convert_any(const struct cudaGraphNodeParams* any, CUgraphNodeParams* converted) {
  const struct cudaKernelNodeParamsV2* kernel = &any->kernel;
  memcpy(converted, any, sizeof *converted);
  if (any->type == cudaGraphNodeTypeMemcpy) {
    converted->memcpy = (CUDA_MEMCPY_NODE_PARAMS){.flags = 0};
    return convert_box(&any->memcpy.copyParams, &converted->memcpy.copyParams);
  }
  if (any->type != cudaGraphNodeTypeKernel) return CUDA_SUCCESS;
  converted->kernel = (CUDA_KERNEL_NODE_PARAMS_v3){.gridDimX = kernel->gridDim.x,
                                                   .gridDimY = kernel->gridDim.y,
                                                   .gridDimZ = kernel->gridDim.z,
                                                   .blockDimX = kernel->blockDim.x,
                                                   .blockDimY = kernel->blockDim.y,
                                                   .blockDimZ = kernel->blockDim.z,
                                                   .sharedMemBytes = kernel->sharedMemBytes,
                                                   .kernelParams = kernel->kernelParams,
                                                   .extra = kernel->extra};
  return kernel_of(kernel->func, &converted->kernel.func);
}

CUresult add_any_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                      struct cudaGraphNodeParams* any) {
  CUgraphNodeParams converted;
  CUresult result = start_runtime();
  if (result == CUDA_SUCCESS) result = any ? convert_any(any, &converted) : CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS) result = cuGraphAddNode(node, graph, after, NULL, count, &converted);
  if (result == CUDA_SUCCESS && any->type == cudaGraphNodeTypeMemAlloc)
    any->alloc.dptr = (void*)(uintptr_t)converted.alloc.dptr;
  return result;
}

cudaError_t CUDARTAPI cudaGraphNodeSetParams(cudaGraphNode_t node, struct cudaGraphNodeParams* any) {
  CUgraphNodeParams converted;
  CUresult result = start_runtime();
  if (result == CUDA_SUCCESS) result = any ? convert_any(any, &converted) : CUDA_ERROR_INVALID_VALUE;
  return answer(result != CUDA_SUCCESS ? result : cuGraphNodeSetParams(node, &converted));
}

cudaError_t CUDARTAPI cudaGraphExecNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                 struct cudaGraphNodeParams* any) {
  CUgraphNodeParams converted;
  CUresult result = start_runtime();
  if (result == CUDA_SUCCESS) result = any ? convert_any(any, &converted) : CUDA_ERROR_INVALID_VALUE;
  return answer(result != CUDA_SUCCESS ? result : cuGraphExecNodeSetParams(executable, node, &converted));
}
