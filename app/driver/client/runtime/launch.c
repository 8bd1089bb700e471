// Launches, attributes of kernels, occupancy and libraries.
#include "driver/client/runtime/generated.h"

#include <stdlib.h>
#include <string.h>

/// Converts the driver's result of a launch. Of a shape that no device allows, CUDA 11 and 12 answer
/// cudaErrorInvalidConfiguration; CUDA 13 (measured: 13.0 on an H200) answers the error of any wrong value.
static cudaError_t answer_launch(CUresult result, dim3 grid, dim3 block) {
  int most = 1024;
  cuDeviceGetAttribute(&most, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 0);
  const unsigned long long threads = (unsigned long long)block.x * block.y * block.z;
  const int is_empty = grid.x == 0 || grid.y == 0 || grid.z == 0 || threads == 0;
  const int is_too_large = threads > (unsigned int)most || block.z > 64 || grid.y > 65535 || grid.z > 65535;
  if (LANESCOPE_CUDART_VERSION < 13000 && result == CUDA_ERROR_INVALID_VALUE && (is_empty || is_too_large))
    return answer_error(cudaErrorInvalidConfiguration);
  return answer(result);
}

static cudaError_t launch(const CUlaunchConfig* shape, const void* symbol, void** values) {
  CUfunction kernel = NULL;
  // nvcc's code launches null if it could not get the kernel: keep the error with the reason.
  if (!symbol && cudaPeekAtLastError() != cudaSuccess) return cudaPeekAtLastError();
  CUresult result = kernel_of(symbol, &kernel);
  if (result == CUDA_SUCCESS) result = start_runtime();
  if (result == CUDA_SUCCESS) result = cuLaunchKernelEx(shape, kernel, values, NULL);
  return answer_launch(result, (dim3){shape->gridDimX, shape->gridDimY, shape->gridDimZ},
                       (dim3){shape->blockDimX, shape->blockDimY, shape->blockDimZ});
}

static CUlaunchConfig shape_of(dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t stream) {
  return (CUlaunchConfig){
      .gridDimX = grid.x,
      .gridDimY = grid.y,
      .gridDimZ = grid.z,
      .blockDimX = block.x,
      .blockDimY = block.y,
      .blockDimZ = block.z,
      .sharedMemBytes = shared_bytes > 0xffffffff ? 0xffffffff : (unsigned int)shared_bytes,
      .hStream = stream};
}

cudaError_t CUDARTAPI cudaLaunchKernel(const void* symbol, dim3 grid, dim3 block, void** values,
                                       size_t shared_bytes, cudaStream_t stream) {
  const CUlaunchConfig shape = shape_of(grid, block, shared_bytes, stream);
  return launch(&shape, symbol, values);
}

cudaError_t CUDARTAPI cudaLaunchCooperativeKernel(const void* symbol, dim3 grid, dim3 block, void** values,
                                                  size_t shared_bytes, cudaStream_t stream) {
  CUlaunchAttribute attribute = {.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE};
  CUlaunchConfig shape = shape_of(grid, block, shared_bytes, stream);
  attribute.value.cooperative = 1;
  shape.attrs = &attribute;
  shape.numAttrs = 1;
  return launch(&shape, symbol, values);
}

/// Launch attributes have the same numbers and layout in the runtime and the driver.
_Static_assert(sizeof(cudaLaunchAttribute) == sizeof(CUlaunchAttribute), "the attributes of a launch");

cudaError_t CUDARTAPI cudaLaunchKernelExC(const cudaLaunchConfig_t* configuration, const void* symbol,
                                          void** values) {
  if (!configuration) return answer_error(cudaErrorInvalidValue);
  CUlaunchConfig shape = shape_of(configuration->gridDim, configuration->blockDim,
                                  configuration->dynamicSmemBytes, configuration->stream);
  shape.attrs = (CUlaunchAttribute*)configuration->attrs;
  shape.numAttrs = configuration->numAttrs;
  return launch(&shape, symbol, values);
}

static int attribute_of(CUfunction kernel, CUfunction_attribute attribute) {
  int value = 0;
  cuFuncGetAttribute(&value, attribute, kernel);
  return value;
}

