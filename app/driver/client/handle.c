#include "driver/client/handle.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

// Hash set with open addressing. A dropped handle leaves a mark: the search for others continues past it.
static struct Handle** slots;
static size_t slot_count, used_count;  // used: live or marked
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static struct Handle dropped;

static size_t place_of(const void* handle, size_t count) {
  return (size_t)(((uintptr_t)handle >> 4) * 0x9E3779B97F4A7C15u >> 20) & (count - 1);
}

static void put(struct Handle** into, size_t count, struct Handle* handle) {
  size_t at = place_of(handle, count);
  while (into[at]) at = (at + 1) & (count - 1);
  into[at] = handle;
}

static struct Handle** slot_of(const void* handle) {
  if (slot_count == 0 || !handle) return NULL;
  for (size_t at = place_of(handle, slot_count); slots[at]; at = (at + 1) & (slot_count - 1))
    if (slots[at] == handle) return &slots[at];
  return NULL;
}

/// Makes room for one more handle; a larger table has no marks of dropped handles. False without memory.
static int grow(void) {
  if (2 * (used_count + 1) < slot_count) return 1;
  size_t live = 0;
  for (size_t n = 0; n < slot_count; ++n) live += slots[n] && slots[n] != &dropped;
  size_t count = 64;
  while (count < 4 * (live + 1)) count *= 2;
  struct Handle** larger = calloc(count, sizeof *larger);
  if (!larger) return 0;
  for (size_t n = 0; n < slot_count; ++n)
    if (slots[n] && slots[n] != &dropped) put(larger, count, slots[n]);
  free(slots);
  slots = larger;
  slot_count = count;
  used_count = live;
  return 1;
}

void* make_handle(enum HandleKind kind, size_t size, const void* owner) {
  struct Handle* handle = calloc(1, size);
  if (!handle) return NULL;
  *handle = (struct Handle){kind, owner};
  pthread_rwlock_wrlock(&lock);
  const int has_room = grow();
  if (has_room) {
    put(slots, slot_count, handle);
    ++used_count;
  }
  pthread_rwlock_unlock(&lock);
  if (has_room) return handle;
  free(handle);
  return NULL;
}

void* live_handle(enum HandleKind kind, const void* handle) {
  pthread_rwlock_rdlock(&lock);
  struct Handle** slot = slot_of(handle);
  struct Handle* found = slot && (*slot)->kind == kind ? *slot : NULL;
  pthread_rwlock_unlock(&lock);
  return found;
}

void drop_handle(void* handle) {
  pthread_rwlock_wrlock(&lock);
  struct Handle** slot = slot_of(handle);
  if (slot) *slot = &dropped;
  pthread_rwlock_unlock(&lock);
  if (slot) free(handle);
}

void* some_handle_of(enum HandleKind kind, const void* owner) {
  struct Handle* found = NULL;
  pthread_rwlock_rdlock(&lock);
  for (size_t n = 0; n < slot_count && !found; ++n)
    if (slots[n] && slots[n] != &dropped && slots[n]->kind == kind && slots[n]->owner == owner)
      found = slots[n];
  pthread_rwlock_unlock(&lock);
  return found;
}
