// Nodes of graphs: kernels by their host functions, copies, fills, host functions, graphs in graphs.
// Test: tests/unit/driver/client/graph_test.cpp
#include "driver/client/runtime/generated.h"

static CUresult convert_kernel(const struct cudaKernelNodeParams* kernel,
                               CUDA_KERNEL_NODE_PARAMS* converted) {
  if (!kernel) return CUDA_ERROR_INVALID_VALUE;
  *converted = (CUDA_KERNEL_NODE_PARAMS){.gridDimX = kernel->gridDim.x,
                                         .gridDimY = kernel->gridDim.y,
                                         .gridDimZ = kernel->gridDim.z,
                                         .blockDimX = kernel->blockDim.x,
                                         .blockDimY = kernel->blockDim.y,
                                         .blockDimZ = kernel->blockDim.z,
                                         .sharedMemBytes = kernel->sharedMemBytes,
                                         .kernelParams = kernel->kernelParams,
                                         .extra = kernel->extra};
  return kernel_of(kernel->func, &converted->func);
}

/// Leaves the function with the answer of `expression`, in which `converted` is the driver's form of what
/// `convert` is given.
#define ANSWER_CONVERTED(Type, convert, given, expression)                                 \
  do {                                                                                     \
    Type converted;                                                                        \
    CUresult result_of_convert = start_runtime();                                          \
    if (result_of_convert == CUDA_SUCCESS) result_of_convert = convert(given, &converted); \
    return answer(result_of_convert != CUDA_SUCCESS ? result_of_convert : (expression));   \
  } while (0)

cudaError_t CUDARTAPI cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* after, size_t count,
                                             const struct cudaKernelNodeParams* kernel) {
  ANSWER_CONVERTED(CUDA_KERNEL_NODE_PARAMS, convert_kernel, kernel,
                   cuGraphAddKernelNode(node, graph, after, count, &converted));
}

cudaError_t CUDARTAPI cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                                   const struct cudaKernelNodeParams* kernel) {
  ANSWER_CONVERTED(CUDA_KERNEL_NODE_PARAMS, convert_kernel, kernel,
                   cuGraphKernelNodeSetParams(node, &converted));
}

cudaError_t CUDARTAPI cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                       const struct cudaKernelNodeParams* kernel) {
  ANSWER_CONVERTED(CUDA_KERNEL_NODE_PARAMS, convert_kernel, kernel,
                   cuGraphExecKernelNodeSetParams(executable, node, &converted));
}

cudaError_t CUDARTAPI cudaGraphKernelNodeGetParams(cudaGraphNode_t node,
                                                   struct cudaKernelNodeParams* kernel) {
  CUDA_KERNEL_NODE_PARAMS found;
  CUresult result = start_runtime();
  if (result == CUDA_SUCCESS)
    result = kernel ? cuGraphKernelNodeGetParams(node, &found) : CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS)
    *kernel = (struct cudaKernelNodeParams){.func = symbol_of(found.func),
                                            .gridDim = {found.gridDimX, found.gridDimY, found.gridDimZ},
                                            .blockDim = {found.blockDimX, found.blockDimY, found.blockDimZ},
                                            .sharedMemBytes = found.sharedMemBytes,
                                            .kernelParams = found.kernelParams};
  return answer(result);
}

cudaError_t CUDARTAPI cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from) {
  ANSWER(cuGraphKernelNodeCopyAttributes(to, from));
}

cudaError_t CUDARTAPI cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                                      const cudaLaunchAttributeValue* value) {
  ANSWER(cuGraphKernelNodeSetAttribute(node, (CUlaunchAttributeID)attribute,
                                       (const CUlaunchAttributeValue*)value));
}

cudaError_t CUDARTAPI cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                                      cudaLaunchAttributeValue* value) {
  ANSWER(cuGraphKernelNodeGetAttribute(node, (CUlaunchAttributeID)attribute, (CUlaunchAttributeValue*)value));
}

// Fills and host functions: the structs of the runtime and the driver have the same layout.
_Static_assert(sizeof(struct cudaMemsetParams) == sizeof(CUDA_MEMSET_NODE_PARAMS), "a fill");
_Static_assert(sizeof(struct cudaHostNodeParams) == sizeof(CUDA_HOST_NODE_PARAMS), "a host function");
_Static_assert(sizeof(struct cudaMemAllocNodeParams) == sizeof(CUDA_MEM_ALLOC_NODE_PARAMS), "an allocation");

static CUcontext current(void) {
  CUcontext context = NULL;
  cuCtxGetCurrent(&context);
  return context;
}

cudaError_t CUDARTAPI cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* after, size_t count,
                                             const struct cudaMemsetParams* fill) {
  ANSWER(cuGraphAddMemsetNode(node, graph, after, count, (const CUDA_MEMSET_NODE_PARAMS*)fill, current()));
}

cudaError_t CUDARTAPI cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, struct cudaMemsetParams* fill) {
  ANSWER(cuGraphMemsetNodeGetParams(node, (CUDA_MEMSET_NODE_PARAMS*)fill));
}

