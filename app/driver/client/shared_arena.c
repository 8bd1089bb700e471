#include "driver/client/shared_arena.h"

#include <pthread.h>
#include <stdlib.h>

enum { kArenaBytes = 64 << 20, kPartAlignment = 512 };

struct Arena {
  CUdeviceptr begin;
  size_t used;   // bytes from the begin that were given
  size_t parts;  // in use
  struct Arena* next;
};

static struct Arena* arenas;  // the newest first
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/// An arena with room for `size` bytes; null if none can be made, and then `result` has the reason.
static struct Arena* arena_for(const struct ArenaSource* source, size_t size, CUresult* result) {
  for (struct Arena* at = arenas; at; at = at->next)
    if (size <= kArenaBytes - at->used) return at;
  struct Arena* made = calloc(1, sizeof *made);
  *result = made ? source->allocate(kArenaBytes, &made->begin) : CUDA_ERROR_OUT_OF_MEMORY;
  if (*result != CUDA_SUCCESS) {
    free(made);
    return NULL;
  }
  made->next = arenas;
  return arenas = made;
}

CUresult take_part(const struct ArenaSource* source, size_t size, CUdeviceptr* address) {
  CUresult result = CUDA_SUCCESS;
  const size_t room = (size + kPartAlignment - 1) / kPartAlignment * kPartAlignment;
  pthread_mutex_lock(&lock);
  struct Arena* arena = arena_for(source, room, &result);
  if (arena) {
    *address = arena->begin + arena->used;
    arena->used += room;
    ++arena->parts;
  }
  pthread_mutex_unlock(&lock);
  return result;
}

void return_part(const struct ArenaSource* source, CUdeviceptr address) {
  pthread_mutex_lock(&lock);
  struct Arena** at = &arenas;
  while (*at && address - (*at)->begin >= kArenaBytes) at = &(*at)->next;
  struct Arena* of = *at;
  if (of && --of->parts == 0) {
    of->used = 0;
    if (arenas != of || of->next) {  // the last one is kept
      *at = of->next;
      source->release(of->begin, kArenaBytes);
      free(of);
    }
  }
  pthread_mutex_unlock(&lock);
}
