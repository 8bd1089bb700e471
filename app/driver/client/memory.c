#include "driver/client/memory.h"

#include "driver/client/connection.h"
#include "driver/client/current.h"
#include "driver/client/failure.h"
#include "driver/client/order.h"
#include "driver/client/shared_arena.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// Some C libraries lack this flag. An older kernel takes the address as a hint, so the result is checked.
#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

/// Allocations that the host shares and that have an address range of the server each.
enum { kMostSharedAlone = 56 };

static struct Allocation* table;  // sorted by address
static size_t table_count, table_room;
static size_t total_bytes[kLanescopeMostDevices];
static _Atomic uint64_t inputs;
static _Atomic int has_host_memory;
static _Atomic int shared_allocations;  // of the server, without arenas
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

/// Number of allocations that begin at or before `address`. With the lock held.
static size_t count_until(CUdeviceptr address) {
  size_t low = 0, high = table_count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (table[middle].address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// With the lock held.
static struct Allocation* allocation_at(CUdeviceptr address) {
  const size_t count = count_until(address);
  struct Allocation* last = count > 0 ? &table[count - 1] : NULL;
  return last && address - last->address < last->size ? last : NULL;
}

static int enter(const struct Allocation* made) {
  static unsigned long long count;
  pthread_rwlock_wrlock(&lock);
  if (table_count == table_room) {
    const size_t room = table_room ? 2 * table_room : 64;
    struct Allocation* larger = realloc(table, room * sizeof *table);
    if (larger) {
      table = larger;
      table_room = room;
    }
  }
  const int has_room = table_count < table_room;
  if (has_room) {
    const size_t at = count_until(made->address);
    memmove(table + at + 1, table + at, (table_count - at) * sizeof *table);
    table[at] = *made;
    table[at].id = ++count;
    ++table_count;
    if (made->kind != kVariableMemory) total_bytes[made->context->device] += made->size;
  }
  pthread_rwlock_unlock(&lock);
  return has_room;
}

/// With the lock held for writing.
static struct Allocation take_out(size_t at) {
  const struct Allocation gone = table[at];
  memmove(table + at, table + at + 1, (table_count - at - 1) * sizeof *table);
  --table_count;
  if (gone.kind != kVariableMemory) total_bytes[gone.context->device] -= gone.size;
  return gone;
}

static char* map_memory(size_t size, int descriptor, CUdeviceptr at) {
  void* wanted = (void*)(uintptr_t)at;
  char* got = mmap(wanted, size, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_NORESERVE | (at ? MAP_FIXED_NOREPLACE : 0), descriptor, 0);
  if (got == MAP_FAILED) return NULL;
  if (!at || got == wanted) return got;
  munmap(got, size);
  return NULL;
}

static CUresult free_on_server(CUdeviceptr address) {
  struct Reply reply;
  const CUresult result = ask(kLanescopeFree, address, 0, NULL, 0, &reply);
  free_reply(&reply);
  return result;
}

/// Allocates on the server and maps the memory; the sentence of a failure names `function`.
static CUresult allocate_on_server(const char* function, size_t size, uint64_t use, int is_visible,
                                   CUdeviceptr* address, char** host) {
  struct Reply reply;
  CUresult result = ask(kLanescopeAllocate, size, use, NULL, 0, &reply);
  if (result == CUDA_SUCCESS) {
    *address = reply.r[0];
    *host = map_memory(size, reply.memory, is_visible ? *address : 0);
    if (!*host) {
      complain("%s: %zu bytes could not be mapped%s", function, size,
               is_visible ? " at their device address, where this process has something else" : "");
      free_on_server(*address);
      result = CUDA_ERROR_OUT_OF_MEMORY;
    }
  } else if (reply.size > 0) {
    complain("%s: %s", function, reply.payload);
  }
  free_reply(&reply);
  return result;
}

static CUresult allocate_arena(size_t size, CUdeviceptr* address) {
  char* host;
  return allocate_on_server("memory that the host shares", size, kLanescopeSharedMemory, 1, address, &host);
}

static void release_arena(CUdeviceptr address, size_t size) {
  munmap((void*)(uintptr_t)address, size);
  free_on_server(address);
}

static const struct ArenaSource arena_source = {allocate_arena, release_arena};

/// Gives an allocation its memory: that of visible ones is at the device's address, and of many small ones
/// only the first have an allocation of the server each.
static CUresult give_memory(const char* function, struct Allocation* made) {
  const int is_visible = made->kind != kDeviceMemory && made->kind != kArrayMemory;
  const int has_owner = device_facts()->device.count > 1 && made->kind == kDeviceMemory && !made->pool;
  const uint64_t owner = has_owner ? (uint64_t)made->context->device + 1 : 0;
  const enum LanescopeMemory use = is_visible                   ? kLanescopeSharedMemory
                                   : made->kind == kArrayMemory ? kLanescopeArrayMemory
                                                                : kLanescopeDeviceMemory;
  if (is_visible && made->size <= kMostOfArena && shared_allocations >= kMostSharedAlone) {
    TRY(take_part(&arena_source, made->size, &made->address));
    made->host = (char*)(uintptr_t)made->address;
    made->is_part = 1;
    return CUDA_SUCCESS;
  }
  TRY(allocate_on_server(function, made->size, use + LANESCOPE_OWNER * owner, is_visible, &made->address,
                         &made->host));
  shared_allocations += is_visible;
  return CUDA_SUCCESS;
}

/// Takes the memory of an allocation back that is out of the table.
static CUresult take_memory(const struct Allocation* gone) {
  if (gone->is_part) {
    return_part(&arena_source, gone->address);
    return CUDA_SUCCESS;
  }
  if (gone->kind == kManagedMemory || gone->kind == kPinnedMemory) --shared_allocations;
  munmap(gone->host, gone->size);
  return free_on_server(gone->address);
}

CUresult allocate_memory(const char* function, size_t size, enum MemoryKind kind, unsigned int flags,
                         CUmemoryPool pool, CUdeviceptr* address) {
  struct Allocation made = {.size = size, .kind = kind, .flags = flags, .pool = pool};
  TRY(current_context(&made.context));
  if (!address || size == 0) return CUDA_ERROR_INVALID_VALUE;
  const size_t used = allocated_bytes(made.context->device), most = device_facts()->memory_bytes;
  if (device_facts()->device.count > 1 && size > most - (used < most ? used : most)) {
    complain("%s: %zu bytes were asked for, %zu of the %zu bytes of device %d are free", function, size,
             most - (used < most ? used : most), most, made.context->device);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  order_host_waits_for_all();  // a GPU may wait here, and the address may be that of freed memory
  TRY(give_memory(function, &made));
  if (!enter(&made)) {
    take_memory(&made);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  *address = made.address;
  if (kind == kManagedMemory || kind == kPinnedMemory) has_host_memory = 1;
  return CUDA_SUCCESS;
}

CUresult release_memory(const char* function, CUdeviceptr address, int kinds) {
  TRY(driver_state());
  TRY(kernel_failure());
  if (address == 0) return CUDA_SUCCESS;
  struct Allocation gone = {0};
  pthread_rwlock_wrlock(&lock);
  struct Allocation* found = allocation_at(address);
  const int is_right = found && found->address == address && (found->kind & kinds);
  if (is_right)
    gone = take_out((size_t)(found - table));
  else if (found)
    gone = *found;
  pthread_rwlock_unlock(&lock);
  if (is_right) {
    order_host_waits_for_all();
    return take_memory(&gone);
  }
  if (gone.size == 0)
    return invalid("%s: %#llx is not allocated; it was freed before, or never allocated", function, address);
  if (gone.address != address)
    return invalid("%s: %#llx is inside an allocation, which begins at %#llx", function, address,
                   gone.address);
  return invalid("%s: %#llx was allocated by a function of another kind, and is freed by that kind's",
                 function, address);
}

void release_memory_of(CUcontext context) {
  for (;;) {
    struct Allocation gone = {0};
    pthread_rwlock_wrlock(&lock);
    for (size_t n = table_count; n-- > 0 && gone.size == 0;)
      if (table[n].context == context && table[n].kind != kVariableMemory) gone = take_out(n);
    pthread_rwlock_unlock(&lock);
    if (gone.size == 0) return;
    take_memory(&gone);
  }
}

CUresult map_variable(const char* name, CUdeviceptr address, size_t size, int descriptor) {
  // Mapped at its device address if possible: the host reads a managed variable there.
  struct Allocation made = {.address = address, .size = size, .kind = kVariableMemory};
  if (size == 0) return CUDA_SUCCESS;
  made.host = map_memory(size, descriptor, address);
  if (!made.host) made.host = map_memory(size, descriptor, 0);
  if (made.host && enter(&made)) return CUDA_SUCCESS;
  if (made.host) munmap(made.host, size);
  complain("the variable %s, %zu bytes, could not be mapped", name, size);
  return CUDA_ERROR_OUT_OF_MEMORY;
}

void unmap_variable(CUdeviceptr address) {
  struct Allocation gone = {0};
  pthread_rwlock_wrlock(&lock);
  struct Allocation* found = allocation_at(address);
  if (found && found->address == address && found->kind == kVariableMemory)
    gone = take_out((size_t)(found - table));
  pthread_rwlock_unlock(&lock);
  if (gone.host) munmap(gone.host, gone.size);
}

int find_allocation(CUdeviceptr address, struct Allocation* found) {
  pthread_rwlock_rdlock(&lock);
  const struct Allocation* at = allocation_at(address);
  if (at) *found = *at;
  pthread_rwlock_unlock(&lock);
  return at != NULL;
}

void note_input(void) { ++inputs; }

int has_inputs(void) { return has_host_memory || inputs > 0; }

uint64_t count_inputs(void) { return inputs; }

size_t allocated_bytes(CUdevice device) {
  pthread_rwlock_rdlock(&lock);
  const size_t bytes = total_bytes[device];
  pthread_rwlock_unlock(&lock);
  return bytes;
}

size_t allocated_bytes_of(CUmemoryPool pool) {
  size_t bytes = 0;
  pthread_rwlock_rdlock(&lock);
  for (size_t n = 0; n < table_count; ++n) bytes += table[n].pool == pool ? table[n].size : 0;
  pthread_rwlock_unlock(&lock);
  return bytes;
}

void hold_memory(void) { pthread_rwlock_rdlock(&lock); }

const struct Allocation* held_allocation(CUdeviceptr address) { return allocation_at(address); }

void let_memory_go(void) { pthread_rwlock_unlock(&lock); }
