// The memory of the device as this process sees it. Each allocation is a memfd of the server, mapped here
// too: pinned, managed and mapped memory at its device address, all other memory anywhere, so that the host
// cannot follow a pointer to it. Method: a table sorted by device address; who copies holds it for reading,
// so that nothing is unmapped meanwhile. Test: tests/unit/driver/client/*
#pragma once

#include "driver/client/cuda_api.h"

enum MemoryKind { kDeviceMemory = 1, kManagedMemory = 2, kPinnedMemory = 4, kVariableMemory = 8 };

struct Allocation {
  CUdeviceptr address;
  size_t size;
  char* host;  // where it is mapped here
  enum MemoryKind kind;
  unsigned int flags;  // as cuMemHostAlloc or cuMemAllocManaged got them
  CUcontext context;   // null: a variable's
  CUmemoryPool pool;   // null: none
  unsigned long long id;
};

/// Memory of the current context. `function` is named where it fails.
CUresult allocate_memory(const char* function, size_t size, enum MemoryKind kind, unsigned int flags,
                         CUmemoryPool pool, CUdeviceptr* address);

/// Gives back the allocation that begins at `address`, if it is of one of these kinds.
CUresult release_memory(const char* function, CUdeviceptr address, int kinds);

void release_memory_of(CUcontext context);

/// Enters a variable of a module, whose memfd is `descriptor`; takes it out again.
CUresult map_variable(const char* name, CUdeviceptr address, size_t size, int descriptor);
void unmap_variable(CUdeviceptr address);

/// The allocation that `address` lies in, its end not among it; 0 if there is none.
int find_allocation(CUdeviceptr address, struct Allocation* found);

/// Whether the program has copied to the device or filled its memory, or has memory there that it can write
/// itself.
int has_inputs(void);

/// Bytes of all allocations, and of those of a pool.
size_t allocated_bytes(void);
size_t allocated_bytes_of(CUmemoryPool pool);

/// Which side an address is of. With kEitherSide the table tells: an address that is in no allocation is the
/// host's.
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

/// Finds where the ranges are mapped, and keeps them mapped until let_ranges_go(). Where it fails there is
/// nothing to let go: CUDA_ERROR_INVALID_VALUE and a sentence that names `function`.
CUresult hold_ranges(const char* function, struct Range* ranges, int count);
void let_ranges_go(void);
