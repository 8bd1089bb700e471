/* Names of older CUDA programs that CUDA 13 took away, for a second attempt to compile one: functions of the
   runtime library in their old forms, and the functions of a warp without a mask. Functions where they can
   be, since macros change the text of NVIDIA's own headers too; members of cudaDeviceProp and votes can only
   be macros, which have a condition each. Test: tests/cli/program_test.cpp */
#pragma once
#ifdef __CUDACC__
#include <cuda_runtime.h>
#if CUDART_VERSION >= 13000
static inline cudaError_t cudaThreadSynchronize(void) { return cudaDeviceSynchronize(); }
static inline cudaError_t cudaThreadExit(void) { return cudaDeviceReset(); }
static inline cudaError_t cudaThreadSetCacheConfig(cudaFuncCache cache) {
  return cudaDeviceSetCacheConfig(cache);
}
static inline cudaMemLocation lanescope_location_of(int device) {
  cudaMemLocation location;
  location.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  location.id = device == cudaCpuDeviceId ? 0 : device;
  return location;
}
static inline cudaError_t cudaMemPrefetchAsync(const void* memory, size_t bytes, int device,
                                               cudaStream_t stream = 0) {
  return cudaMemPrefetchAsync(memory, bytes, lanescope_location_of(device), 0, stream);
}
static inline cudaError_t cudaMemAdvise(const void* memory, size_t bytes, cudaMemoryAdvise advice,
                                        int device) {
  return cudaMemAdvise(memory, bytes, advice, lanescope_location_of(device));
}
#ifdef LANESCOPE_OLD_MEMBERS /* client/runtime/newest.c fills them in */
#define clockRate reserved[0]
#define memoryClockRate reserved[1]
#define kernelExecTimeoutEnabled reserved[2]
#define computeMode reserved[3]
#define deviceOverlap asyncEngineCount
#endif
#endif
template <class T>
static __device__ inline T __shfl(T value, int lane, int width = 32) {
  return __shfl_sync(0xffffffffu, value, lane, width);
}
template <class T>
static __device__ inline T __shfl_up(T value, unsigned by, int width = 32) {
  return __shfl_up_sync(0xffffffffu, value, by, width);
}
template <class T>
static __device__ inline T __shfl_down(T value, unsigned by, int width = 32) {
  return __shfl_down_sync(0xffffffffu, value, by, width);
}
template <class T>
static __device__ inline T __shfl_xor(T value, int mask, int width = 32) {
  return __shfl_xor_sync(0xffffffffu, value, mask, width);
}
#ifdef LANESCOPE_OLD_VOTES /* NVIDIA's headers declare these for older devices */
#define __any(predicate) __any_sync(0xffffffffu, predicate)
#define __all(predicate) __all_sync(0xffffffffu, predicate)
#define __ballot(predicate) __ballot_sync(0xffffffffu, predicate)
#endif
#endif
