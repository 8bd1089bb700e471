// The memory of the device as this process sees it. Each allocation is a memfd of the server, mapped here
// too: pinned, managed and mapped memory at its device address, all other memory anywhere, so that the host
// cannot dereference its device pointers. Method: a table sorted by device address.
// Test: tests/unit/driver/client/*
#pragma once

#include "driver/client/cuda_api.h"

enum MemoryKind {
  kDeviceMemory = 1,
  kManagedMemory = 2,
  kPinnedMemory = 4,
  kVariableMemory = 8,
  kArrayMemory = 16
};

struct Allocation {
  CUdeviceptr address;
  size_t size;
  char* host;  // where this process maps it
  enum MemoryKind kind;
  unsigned int flags;  // as cuMemHostAlloc or cuMemAllocManaged got them
  CUcontext context;   // null: a variable's
  CUmemoryPool pool;   // null: none
  int is_part;         // of an arena (shared_arena.h): else an allocation of the server
  unsigned long long id;
};

/// Allocates memory of the current context. `function`: its name, for the message of a failure.
CUresult allocate_memory(const char* function, size_t size, enum MemoryKind kind, unsigned int flags,
                         CUmemoryPool pool, CUdeviceptr* address);

/// Frees the allocation that begins at `address`, if its kind is one of `kinds`.
CUresult release_memory(const char* function, CUdeviceptr address, int kinds);

void release_memory_of(CUcontext context);

/// Maps a variable of a module, whose memfd is `descriptor`, and enters it; unmap_variable() takes it out.
CUresult map_variable(const char* name, CUdeviceptr address, size_t size, int descriptor);
void unmap_variable(CUdeviceptr address);

/// Finds the allocation that `address` lies in, its end excluded. False if there is none.
int find_allocation(CUdeviceptr address, struct Allocation* found);

/// Notes that the program copies to the device's memory or fills it: before the first byte and after the
/// last, since another thread may launch a kernel meanwhile.
void note_input(void);

/// True after note_input(), and if the program has memory that the host can write.
int has_inputs(void);

/// Number of note_input(), so far.
uint64_t count_inputs(void);

/// Bytes of a device's allocations, without variables; bytes of the allocations of a pool.
size_t allocated_bytes(CUdevice device);
size_t allocated_bytes_of(CUmemoryPool pool);

/// Keeps all memory mapped until let_memory_go(). Between them, held_allocation() finds the allocation that
/// `address` lies in, its end excluded; null if there is none.
void hold_memory(void);
const struct Allocation* held_allocation(CUdeviceptr address);
void let_memory_go(void);
