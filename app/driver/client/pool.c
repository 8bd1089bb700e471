// Memory pools. An allocation of a pool is an ordinary allocation: a pool holds no freed memory.
#include "driver/client/capture.h"
#include "driver/client/connection.h"
#include "driver/client/device.h"
#include "driver/client/generated.h"
#include "driver/client/graph_memory.h"
#include "driver/client/memory.h"
#include "driver/client/stream.h"

#include <pthread.h>
#include <stdatomic.h>

enum { kMostAttributes = CU_MEMPOOL_ATTR_USED_MEM_HIGH + 1 };

struct CUmemPoolHandle_st {
  struct Handle handle;
  _Atomic cuuint64_t attributes[kMostAttributes];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static CUmemoryPool default_pool, chosen_pool;  // chosen: cuDeviceSetMemPool

static CUmemoryPool make_pool(void) {
  CUmemoryPool made = make_handle(kPoolHandle, sizeof *made, NULL);
  if (made)
    for (int n = CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES;
         n <= CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES; ++n)
      made->attributes[n] = 1;
  return made;
}

static CUresult check_pool(CUmemoryPool pool) {
  TRY(driver_state());
  return live_handle(kPoolHandle, pool) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult CUDAAPI cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device) {
  TRY(check_device(device));
  if (!pool) return CUDA_ERROR_INVALID_VALUE;
  pthread_mutex_lock(&lock);
  if (!default_pool) default_pool = make_pool();
  *pool = default_pool;
  pthread_mutex_unlock(&lock);
  return *pool ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult CUDAAPI cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice device) {
  TRY(cuDeviceGetDefaultMemPool(pool, device));
  pthread_mutex_lock(&lock);
  if (chosen_pool) *pool = chosen_pool;
  pthread_mutex_unlock(&lock);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
  TRY(check_device(device));
  TRY(check_pool(pool));
  pthread_mutex_lock(&lock);
  chosen_pool = pool;
  pthread_mutex_unlock(&lock);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* properties) {
  TRY(driver_state());
  if (!pool || !properties) return CUDA_ERROR_INVALID_VALUE;
  if (properties->handleTypes != CU_MEM_HANDLE_TYPE_NONE)
    return not_supported("cuMemPoolCreate of a pool for other processes");
  return (*pool = make_pool()) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult CUDAAPI cuMemPoolDestroy(CUmemoryPool pool) {
  TRY(check_pool(pool));
  pthread_mutex_lock(&lock);
  const int is_default = pool == default_pool;
  if (chosen_pool == pool) chosen_pool = NULL;
  pthread_mutex_unlock(&lock);
  if (is_default) return CUDA_ERROR_INVALID_VALUE;
  drop_handle(pool);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemPoolTrimTo(CUmemoryPool pool, size_t kept) {
  (void)kept;
  return check_pool(pool);
}

static int is_number(CUmemPool_attribute attribute) { return attribute >= CU_MEMPOOL_ATTR_RELEASE_THRESHOLD; }

CUresult CUDAAPI cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void* value) {
  TRY(check_pool(pool));
  if (!value || (int)attribute < 1 || (int)attribute >= kMostAttributes) return CUDA_ERROR_INVALID_VALUE;
  pool->attributes[attribute] =
      is_number(attribute) ? *(const cuuint64_t*)value : (cuuint64_t) * (const int*)value;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void* value) {
  TRY(check_pool(pool));
  if (!value || (int)attribute < 1 || (int)attribute >= kMostAttributes) return CUDA_ERROR_INVALID_VALUE;
  cuuint64_t number = pool->attributes[attribute];
  if (attribute > CU_MEMPOOL_ATTR_RELEASE_THRESHOLD) {
    // The high-water marks cover the times of these calls only: no allocation updates them.
    const cuuint64_t now = allocated_bytes_of(pool);
    const int is_highest =
        attribute == CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH || attribute == CU_MEMPOOL_ATTR_USED_MEM_HIGH;
    if (!is_highest || now > number) number = now;
    pool->attributes[attribute] = number;
  }
  if (is_number(attribute))
    *(cuuint64_t*)value = number;
  else
    *(int*)value = (int)number;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* map, size_t count) {
  TRY(check_pool(pool));
  return map || count == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult CUDAAPI cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool pool, CUmemLocation* location) {
  TRY(check_pool(pool));
  if (!flags || !location) return CUDA_ERROR_INVALID_VALUE;
  *flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemAllocFromPoolAsync(CUdeviceptr* address, size_t size, CUmemoryPool pool,
                                         CUstream stream) {
  struct Capture* capture;
  TRY(begin_call(stream, &capture));
  TRY(check_pool(pool));
  if (capture) return capture_allocation(capture, stream, size, address);
  return allocate_memory("cuMemAllocFromPoolAsync", size, kDeviceMemory, 0, pool, address);
}

CUresult CUDAAPI cuMemAllocAsync(CUdeviceptr* address, size_t size, CUstream stream) {
  CUmemoryPool pool;
  struct Capture* capture;
  TRY(begin_call(stream, &capture));
  if (capture) return capture_allocation(capture, stream, size, address);
  TRY(cuDeviceGetMemPool(&pool, 0));
  return allocate_memory("cuMemAllocAsync", size, kDeviceMemory, 0, pool, address);
}

CUresult CUDAAPI cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  struct Capture* capture;
  TRY(begin_call(stream, &capture));
  if (capture) {
    if (!is_graph_memory(address)) return CUDA_ERROR_INVALID_VALUE;
    return capture_work(capture, stream,
                        &(struct NodeWork){.type = CU_GRAPH_NODE_TYPE_MEM_FREE, .freed = address});
  }
  if (is_graph_memory(address)) return end_graph_memory(address);
  return release_memory("cuMemFreeAsync", address, kDeviceMemory | kManagedMemory);
}