cudaError_t CUDARTAPI cudaFuncGetAttributes(struct cudaFuncAttributes* attributes, const void* symbol) {
  CUfunction kernel = NULL;
  const CUresult result = kernel_of(symbol, &kernel);
  if (result != CUDA_SUCCESS) return answer(result);
  if (!attributes) return answer_error(cudaErrorInvalidValue);
  // Each member alone, since the struct of older versions ends after the last one set here.
  attributes->sharedSizeBytes = (size_t)attribute_of(kernel, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  attributes->constSizeBytes = (size_t)attribute_of(kernel, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES);
  attributes->localSizeBytes = (size_t)attribute_of(kernel, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
  attributes->maxThreadsPerBlock = attribute_of(kernel, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  attributes->numRegs = attribute_of(kernel, CU_FUNC_ATTRIBUTE_NUM_REGS);
  attributes->ptxVersion = attribute_of(kernel, CU_FUNC_ATTRIBUTE_PTX_VERSION);
  attributes->binaryVersion = attribute_of(kernel, CU_FUNC_ATTRIBUTE_BINARY_VERSION);
  attributes->cacheModeCA = attribute_of(kernel, CU_FUNC_ATTRIBUTE_CACHE_MODE_CA);
  attributes->maxDynamicSharedSizeBytes =
      attribute_of(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
  attributes->preferredShmemCarveout =
      attribute_of(kernel, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT);
  return cudaSuccess;
}

/// Leaves the function with the answer of `expression`, in which `kernel` is the kernel of `symbol`.
#define ANSWER_OF_KERNEL(symbol, expression)                     \
  do {                                                           \
    CUfunction kernel = NULL;                                    \
    const CUresult found = kernel_of(symbol, &kernel);           \
    return answer(found != CUDA_SUCCESS ? found : (expression)); \
  } while (0)

cudaError_t CUDARTAPI cudaFuncSetAttribute(const void* symbol, enum cudaFuncAttribute attribute, int value) {
  ANSWER_OF_KERNEL(symbol, cuFuncSetAttribute(kernel, (CUfunction_attribute)attribute, value));
}

cudaError_t CUDARTAPI cudaKernelSetAttributeForDevice(cudaKernel_t kernel, enum cudaFuncAttribute attribute,
                                                      int value, int device) {
  ANSWER(cuKernelSetAttribute((CUfunction_attribute)attribute, value, (CUkernel)kernel, device));
}

cudaError_t CUDARTAPI cudaFuncSetCacheConfig(const void* symbol, enum cudaFuncCache configuration) {
  ANSWER_OF_KERNEL(symbol, cuFuncSetCacheConfig(kernel, (CUfunc_cache)configuration));
}

cudaError_t CUDARTAPI cudaFuncSetSharedMemConfig(const void* symbol, enum cudaSharedMemConfig configuration) {
  ANSWER_OF_KERNEL(symbol, (unsigned int)configuration <= 2 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

cudaError_t CUDARTAPI cudaFuncGetName(const char** name, const void* symbol) {
  ANSWER_OF_KERNEL(symbol, cuFuncGetName(name, kernel));
}

cudaError_t CUDARTAPI cudaFuncGetParamInfo(const void* symbol, size_t index, size_t* offset, size_t* size) {
  ANSWER_OF_KERNEL(symbol, cuFuncGetParamInfo(kernel, index, offset, size));
}

cudaError_t CUDARTAPI cudaGetFuncBySymbol(cudaFunction_t* function, const void* symbol) {
  return answer(function ? kernel_of(symbol, (CUfunction*)function) : CUDA_ERROR_INVALID_VALUE);
}

cudaError_t CUDARTAPI cudaGetKernel(cudaKernel_t* kernel, const void* symbol) {
  return answer(kernel ? kernel_of(symbol, (CUfunction*)kernel) : CUDA_ERROR_INVALID_VALUE);
}

cudaError_t CUDARTAPI cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* symbol,
                                                                    int block_size, size_t shared_bytes) {
  ANSWER_OF_KERNEL(symbol,
                   cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, block_size, shared_bytes));
}

cudaError_t CUDARTAPI cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* symbol,
                                                                             int block_size,
                                                                             size_t shared_bytes,
                                                                             unsigned int flags) {
  ANSWER_OF_KERNEL(symbol, cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, kernel, block_size,
                                                                                shared_bytes, flags));
}

cudaError_t CUDARTAPI cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* symbol, int blocks,
                                                                int block_size) {
  ANSWER_OF_KERNEL(symbol, cuOccupancyAvailableDynamicSMemPerBlock(bytes, kernel, blocks, block_size));
}

cudaError_t CUDARTAPI cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  ANSWER(cuLaunchHostFunc(stream, function, data));
}

// Libraries: a cudaLibrary_t is a CUlibrary.

cudaError_t CUDARTAPI cudaLibraryLoadData(cudaLibrary_t* library, const void* code,
                                          enum cudaJitOption* options, void** values, unsigned int count,
                                          enum cudaLibraryOption* library_options, void** library_values,
                                          unsigned int library_count) {
  ANSWER(cuLibraryLoadData((CUlibrary*)library, code, (CUjit_option*)options, values, count,
                           (CUlibraryOption*)library_options, library_values, library_count));
}

cudaError_t CUDARTAPI cudaLibraryLoadFromFile(cudaLibrary_t* library, const char* path,
                                              enum cudaJitOption* options, void** values, unsigned int count,
                                              enum cudaLibraryOption* library_options, void** library_values,
                                              unsigned int library_count) {
  ANSWER(cuLibraryLoadFromFile((CUlibrary*)library, path, (CUjit_option*)options, values, count,
                               (CUlibraryOption*)library_options, library_values, library_count));
}

cudaError_t CUDARTAPI cudaLibraryUnload(cudaLibrary_t library) {
  ANSWER(cuLibraryUnload((CUlibrary)library));
}

cudaError_t CUDARTAPI cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t library, const char* name) {
  ANSWER(cuLibraryGetKernel((CUkernel*)kernel, (CUlibrary)library, name));
}

cudaError_t CUDARTAPI cudaLibraryGetGlobal(void** address, size_t* size, cudaLibrary_t library,
                                           const char* name) {
  ANSWER(cuLibraryGetGlobal((CUdeviceptr*)address, size, (CUlibrary)library, name));
}

cudaError_t CUDARTAPI cudaLibraryGetManaged(void** address, size_t* size, cudaLibrary_t library,
                                            const char* name) {
  ANSWER(cuLibraryGetManaged((CUdeviceptr*)address, size, (CUlibrary)library, name));
}

cudaError_t CUDARTAPI cudaLibraryGetKernelCount(unsigned int* count, cudaLibrary_t library) {
  ANSWER(cuLibraryGetKernelCount(count, (CUlibrary)library));
}

cudaError_t CUDARTAPI cudaLibraryEnumerateKernels(cudaKernel_t* kernels, unsigned int room,
                                                  cudaLibrary_t library) {
  ANSWER(cuLibraryEnumerateKernels((CUkernel*)kernels, room, (CUlibrary)library));
}
