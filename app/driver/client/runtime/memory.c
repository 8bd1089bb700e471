// Allocations, pools, and attributes of addresses.
#include "driver/client/runtime/generated.h"

#include <string.h>

cudaError_t CUDARTAPI cudaMalloc(void** memory, size_t size) {
  if (!memory) return answer_error(cudaErrorInvalidValue);
  *memory = NULL;
  ANSWER(size == 0 ? CUDA_SUCCESS : cuMemAlloc((CUdeviceptr*)memory, size));
}

cudaError_t CUDARTAPI cudaMallocManaged(void** memory, size_t size, unsigned int flags) {
  ANSWER(cuMemAllocManaged((CUdeviceptr*)memory, size, flags));
}

cudaError_t CUDARTAPI cudaHostAlloc(void** memory, size_t size, unsigned int flags) {
  if (!memory) return answer_error(cudaErrorInvalidValue);
  *memory = NULL;
  ANSWER(size == 0 ? CUDA_SUCCESS : cuMemHostAlloc(memory, size, flags));
}

cudaError_t CUDARTAPI cudaMallocHost(void** memory, size_t size) { return cudaHostAlloc(memory, size, 0); }

cudaError_t CUDARTAPI cudaMallocPitch(void** memory, size_t* pitch, size_t width, size_t height) {
  if (!memory || !pitch) return answer_error(cudaErrorInvalidValue);
  if (width == 0 || height == 0) {
    *memory = NULL;
    *pitch = 0;
    ANSWER(CUDA_SUCCESS);
  }
  ANSWER(cuMemAllocPitch((CUdeviceptr*)memory, pitch, width, height, 4));
}

cudaError_t CUDARTAPI cudaMalloc3D(struct cudaPitchedPtr* memory, struct cudaExtent extent) {
  size_t rows;
  if (!memory || __builtin_mul_overflow(extent.height, extent.depth, &rows))
    return answer_error(cudaErrorInvalidValue);
  memory->xsize = extent.width;
  memory->ysize = extent.height;
  return cudaMallocPitch(&memory->ptr, &memory->pitch, extent.width, rows);
}

cudaError_t CUDARTAPI cudaMallocAsync(void** memory, size_t size, cudaStream_t stream) {
  unsigned int ignored;
  if (!memory) return answer_error(cudaErrorInvalidValue);
  *memory = NULL;
  ANSWER(size == 0 ? cuStreamGetFlags(stream, &ignored)
                   : cuMemAllocAsync((CUdeviceptr*)memory, size, stream));
}

cudaError_t CUDARTAPI cudaMallocFromPoolAsync(void** memory, size_t size, cudaMemPool_t pool,
                                              cudaStream_t stream) {
  ANSWER(cuMemAllocFromPoolAsync((CUdeviceptr*)memory, size, pool, stream));
}

cudaError_t CUDARTAPI cudaFree(void* memory) { ANSWER(cuMemFree(device_pointer(memory))); }

cudaError_t CUDARTAPI cudaFreeAsync(void* memory, cudaStream_t stream) {
  ANSWER(cuMemFreeAsync(device_pointer(memory), stream));
}

cudaError_t CUDARTAPI cudaFreeHost(void* memory) { ANSWER(cuMemFreeHost(memory)); }

cudaError_t CUDARTAPI cudaHostRegister(void* memory, size_t size, unsigned int flags) {
  ANSWER(cuMemHostRegister(memory, size, flags));
}

cudaError_t CUDARTAPI cudaHostUnregister(void* memory) { ANSWER(cuMemHostUnregister(memory)); }

cudaError_t CUDARTAPI cudaHostGetDevicePointer(void** address, void* memory, unsigned int flags) {
  ANSWER(cuMemHostGetDevicePointer((CUdeviceptr*)address, memory, flags));
}

cudaError_t CUDARTAPI cudaHostGetFlags(unsigned int* flags, void* memory) {
  ANSWER(cuMemHostGetFlags(flags, memory));
}

cudaError_t CUDARTAPI cudaMemGetInfo(size_t* free_bytes, size_t* total) {
  ANSWER(cuMemGetInfo(free_bytes, total));
}

static int device_of(const void* pointer) {
  int device = 0;
  cuPointerGetAttribute(&device, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, device_pointer(pointer));
  return device;
}

/// Writes the attributes of an address. An address of no allocation is unregistered host memory, no error.
cudaError_t CUDARTAPI cudaPointerGetAttributes(struct cudaPointerAttributes* attributes,
                                               const void* pointer) {
  const CUresult result = start_runtime();
  unsigned int type = 0, flags, is_managed = 0;
  if (result != CUDA_SUCCESS || !attributes)
    return answer(result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE);
  // Each member alone, since the struct of older versions ends after the last one set here.
  attributes->type = cudaMemoryTypeUnregistered;
  attributes->device = cudaInvalidDeviceId;
  attributes->devicePointer = NULL;
  attributes->hostPointer = (void*)pointer;
  if (cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, device_pointer(pointer)) ==
      CUDA_SUCCESS) {
    cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, device_pointer(pointer));
    attributes->type = is_managed                   ? cudaMemoryTypeManaged
                       : type == CU_MEMORYTYPE_HOST ? cudaMemoryTypeHost
                                                    : cudaMemoryTypeDevice;
    attributes->device = device_of(pointer);
    attributes->devicePointer = (void*)pointer;
    attributes->hostPointer = is_managed || type == CU_MEMORYTYPE_HOST ? (void*)pointer : NULL;
  } else if (cuMemHostGetFlags(&flags, (void*)pointer) == CUDA_SUCCESS) {
    attributes->type = cudaMemoryTypeHost;
    attributes->device = 0;
  }
  return cudaSuccess;
}

// Memory pools: the runtime and the driver have the same numbers and structs.
_Static_assert(sizeof(struct cudaMemPoolProps) == sizeof(CUmemPoolProps), "the properties of a pool");

cudaError_t CUDARTAPI cudaMemPoolCreate(cudaMemPool_t* pool, const struct cudaMemPoolProps* properties) {
  ANSWER(cuMemPoolCreate(pool, (const CUmemPoolProps*)properties));
}

cudaError_t CUDARTAPI cudaMemPoolDestroy(cudaMemPool_t pool) { ANSWER(cuMemPoolDestroy(pool)); }

cudaError_t CUDARTAPI cudaMemPoolTrimTo(cudaMemPool_t pool, size_t kept) {
  ANSWER(cuMemPoolTrimTo(pool, kept));
}

cudaError_t CUDARTAPI cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                                              void* value) {
  ANSWER(cuMemPoolSetAttribute(pool, (CUmemPool_attribute)attribute, value));
}

cudaError_t CUDARTAPI cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                                              void* value) {
  ANSWER(cuMemPoolGetAttribute(pool, (CUmemPool_attribute)attribute, value));
}

cudaError_t CUDARTAPI cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc* map,
                                           size_t count) {
  ANSWER(cuMemPoolSetAccess(pool, (const CUmemAccessDesc*)map, count));
}

cudaError_t CUDARTAPI cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  ANSWER(cuDeviceGetDefaultMemPool(pool, device));
}

cudaError_t CUDARTAPI cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  ANSWER(cuDeviceGetMemPool(pool, device));
}

cudaError_t CUDARTAPI cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  ANSWER(cuDeviceSetMemPool(device, pool));
}
