// Functions of CUDA 13 whose form differs from that in CUDA 11 and 12 (older.c).
#include "driver/client/runtime/generated.h"
#include "driver/client/runtime/properties.h"

cudaError_t CUDARTAPI cudaGetDeviceProperties(struct cudaDeviceProp* properties, int device) {
  const CUresult result = start_runtime();
  if (result != CUDA_SUCCESS) return answer(result);
  if (!properties || check_device_number(device) != CUDA_SUCCESS)
    return answer_error(properties ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
  FILL_PROPERTIES(properties);
  FILL(properties, maxTexture1D, MAXIMUM_TEXTURE1D_WIDTH);
  FILL(properties, maxTexture2D[0], MAXIMUM_TEXTURE2D_WIDTH);
  FILL(properties, maxTexture2D[1], MAXIMUM_TEXTURE2D_HEIGHT);
  FILL(properties, maxTexture2DLinear[0], MAXIMUM_TEXTURE2D_LINEAR_WIDTH);
  FILL(properties, maxTexture2DLinear[1], MAXIMUM_TEXTURE2D_LINEAR_HEIGHT);
  FILL(properties, maxTexture2DLinear[2], MAXIMUM_TEXTURE2D_LINEAR_PITCH);
  FILL(properties, maxTexture2DGather[0], MAXIMUM_TEXTURE2D_GATHER_WIDTH);
  FILL(properties, maxTexture2DGather[1], MAXIMUM_TEXTURE2D_GATHER_HEIGHT);
  FILL(properties, maxTexture3D[0], MAXIMUM_TEXTURE3D_WIDTH);
  FILL(properties, maxTexture3D[1], MAXIMUM_TEXTURE3D_HEIGHT);
  FILL(properties, maxTexture3D[2], MAXIMUM_TEXTURE3D_DEPTH);
  FILL(properties, maxTexture1DLayered[0], MAXIMUM_TEXTURE1D_LAYERED_WIDTH);
  FILL(properties, maxTexture1DLayered[1], MAXIMUM_TEXTURE1D_LAYERED_LAYERS);
  FILL(properties, maxTexture2DLayered[0], MAXIMUM_TEXTURE2D_LAYERED_WIDTH);
  FILL(properties, maxTexture2DLayered[1], MAXIMUM_TEXTURE2D_LAYERED_HEIGHT);
  FILL(properties, maxTexture2DLayered[2], MAXIMUM_TEXTURE2D_LAYERED_LAYERS);
  FILL(properties, maxSurface1D, MAXIMUM_SURFACE1D_WIDTH);
  FILL(properties, maxSurface2D[0], MAXIMUM_SURFACE2D_WIDTH);
  FILL(properties, maxSurface2D[1], MAXIMUM_SURFACE2D_HEIGHT);
  FILL(properties, maxSurface3D[0], MAXIMUM_SURFACE3D_WIDTH);
  FILL(properties, maxSurface3D[1], MAXIMUM_SURFACE3D_HEIGHT);
  FILL(properties, maxSurface3D[2], MAXIMUM_SURFACE3D_DEPTH);
  FILL(properties, maxSurface1DLayered[0], MAXIMUM_SURFACE1D_LAYERED_WIDTH);
  FILL(properties, maxSurface1DLayered[1], MAXIMUM_SURFACE1D_LAYERED_LAYERS);
  FILL(properties, maxSurface2DLayered[0], MAXIMUM_SURFACE2D_LAYERED_WIDTH);
  FILL(properties, maxSurface2DLayered[1], MAXIMUM_SURFACE2D_LAYERED_HEIGHT);
  FILL(properties, maxSurface2DLayered[2], MAXIMUM_SURFACE2D_LAYERED_LAYERS);
  FILL(properties, memoryPoolsSupported, MEMORY_POOLS_SUPPORTED);
  FILL(properties, clusterLaunch, CLUSTER_LAUNCH);
  FILL(properties, hostRegisterSupported, HOST_REGISTER_SUPPORTED);
  // Members that CUDA 13 removed: tools/old_names.h reads them here.
  FILL(properties, reserved[0], CLOCK_RATE);
  FILL(properties, reserved[1], MEMORY_CLOCK_RATE);
  FILL(properties, reserved[2], KERNEL_EXEC_TIMEOUT);
  FILL(properties, reserved[3], COMPUTE_MODE);
  return cudaSuccess;
}

_Static_assert(sizeof(struct cudaMemLocation) == sizeof(CUmemLocation), "a place of memory");

static CUmemLocation location_of(struct cudaMemLocation location) {
  return (CUmemLocation){.type = (CUmemLocationType)location.type, .id = location.id};
}

cudaError_t CUDARTAPI cudaMemAdvise(const void* memory, size_t size, enum cudaMemoryAdvise advice,
                                    struct cudaMemLocation location) {
  ANSWER(cuMemAdvise(device_pointer(memory), size, (CUmem_advise)advice, location_of(location)));
}

cudaError_t CUDARTAPI cudaMemPrefetchAsync(const void* memory, size_t size, struct cudaMemLocation location,
                                           unsigned int flags, cudaStream_t stream) {
  ANSWER(cuMemPrefetchAsync(device_pointer(memory), size, location_of(location), flags, stream));
}

cudaError_t CUDARTAPI cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus* status,
                                               unsigned long long* id, cudaGraph_t* graph,
                                               const cudaGraphNode_t** nodes, const cudaGraphEdgeData** edges,
                                               size_t* count) {
  ANSWER(cuStreamGetCaptureInfo(stream, (CUstreamCaptureStatus*)status, (cuuint64_t*)id, graph, nodes,
                                (const CUgraphEdgeData**)edges, count));
}

// Graphs: functions that CUDA 13 gave the data of edges.

cudaError_t CUDARTAPI cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                               const cudaGraphNode_t* to, const cudaGraphEdgeData* edges,
                                               size_t count) {
  ANSWER(cuGraphAddDependencies(graph, from, to, (const CUgraphEdgeData*)edges, count));
}

cudaError_t CUDARTAPI cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                  const cudaGraphNode_t* to, const cudaGraphEdgeData* edges,
                                                  size_t count) {
  ANSWER(cuGraphRemoveDependencies(graph, from, to, (const CUgraphEdgeData*)edges, count));
}

cudaError_t CUDARTAPI cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                        cudaGraphEdgeData* edges, size_t* count) {
  ANSWER(cuGraphGetEdges(graph, from, to, (CUgraphEdgeData*)edges, count));
}

cudaError_t CUDARTAPI cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                                   cudaGraphEdgeData* edges, size_t* count) {
  ANSWER(cuGraphNodeGetDependencies(node, nodes, (CUgraphEdgeData*)edges, count));
}

cudaError_t CUDARTAPI cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                                     cudaGraphEdgeData* edges, size_t* count) {
  ANSWER(cuGraphNodeGetDependentNodes(node, nodes, (CUgraphEdgeData*)edges, count));
}

cudaError_t CUDARTAPI cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                       const cudaGraphEdgeData* edges, size_t count,
                                       struct cudaGraphNodeParams* any) {
  (void)edges;
  return answer(add_any_node(node, graph, after, count, any));
}

cudaError_t CUDARTAPI cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* nodes,
                                                          const cudaGraphEdgeData* edges, size_t count,
                                                          unsigned int flags) {
  ANSWER(cuStreamUpdateCaptureDependencies(stream, nodes, (const CUgraphEdgeData*)edges, count, flags));
}
