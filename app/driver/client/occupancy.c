#include "driver/client/occupancy.h"

#include "driver/client/connection.h"
#include "driver/client/device.h"

enum {
  kSharedGranularity = 128
};  // bytes in which shared memory is given to a block; CUDA's occupancy calculator

static size_t shared_bytes_of_block(const struct Function* function, size_t dynamic_shared_bytes) {
  const size_t used = function->facts.static_shared_bytes + dynamic_shared_bytes +
                      (size_t)device_attribute(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
  return (used + kSharedGranularity - 1) / kSharedGranularity * kSharedGranularity;
}

static size_t shared_bytes_of_multiprocessor(void) {
  return (size_t)device_attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
}

int resident_blocks(const struct Function* function, int block_size, size_t dynamic_shared_bytes) {
  const int threads = device_attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
  const size_t shared = shared_bytes_of_block(function, dynamic_shared_bytes);
  int most = device_attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
  if (block_size <= 0 || (unsigned int)block_size > function->facts.most_threads ||
      dynamic_shared_bytes > (size_t)function->most_dynamic_shared_bytes)
    return 0;
  if (threads / ((block_size + 31) / 32 * 32) < most) most = threads / ((block_size + 31) / 32 * 32);
  if (shared > 0 && shared_bytes_of_multiprocessor() / shared < (size_t)most)
    most = (int)(shared_bytes_of_multiprocessor() / shared);
  return most;
}

long long blocks_of_device(const struct Function* function, int block_size, size_t dynamic_shared_bytes) {
  return (long long)resident_blocks(function, block_size, dynamic_shared_bytes) *
         device_attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
}

static CUresult check_function(const void* handle) {
  TRY(driver_state());
  return checked_function(handle) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult CUDAAPI cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int block_size,
                                                             size_t dynamic_shared_bytes) {
  TRY(check_function(function));
  if (!blocks || block_size <= 0) return CUDA_ERROR_INVALID_VALUE;
  *blocks = resident_blocks((const struct Function*)function, block_size, dynamic_shared_bytes);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction function,
                                                                      int block_size,
                                                                      size_t dynamic_shared_bytes,
                                                                      unsigned int flags) {
  if (flags > CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE) return CUDA_ERROR_INVALID_VALUE;
  return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block_size, dynamic_shared_bytes);
}

/// Finds the largest block of whole warps that keeps the most threads resident.
CUresult CUDAAPI cuOccupancyMaxPotentialBlockSize(int* grid_size, int* block_size, CUfunction handle,
                                                  CUoccupancyB2DSize dynamic_of_block,
                                                  size_t dynamic_shared_bytes, int limit) {
  TRY(check_function(handle));
  const struct Function* function = (const struct Function*)handle;
  if (!grid_size || !block_size) return CUDA_ERROR_INVALID_VALUE;
  int size = (int)function->facts.most_threads;
  if (limit > 0 && limit < size) size = limit;
  int best = 0, most_threads = 0;
  for (; size > 0; size = (size - 1) / 32 * 32) {
    const size_t dynamic = dynamic_of_block ? dynamic_of_block(size) : dynamic_shared_bytes;
    const int threads = resident_blocks(function, size, dynamic) * size;
    if (threads > most_threads) {
      most_threads = threads;
      best = size;
    }
  }
  if (best == 0) return CUDA_ERROR_INVALID_VALUE;
  *block_size = best;
  *grid_size = most_threads / best * device_attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid_size, int* block_size,
                                                           CUfunction function,
                                                           CUoccupancyB2DSize dynamic_of_block,
                                                           size_t dynamic_shared_bytes, int limit,
                                                           unsigned int flags) {
  if (flags > CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE) return CUDA_ERROR_INVALID_VALUE;
  return cuOccupancyMaxPotentialBlockSize(grid_size, block_size, function, dynamic_of_block,
                                          dynamic_shared_bytes, limit);
}

/// Most dynamic shared memory of a block, in bytes, with which `blocks` blocks fit on a multiprocessor.
CUresult CUDAAPI cuOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, CUfunction handle, int blocks,
                                                         int block_size) {
  TRY(check_function(handle));
  const struct Function* function = (const struct Function*)handle;
  if (!bytes || blocks <= 0 || block_size <= 0) return CUDA_ERROR_INVALID_VALUE;
  const size_t share =
      shared_bytes_of_multiprocessor() / (size_t)blocks / kSharedGranularity * kSharedGranularity;
  const size_t used = function->facts.static_shared_bytes +
                      (size_t)device_attribute(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
  const size_t most = (size_t)device_attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN) -
                      function->facts.static_shared_bytes;
  *bytes = share <= used ? 0 : share - used < most ? share - used : most;
  return CUDA_SUCCESS;
}
