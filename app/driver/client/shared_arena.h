// Small allocations that the host shares, beyond the first ones of a program: parts of larger allocations,
// since only some addresses can be mapped here and on the device alike. A kernel that leaves such a part for
// another one of the same arena is not found out. Method: parts are given one after the other; an arena is
// used from its begin again, or freed, once it has no part in use. Test: tests/cli/program_test.cpp
#pragma once

#include "driver/client/cuda_api.h"

/// Largest part.
enum { kMostOfArena = 4 << 20 };

/// Functions that make and free an arena. `allocate` gives memory that is mapped at its device address, or
/// fails with its CUresult.
struct ArenaSource {
  CUresult (*allocate)(size_t size, CUdeviceptr* address);
  void (*release)(CUdeviceptr address, size_t size);
};

/// Gives a part of `size` bytes, at most kMostOfArena. Errors: those of source->allocate().
CUresult take_part(const struct ArenaSource* source, size_t size, CUdeviceptr* address);
/// Takes the part back that begins at `address`.
void return_part(const struct ArenaSource* source, CUdeviceptr address);
