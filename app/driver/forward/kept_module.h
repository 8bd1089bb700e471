// Modules and kernels of the program, by the driver's handles: their names and, if launches are captured,
// their PTX. A launch looks up its kernel here. Method: two hash tables. Test: tests/cli/gpu_run_test.cpp
#pragma once

#include "driver/client/cuda_api.h"

#include <stddef.h>
#include <stdint.h>

enum { kMostOfName = 1024 };

/// Name and module of a launched kernel. A copy, since another thread may unload the module at any time.
struct KernelName {
  char name[kMostOfName];
  const void* module;  // the driver's handle; null: not known
  int is_of_library;   // the handle is a CUlibrary
  uint64_t contents;   // a number of the module's contents; 0: not known
};

/// Keeps a module or library that was loaded from `image`.
void keep_module(const void* module, const void* image, int is_library);
/// Keeps a module or library with its text: PTX, also of linked machine code, or a fat binary.
void keep_text(const void* module, const char* text, size_t size, int is_library);
/// Keeps `module` as an alias of `library`: its module in a context.
void keep_alias(const void* module, const void* library);
void drop_module(const void* module);

void keep_kernel(const void* kernel, const void* module, const char* name);
/// Keeps `function` as an alias of `kernel`: its function in a context.
void keep_kernel_alias(const void* function, const void* kernel);

/// Finds name and module of a kernel. False if neither this table nor the driver has its name.
int find_kernel(const void* kernel, struct KernelName* found);

/// Copy of the module's PTX or fat binary, which the caller frees; null if none is kept.
void* copy_image(const void* module, size_t* size);
