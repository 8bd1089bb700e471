// Ranges of bytes that a function copies or fills. Method: a copy holds the memory (memory.h), so that
// nothing is unmapped meanwhile. Test: tests/unit/driver/client/memory_test.cpp
#pragma once

#include "driver/client/cuda_api.h"

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
