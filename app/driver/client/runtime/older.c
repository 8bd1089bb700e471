// Functions of CUDA 11 and 12 whose form differs in 13, or which 13 removed. The structs are those of
// driver_types.h of CUDA 11 and 12.
#include "driver/client/runtime/properties.h"

#include <cuda.h>
#include <stddef.h>

// cuda_runtime_api.h of CUDA 13 is not included: it declares functions of these names with other parameters.
typedef int cudaError_t;
#define CUDARTAPI __attribute__((visibility("default")))

CUresult start_runtime(void);
CUresult check_device_number(int device);
cudaError_t answer(CUresult result);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceGetLimit(size_t* value, int limit);
cudaError_t cudaDeviceSetLimit(int limit, size_t value);
cudaError_t cudaDeviceGetCacheConfig(int* configuration);
cudaError_t cudaDeviceSetCacheConfig(int configuration);

/// Device properties of CUDA 11 and 12. The struct of 12 continues with members that are reserved or rarely
/// used, which cudaGetDeviceProperties_v2 clears.
struct Properties {
  char name[256];
  char uuid[16];
  char luid[8];
  unsigned int luidDeviceNodeMask;
  size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize;
  size_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
  size_t totalConstMem;
  int major, minor;
  size_t textureAlignment, texturePitchAlignment;
  int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory, computeMode;
  int textures[26], surfaces[14];
  size_t surfaceAlignment;
  int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount,
      unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize,
      maxThreadsPerMultiProcessor, streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;
  size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID, hostNativeAtomicSupported,
      singleToDoublePrecisionPerfRatio, pageableMemoryAccess, concurrentManagedAccess,
      computePreemptionSupported, canUseHostPointerForRegisteredMem, cooperativeLaunch,
      cooperativeMultiDeviceLaunch;
  size_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost, maxBlocksPerMultiProcessor,
      accessPolicyMaxWindowSize;
  size_t reservedSharedMemPerBlock;
};
_Static_assert(offsetof(struct Properties, surfaceAlignment) == 568 &&
                   offsetof(struct Properties, sharedMemPerBlockOptin) == 696 &&
                   sizeof(struct Properties) == 728,
               "measured: nvidia-cuda-runtime-cu11 11.8.89 and -cu12 12.8.90");

enum { kSizeOfNewProperties = 1032 };  // of CUDA 12, measured: nvidia-cuda-runtime-cu12 12.8.90

static CUresult fill(struct Properties* properties, int device) {
  if (!properties) return CUDA_ERROR_INVALID_VALUE;
  CUresult result = start_runtime();
  if (result == CUDA_SUCCESS) result = check_device_number(device);
  if (result != CUDA_SUCCESS) return result;
  FILL_PROPERTIES(properties);
  FILL(properties, clockRate, CLOCK_RATE);
  FILL(properties, memoryClockRate, MEMORY_CLOCK_RATE);
  FILL(properties, deviceOverlap, GPU_OVERLAP);
  FILL(properties, computeMode, COMPUTE_MODE);
  FILL(properties, singleToDoublePrecisionPerfRatio, SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO);
  return CUDA_SUCCESS;
}

cudaError_t CUDARTAPI cudaGetDeviceProperties(struct Properties* properties, int device) {
  return answer(fill(properties, device));
}

cudaError_t CUDARTAPI cudaGetDeviceProperties_v2(struct Properties* properties, int device) {
  if (properties)
    memset((char*)properties + sizeof *properties, 0, kSizeOfNewProperties - sizeof *properties);
  return answer(fill(properties, device));
}

static CUresult started(CUresult (*advise)(CUdeviceptr, size_t, CUmem_advise, CUmemLocation),
                        CUdeviceptr memory, size_t size, CUmem_advise advice, CUmemLocation location) {
  const CUresult result = start_runtime();
  return result != CUDA_SUCCESS ? result : advise(memory, size, advice, location);
}

cudaError_t CUDARTAPI cudaMemAdvise_v2(const void* memory, size_t size, int advice, CUmemLocation location) {
  return answer(started(cuMemAdvise, (CUdeviceptr)memory, size, (CUmem_advise)advice, location));
}

cudaError_t CUDARTAPI cudaMemAdvise(const void* memory, size_t size, int advice, int device) {
  return cudaMemAdvise_v2(memory, size, advice,
                          (CUmemLocation){.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = device});
}

cudaError_t CUDARTAPI cudaMemPrefetchAsync_v2(const void* memory, size_t size, CUmemLocation location,
                                              unsigned int flags, CUstream stream) {
  const CUresult result = start_runtime();
  return answer(result != CUDA_SUCCESS
                    ? result
                    : cuMemPrefetchAsync((CUdeviceptr)memory, size, location, flags, stream));
}

