// The memory of the device as this process sees it. Each allocation is a memfd of the server, mapped here
// too: pinned, managed and mapped memory at its device address, all other memory anywhere, so that the host
// cannot dereference its device pointers. Method: a table sorted by device address; a copy holds its lock for
// reading, so that nothing is unmapped meanwhile. Test: tests/unit/driver/client/*
#pragma once

#include "driver/client/cuda_api.h"

enum MemoryKind { kDeviceMemory = 1, kManagedMemory = 2, kPinnedMemory = 4, kVariableMemory = 8 };

struct Allocation {
  CUdeviceptr address;
  size_t size;
  char* host;  // where this process maps it
  enum MemoryKind kind;
  unsigned int flags;  // as cuMemHostAlloc or cuMemAllocManaged got them
  CUcontext context;   // null: a variable's
  CUmemoryPool pool;   // null: none
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

/// True if the program has copied to the device's memory or filled it, or has memory that the host can write.
int has_inputs(void);

/// Bytes of all allocations, without variables; bytes of the allocations of a pool.
size_t allocated_bytes(void);
size_t allocated_bytes_of(CUmemoryPool pool);

/// Side that an address belongs to. With kEitherSide, an address outside of all allocations is the host's.
enum Side { kHostSide, kDeviceSide, kEitherSide };

/// The bytes that a function copies or fills.
struct Range {
  const char* role;  // "source", "destination"
  enum Side side;
  CUdeviceptr address;
  size_t size;
  int is_written;  // not only read
  char* host;      // found by hold_ranges
};

/// Finds where the ranges are mapped, and keeps them mapped until let_ranges_go(), unless it fails. A wrong
/// range gives CUDA_ERROR_INVALID_VALUE and a message that names `function`.
CUresult hold_ranges(const char* function, struct Range* ranges, int count);
void let_ranges_go(void);