cudaError_t CUDARTAPI cudaGraphMemsetNodeSetParams(cudaGraphNode_t node,
                                                   const struct cudaMemsetParams* fill) {
  ANSWER(cuGraphMemsetNodeSetParams(node, (const CUDA_MEMSET_NODE_PARAMS*)fill));
}

cudaError_t CUDARTAPI cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                       const struct cudaMemsetParams* fill) {
  ANSWER(cuGraphExecMemsetNodeSetParams(executable, node, (const CUDA_MEMSET_NODE_PARAMS*)fill, current()));
}

cudaError_t CUDARTAPI cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* after, size_t count,
                                           const struct cudaHostNodeParams* host) {
  ANSWER(cuGraphAddHostNode(node, graph, after, count, (const CUDA_HOST_NODE_PARAMS*)host));
}

cudaError_t CUDARTAPI cudaGraphHostNodeGetParams(cudaGraphNode_t node, struct cudaHostNodeParams* host) {
  ANSWER(cuGraphHostNodeGetParams(node, (CUDA_HOST_NODE_PARAMS*)host));
}

cudaError_t CUDARTAPI cudaGraphHostNodeSetParams(cudaGraphNode_t node,
                                                 const struct cudaHostNodeParams* host) {
  ANSWER(cuGraphHostNodeSetParams(node, (const CUDA_HOST_NODE_PARAMS*)host));
}

cudaError_t CUDARTAPI cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                     const struct cudaHostNodeParams* host) {
  ANSWER(cuGraphExecHostNodeSetParams(executable, node, (const CUDA_HOST_NODE_PARAMS*)host));
}

// Nodes without a struct.

cudaError_t CUDARTAPI cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                            const cudaGraphNode_t* after, size_t count) {
  ANSWER(cuGraphAddEmptyNode(node, graph, after, count));
}

cudaError_t CUDARTAPI cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                 const cudaGraphNode_t* after, size_t count,
                                                 cudaGraph_t child) {
  ANSWER(cuGraphAddChildGraphNode(node, graph, after, count, child));
}

cudaError_t CUDARTAPI cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* child) {
  ANSWER(cuGraphChildGraphNodeGetGraph(node, child));
}

cudaError_t CUDARTAPI cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                           cudaGraph_t child) {
  ANSWER(cuGraphExecChildGraphNodeSetParams(executable, node, child));
}

cudaError_t CUDARTAPI cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                  const cudaGraphNode_t* after, size_t count,
                                                  cudaEvent_t event) {
  ANSWER(cuGraphAddEventRecordNode(node, graph, after, count, event));
}

cudaError_t CUDARTAPI cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  ANSWER(cuGraphEventRecordNodeGetEvent(node, event));
}

cudaError_t CUDARTAPI cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  ANSWER(cuGraphEventRecordNodeSetEvent(node, event));
}

cudaError_t CUDARTAPI cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                           cudaEvent_t event) {
  ANSWER(cuGraphExecEventRecordNodeSetEvent(executable, node, event));
}

cudaError_t CUDARTAPI cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                const cudaGraphNode_t* after, size_t count,
                                                cudaEvent_t event) {
  ANSWER(cuGraphAddEventWaitNode(node, graph, after, count, event));
}

cudaError_t CUDARTAPI cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  ANSWER(cuGraphEventWaitNodeGetEvent(node, event));
}

cudaError_t CUDARTAPI cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  ANSWER(cuGraphEventWaitNodeSetEvent(node, event));
}

cudaError_t CUDARTAPI cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                         cudaEvent_t event) {
  ANSWER(cuGraphExecEventWaitNodeSetEvent(executable, node, event));
}

cudaError_t CUDARTAPI cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                               const cudaGraphNode_t* after, size_t count,
                                               struct cudaMemAllocNodeParams* allocation) {
  ANSWER(cuGraphAddMemAllocNode(node, graph, after, count, (CUDA_MEM_ALLOC_NODE_PARAMS*)allocation));
}

cudaError_t CUDARTAPI cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                                                     struct cudaMemAllocNodeParams* allocation) {
  ANSWER(cuGraphMemAllocNodeGetParams(node, (CUDA_MEM_ALLOC_NODE_PARAMS*)allocation));
}

cudaError_t CUDARTAPI cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                              const cudaGraphNode_t* after, size_t count, void* memory) {
  ANSWER(cuGraphAddMemFreeNode(node, graph, after, count, device_pointer(memory)));
}

cudaError_t CUDARTAPI cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* memory) {
  ANSWER(cuGraphMemFreeNodeGetParams(node, (CUdeviceptr*)memory));
}

cudaError_t CUDARTAPI cudaDeviceGraphMemTrim(int device) { ANSWER(cuDeviceGraphMemTrim(device)); }

cudaError_t CUDARTAPI cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                                       unsigned int value, unsigned int flags) {
  ANSWER(cuGraphConditionalHandleCreate((CUgraphConditionalHandle*)handle, graph, NULL, value, flags));
}