cudaError_t CUDARTAPI cudaMemPrefetchAsync(const void* memory, size_t size, int device, CUstream stream) {
  return cudaMemPrefetchAsync_v2(
      memory, size, (CUmemLocation){.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = device}, 0, stream);
}

cudaError_t CUDARTAPI cudaMemPrefetchAsync_ptsz(const void* memory, size_t size, int device,
                                                CUstream stream) {
  return cudaMemPrefetchAsync(memory, size, device, stream);
}

cudaError_t CUDARTAPI cudaMemPrefetchAsync_v2_ptsz(const void* memory, size_t size, CUmemLocation location,
                                                   unsigned int flags, CUstream stream) {
  return cudaMemPrefetchAsync_v2(memory, size, location, flags, stream);
}

cudaError_t CUDARTAPI cudaStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus* status,
                                                  cuuint64_t* id, CUgraph* graph, const CUgraphNode** nodes,
                                                  size_t* count) {
  const CUresult result = start_runtime();
  return answer(result != CUDA_SUCCESS
                    ? result
                    : cuStreamGetCaptureInfo(stream, status, id, graph, nodes, NULL, count));
}

cudaError_t CUDARTAPI cudaStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus* status,
                                               cuuint64_t* id) {
  return cudaStreamGetCaptureInfo_v2(stream, status, id, NULL, NULL, NULL);
}

cudaError_t CUDARTAPI cudaStreamGetCaptureInfo_ptsz(CUstream stream, CUstreamCaptureStatus* status,
                                                    cuuint64_t* id) {
  return cudaStreamGetCaptureInfo(stream, status, id);
}

cudaError_t CUDARTAPI cudaStreamGetCaptureInfo_v2_ptsz(CUstream stream, CUstreamCaptureStatus* status,
                                                       cuuint64_t* id, CUgraph* graph,
                                                       const CUgraphNode** nodes, size_t* count) {
  return cudaStreamGetCaptureInfo_v2(stream, status, id, graph, nodes, count);
}

cudaError_t CUDARTAPI cudaEventElapsedTime_v2(float* milliseconds, CUevent start, CUevent end) {
  return answer(cuEventElapsedTime(milliseconds, start, end));
}

// Graphs: functions whose edges have no data; the forms with a version have them.

static CUresult in_runtime(CUresult (*change)(CUgraph, const CUgraphNode*, const CUgraphNode*,
                                              const CUgraphEdgeData*, size_t),
                           CUgraph graph, const CUgraphNode* from, const CUgraphNode* to, size_t count) {
  const CUresult result = start_runtime();
  return result != CUDA_SUCCESS ? result : change(graph, from, to, NULL, count);
}

cudaError_t CUDARTAPI cudaGraphAddDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                               size_t count) {
  return answer(in_runtime(cuGraphAddDependencies, graph, from, to, count));
}

cudaError_t CUDARTAPI cudaGraphAddDependencies_v2(CUgraph graph, const CUgraphNode* from,
                                                  const CUgraphNode* to, const CUgraphEdgeData* edges,
                                                  size_t count) {
  (void)edges;
  return cudaGraphAddDependencies(graph, from, to, count);
}

cudaError_t CUDARTAPI cudaGraphRemoveDependencies(CUgraph graph, const CUgraphNode* from,
                                                  const CUgraphNode* to, size_t count) {
  return answer(in_runtime(cuGraphRemoveDependencies, graph, from, to, count));
}

cudaError_t CUDARTAPI cudaGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode* from,
                                                     const CUgraphNode* to, const CUgraphEdgeData* edges,
                                                     size_t count) {
  (void)edges;
  return cudaGraphRemoveDependencies(graph, from, to, count);
}

cudaError_t CUDARTAPI cudaGraphGetEdges_v2(CUgraph graph, CUgraphNode* from, CUgraphNode* to,
                                           CUgraphEdgeData* edges, size_t* count) {
  return answer(cuGraphGetEdges(graph, from, to, edges, count));
}

cudaError_t CUDARTAPI cudaGraphGetEdges(CUgraph graph, CUgraphNode* from, CUgraphNode* to, size_t* count) {
  return cudaGraphGetEdges_v2(graph, from, to, NULL, count);
}

cudaError_t CUDARTAPI cudaGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode* nodes,
                                                      CUgraphEdgeData* edges, size_t* count) {
  return answer(cuGraphNodeGetDependencies(node, nodes, edges, count));
}

cudaError_t CUDARTAPI cudaGraphNodeGetDependencies(CUgraphNode node, CUgraphNode* nodes, size_t* count) {
  return cudaGraphNodeGetDependencies_v2(node, nodes, NULL, count);
}

