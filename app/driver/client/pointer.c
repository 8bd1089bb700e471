// Functions cuPointer*: attributes of an address.
#include "driver/client/connection.h"
#include "driver/client/current.h"
#include "driver/client/memory.h"

#include <string.h>

/// Writes `value`, whose type is the attribute's.
#define ANSWER(type, value)               \
  do {                                    \
    const type answer = (type)(value);    \
    memcpy(data, &answer, sizeof answer); \
    return CUDA_SUCCESS;                  \
  } while (0)

static CUresult answer_of(const struct Allocation* at, CUpointer_attribute attribute, CUdeviceptr address,
                          void* data) {
  const int is_on_host = at->kind == kPinnedMemory;
  void* host = at->kind == kDeviceMemory ? NULL : (void*)(uintptr_t)address;
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      ANSWER(CUcontext, at->context);
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      ANSWER(unsigned int, is_on_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE);
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      ANSWER(CUdeviceptr, address);
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      if (!host) return CUDA_ERROR_INVALID_VALUE;
      ANSWER(uintptr_t, host);
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
      ANSWER(int, 1);
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
      ANSWER(unsigned long long, at->id);
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      ANSWER(int, at->kind == kManagedMemory);
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      ANSWER(int, at->context ? at->context->device : 0);
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE:
      ANSWER(int, 0);
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
      ANSWER(CUdeviceptr, at->address);
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
    case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
      ANSWER(size_t, at->size);
    case CU_POINTER_ATTRIBUTE_MAPPED:
      ANSWER(int, 1);
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
      ANSWER(unsigned long long, 0);
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
      ANSWER(unsigned int, CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE);
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
      ANSWER(CUmemoryPool, at->pool);
    case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID:
      ANSWER(unsigned long long, at->id);
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

static size_t size_of(CUpointer_attribute attribute) {
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE:
    case CU_POINTER_ATTRIBUTE_MAPPED:
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
      return 4;
    default:
      return 8;
  }
}

CUresult CUDAAPI cuPointerGetAttribute(void* data, CUpointer_attribute attribute, CUdeviceptr address) {
  struct Allocation found;
  TRY(driver_state());
  if (!data || !find_allocation(address, &found)) return CUDA_ERROR_INVALID_VALUE;
  return answer_of(&found, attribute, address, data);
}

/// Writes the attributes of an address: 0 for an attribute that the address does not have.
CUresult CUDAAPI cuPointerGetAttributes(unsigned int count, CUpointer_attribute* attributes, void** data,
                                        CUdeviceptr address) {
  struct Allocation found;
  TRY(driver_state());
  if (!attributes || !data || count == 0) return CUDA_ERROR_INVALID_VALUE;
  const int is_known = find_allocation(address, &found);
  for (unsigned int n = 0; n < count; ++n)
    if (!is_known || answer_of(&found, attributes[n], address, data[n]) != CUDA_SUCCESS)
      memset(data[n], 0, size_of(attributes[n]));
  // CU_DEVICE_INVALID of cuda.h: the device of no allocation.
  for (unsigned int n = 0; n < count && !is_known; ++n)
    if (attributes[n] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL) *(int*)data[n] = CU_DEVICE_INVALID;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuPointerSetAttribute(const void* value, CUpointer_attribute attribute,
                                       CUdeviceptr address) {
  struct Allocation found;
  TRY(driver_state());
  if (!value || attribute != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS || !find_allocation(address, &found))
    return CUDA_ERROR_INVALID_VALUE;
  return CUDA_SUCCESS;  // every copy is synchronous
}
