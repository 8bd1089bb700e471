// Functions that allocate, free, register and describe memory.
#include "driver/client/capture.h"
#include "driver/client/connection.h"
#include "driver/client/current.h"
#include "driver/client/generated.h"
#include "driver/client/graph_memory.h"
#include "driver/client/memory.h"
#include "driver/client/module.h"
#include "driver/client/stream.h"

#include <pthread.h>
#include <stdlib.h>

CUresult CUDAAPI cuMemAlloc_v2(CUdeviceptr* address, size_t size) {
  TRY(check_safe_call());
  return allocate_memory("cuMemAlloc", size, kDeviceMemory, 0, NULL, address);
}

/// Rows begin at multiples of 512 bytes, as on NVIDIA's devices.
CUresult CUDAAPI cuMemAllocPitch_v2(CUdeviceptr* address, size_t* pitch, size_t width, size_t height,
                                    unsigned int element) {
  const size_t multiple = 512;
  size_t size;
  if (!pitch || width == 0 || height == 0 || (element != 4 && element != 8 && element != 16))
    return CUDA_ERROR_INVALID_VALUE;
  const size_t rounded = (width + multiple - 1) / multiple * multiple;
  if (rounded < width || __builtin_mul_overflow(rounded, height, &size)) return CUDA_ERROR_OUT_OF_MEMORY;
  TRY(check_safe_call());
  TRY(allocate_memory("cuMemAllocPitch", size, kDeviceMemory, 0, NULL, address));
  *pitch = rounded;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemAllocManaged(CUdeviceptr* address, size_t size, unsigned int flags) {
  if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST) return CUDA_ERROR_INVALID_VALUE;
  TRY(check_safe_call());
  return allocate_memory("cuMemAllocManaged", size, kManagedMemory, flags, NULL, address);
}