cudaError_t CUDARTAPI cudaGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode* nodes,
                                                        CUgraphEdgeData* edges, size_t* count) {
  return answer(cuGraphNodeGetDependentNodes(node, nodes, edges, count));
}

cudaError_t CUDARTAPI cudaGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode* nodes, size_t* count) {
  return cudaGraphNodeGetDependentNodes_v2(node, nodes, NULL, count);
}

struct cudaGraphNodeParams;
CUresult add_any_node(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, size_t count,
                      struct cudaGraphNodeParams* any);

cudaError_t CUDARTAPI cudaGraphAddNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                                       size_t count, struct cudaGraphNodeParams* any) {
  return answer(add_any_node(node, graph, after, count, any));
}

cudaError_t CUDARTAPI cudaGraphAddNode_v2(CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                                          const CUgraphEdgeData* edges, size_t count,
                                          struct cudaGraphNodeParams* any) {
  (void)edges;
  return cudaGraphAddNode(node, graph, after, count, any);
}

cudaError_t CUDARTAPI cudaStreamUpdateCaptureDependencies_v2(CUstream stream, CUgraphNode* nodes,
                                                             const CUgraphEdgeData* edges, size_t count,
                                                             unsigned int flags) {
  return answer(cuStreamUpdateCaptureDependencies(stream, nodes, edges, count, flags));
}

cudaError_t CUDARTAPI cudaStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode* nodes, size_t count,
                                                          unsigned int flags) {
  return cudaStreamUpdateCaptureDependencies_v2(stream, nodes, NULL, count, flags);
}

cudaError_t CUDARTAPI cudaStreamUpdateCaptureDependencies_ptsz(CUstream stream, CUgraphNode* nodes,
                                                               size_t count, unsigned int flags) {
  return cudaStreamUpdateCaptureDependencies(stream ? stream : CU_STREAM_PER_THREAD, nodes, count, flags);
}

// Functions with their names of CUDA 3.

cudaError_t CUDARTAPI cudaThreadExit(void) { return cudaDeviceReset(); }

cudaError_t CUDARTAPI cudaThreadSynchronize(void) { return cudaDeviceSynchronize(); }

cudaError_t CUDARTAPI cudaThreadGetLimit(size_t* value, int limit) {
  return cudaDeviceGetLimit(value, limit);
}

cudaError_t CUDARTAPI cudaThreadSetLimit(int limit, size_t value) { return cudaDeviceSetLimit(limit, value); }

cudaError_t CUDARTAPI cudaThreadGetCacheConfig(int* configuration) {
  return cudaDeviceGetCacheConfig(configuration);
}

cudaError_t CUDARTAPI cudaThreadSetCacheConfig(int configuration) {
  return cudaDeviceSetCacheConfig(configuration);
}

/// Defines an unsupported function that CUDA 13 lacks or has with other parameters. No parameter is read.
#define NOT_SUPPORTED(name)         \
  cudaError_t CUDARTAPI name(void); \
  cudaError_t CUDARTAPI name(void) { return not_supported(#name); }

cudaError_t not_supported(const char* function);
NOT_SUPPORTED(cudaBindSurfaceToArray)
NOT_SUPPORTED(cudaBindTexture)
NOT_SUPPORTED(cudaBindTexture2D)
NOT_SUPPORTED(cudaBindTextureToArray)
NOT_SUPPORTED(cudaBindTextureToMipmappedArray)
NOT_SUPPORTED(cudaCreateTextureObject_v2)
NOT_SUPPORTED(cudaGetSurfaceReference)
NOT_SUPPORTED(cudaGetTextureAlignmentOffset)
NOT_SUPPORTED(cudaGetTextureObjectTextureDesc_v2)
NOT_SUPPORTED(cudaGetTextureReference)
NOT_SUPPORTED(cudaLaunchCooperativeKernelMultiDevice)
NOT_SUPPORTED(cudaProfilerInitialize)
NOT_SUPPORTED(cudaSetDoubleForDevice)
NOT_SUPPORTED(cudaSetDoubleForHost)
NOT_SUPPORTED(cudaSignalExternalSemaphoresAsync_v2)
NOT_SUPPORTED(cudaSignalExternalSemaphoresAsync_v2_ptsz)
NOT_SUPPORTED(cudaStreamGetCaptureInfo_v3)
NOT_SUPPORTED(cudaStreamGetCaptureInfo_v3_ptsz)
NOT_SUPPORTED(cudaStreamUpdateCaptureDependencies_v2_ptsz)
NOT_SUPPORTED(cudaUnbindTexture)
NOT_SUPPORTED(cudaWaitExternalSemaphoresAsync_v2)
NOT_SUPPORTED(cudaWaitExternalSemaphoresAsync_v2_ptsz)
