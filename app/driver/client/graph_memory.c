#include "driver/client/graph_memory.h"

#include "driver/client/connection.h"
#include "driver/client/memory.h"

#include <pthread.h>
#include <stdlib.h>

struct GraphMemory {
  CUdeviceptr address;
  int uses;          // nodes
  int is_allocated;  // by a launch
  struct GraphMemory* next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct GraphMemory* memories;

/// Link to the memory at `address`, or to the end. With the lock held.
static struct GraphMemory** memory_at(CUdeviceptr address) {
  struct GraphMemory** at = &memories;
  while (*at && (*at)->address != address) at = &(*at)->next;
  return at;
}

CUresult allocate_graph_memory(size_t size, CUdeviceptr* address) {
  struct GraphMemory* made = malloc(sizeof *made);
  CUresult result = made ? allocate_memory("an allocation node", size, kDeviceMemory, 0, NULL, address)
                         : CUDA_ERROR_OUT_OF_MEMORY;
  if (result != CUDA_SUCCESS) {
    free(made);
    return result;
  }
  pthread_mutex_lock(&lock);
  *made = (struct GraphMemory){.address = *address, .uses = 1, .next = memories};
  memories = made;
  pthread_mutex_unlock(&lock);
  return CUDA_SUCCESS;
}

/// Frees the memory if nothing uses it. With the lock held, which it gives back.
static void free_unused(struct GraphMemory** at) {
  struct GraphMemory* gone = *at && (*at)->uses == 0 && !(*at)->is_allocated ? *at : NULL;
  if (gone) *at = gone->next;
  pthread_mutex_unlock(&lock);
  if (gone) release_memory("an allocation node", gone->address, kDeviceMemory);
  free(gone);
}

void keep_graph_memory(CUdeviceptr address) {
  pthread_mutex_lock(&lock);
  struct GraphMemory* found = *memory_at(address);
  if (found) ++found->uses;
  pthread_mutex_unlock(&lock);
}

void drop_graph_memory(CUdeviceptr address) {
  pthread_mutex_lock(&lock);
  struct GraphMemory** at = memory_at(address);
  if (*at) --(*at)->uses;
  free_unused(at);
}

CUresult begin_graph_memory(CUdeviceptr address) {
  pthread_mutex_lock(&lock);
  struct GraphMemory* found = *memory_at(address);
  const int is_free = found && !found->is_allocated;
  if (found) found->is_allocated = 1;
  pthread_mutex_unlock(&lock);
  if (is_free) return CUDA_SUCCESS;
  return refuse(CUDA_ERROR_INVALID_VALUE,
                "a graph was launched again before the memory that its allocation node gave, at %#llx, was "
                "freed",
                address);
}

CUresult end_graph_memory(CUdeviceptr address) {
  pthread_mutex_lock(&lock);
  struct GraphMemory** at = memory_at(address);
  const int was_allocated = *at && (*at)->is_allocated;
  if (*at) (*at)->is_allocated = 0;
  free_unused(at);
  return was_allocated ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

int is_graph_memory(CUdeviceptr address) {
  pthread_mutex_lock(&lock);
  const int is_one = *memory_at(address) != NULL;
  pthread_mutex_unlock(&lock);
  return is_one;
}