CUresult CUDAAPI cuMemHostAlloc(void** memory, size_t size, unsigned int flags) {
  const unsigned int known =
      CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED;
  CUdeviceptr address = 0;
  if (!memory || (flags & ~known) != 0) return CUDA_ERROR_INVALID_VALUE;
  TRY(check_safe_call());
  TRY(allocate_memory("cuMemHostAlloc", size, kPinnedMemory, flags, NULL, &address));
  *memory = (void*)(uintptr_t)address;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemAllocHost_v2(void** memory, size_t size) { return cuMemHostAlloc(memory, size, 0); }

CUresult CUDAAPI cuMemFree_v2(CUdeviceptr address) {
  TRY(check_safe_call());
  if (is_graph_memory(address)) return end_graph_memory(address);
  return release_memory("cuMemFree", address, kDeviceMemory | kManagedMemory);
}

CUresult CUDAAPI cuMemFreeHost(void* memory) {
  TRY(check_safe_call());
  return release_memory("cuMemFreeHost", (CUdeviceptr)(uintptr_t)memory, kPinnedMemory);
}

CUresult CUDAAPI cuMemGetInfo_v2(size_t* free_bytes, size_t* total) {
  CUcontext context;
  TRY(current_context(&context));
  if (!free_bytes || !total) return CUDA_ERROR_INVALID_VALUE;
  const size_t used = allocated_bytes(context->device);
  *total = device_facts()->memory_bytes;
  *free_bytes = used < *total ? *total - used : 0;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemGetAddressRange_v2(CUdeviceptr* base, size_t* size, CUdeviceptr address) {
  struct Allocation found;
  TRY(check_context());
  if (!find_memory(address, &found)) return CUDA_ERROR_NOT_FOUND;
  if (base) *base = found.address;
  if (size) *size = found.size;
  return CUDA_SUCCESS;
}

// Host memory that the program allocated itself and registered.

struct Registered {
  char* begin;
  size_t size;
  unsigned int flags;
  struct Registered* next;
};

static struct Registered* registered;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/// Link to the registered range that overlaps `size` bytes from `begin`, or to the end. With the lock held.
static struct Registered** registered_at(const char* begin, size_t size) {
  struct Registered** at = &registered;
  while (*at && !(begin < (*at)->begin + (*at)->size && (*at)->begin < begin + size)) at = &(*at)->next;
  return at;
}

CUresult CUDAAPI cuMemHostRegister_v2(void* memory, size_t size, unsigned int flags) {
  TRY(check_context());
  struct Allocation found;
  if (!memory || size == 0) return CUDA_ERROR_INVALID_VALUE;
  if (find_allocation((CUdeviceptr)(uintptr_t)memory, &found)) return CUDA_ERROR_INVALID_VALUE;
  struct Registered* made = malloc(sizeof *made);
  if (!made) return CUDA_ERROR_OUT_OF_MEMORY;
  pthread_mutex_lock(&lock);
  const int is_new = *registered_at(memory, size) == NULL;
  if (is_new) {
    *made = (struct Registered){memory, size, flags, registered};
    registered = made;
  }
  pthread_mutex_unlock(&lock);
  if (is_new) return CUDA_SUCCESS;
  free(made);
  return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
}

CUresult CUDAAPI cuMemHostRegister(void* memory, size_t size, unsigned int flags) {
  return cuMemHostRegister_v2(memory, size, flags);
}

CUresult CUDAAPI cuMemHostUnregister(void* memory) {
  TRY(check_context());
  pthread_mutex_lock(&lock);
  struct Registered** at = registered_at(memory, 1);
  struct Registered* gone = *at && (*at)->begin == (char*)memory ? *at : NULL;
  if (gone) *at = gone->next;
  pthread_mutex_unlock(&lock);
  if (!gone) return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
  free(gone);
  return CUDA_SUCCESS;
}

/// True if `memory` lies in a registered range, whose flags go to `flags`.
static int registered_flags(const void* memory, unsigned int* flags) {
  pthread_mutex_lock(&lock);
  const struct Registered* at = *registered_at(memory, 1);
  if (at) *flags = at->flags;
  pthread_mutex_unlock(&lock);
  return at != NULL;
}

CUresult CUDAAPI cuMemHostGetDevicePointer_v2(CUdeviceptr* address, void* memory, unsigned int flags) {
  struct Allocation found;
  unsigned int ignored;
  TRY(check_context());
  if (!address || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  if (find_allocation((CUdeviceptr)(uintptr_t)memory, &found) && found.kind != kDeviceMemory) {
    *address = (CUdeviceptr)(uintptr_t)memory;
    return CUDA_SUCCESS;
  }
  if (!registered_flags(memory, &ignored)) return CUDA_ERROR_INVALID_VALUE;
  complain(
      "registered memory of the host has no address on the emulated device; allocate it with cuMemHostAlloc "
      "(cudaHostAlloc) instead");
  not_supported("cuMemHostGetDevicePointer of registered memory");
  return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult CUDAAPI cuMemHostGetFlags(unsigned int* flags, void* memory) {
  struct Allocation found;
  TRY(check_context());
  if (!flags) return CUDA_ERROR_INVALID_VALUE;
  if (find_allocation((CUdeviceptr)(uintptr_t)memory, &found) && found.kind == kPinnedMemory) {
    *flags = found.flags | CU_MEMHOSTALLOC_DEVICEMAP;
    return CUDA_SUCCESS;
  }
  return registered_flags(memory, flags) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

// Hints on the location of managed memory. They are checked and have no effect: there is one location.

static CUresult check_managed(CUdeviceptr address, size_t size) {
  struct Allocation found;
  TRY(check_context());
  const int is_managed =
      find_allocation(address, &found) && (found.kind == kManagedMemory || found.kind == kVariableMemory);
  if (!is_managed || size == 0 || size > found.size - (address - found.address))
    return CUDA_ERROR_INVALID_VALUE;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemAdvise(CUdeviceptr address, size_t size, CUmem_advise advice, CUdevice device) {
  (void)advice, (void)device;
  return check_managed(address, size);
}

CUresult CUDAAPI cuMemAdvise_v2(CUdeviceptr address, size_t size, CUmem_advise advice,
                                CUmemLocation location) {
  (void)advice, (void)location;
  return check_managed(address, size);
}

CUresult CUDAAPI cuMemPrefetchAsync(CUdeviceptr address, size_t size, CUdevice device, CUstream stream) {
  (void)device;
  TRY(check_stream(stream));
  return check_managed(address, size);
}

CUresult CUDAAPI cuMemPrefetchAsync_v2(CUdeviceptr address, size_t size, CUmemLocation location,
                                       unsigned int flags, CUstream stream) {
  (void)location;
  TRY(check_stream(stream));
  return flags == 0 ? check_managed(address, size) : CUDA_ERROR_INVALID_VALUE;
}
