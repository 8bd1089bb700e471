// The modules and kernels of the program, by the driver's handles: their PTX, where launches are captured,
// and their names. Method: two hash tables; what a handle names is found again when it is launched. Test:
// tests/cli/gpu_run_test.cpp
#pragma once

#include "driver/client/cuda_api.h"

#include <stddef.h>
#include <stdint.h>

enum { kMostOfName = 1024 };

/// A kernel as a launch names it. Copied out, since a module may go at any time.
struct KernelName {
  char name[kMostOfName];
  const void* module;  // the driver's handle; null: not known
  int is_of_library;   // the handle is a CUlibrary
  uint64_t contents;   // a number of the module's contents; 0: not known
};

/// After a module or library was loaded from `image`.
void keep_module(const void* module, const void* image, int is_library);
/// The same with PTX that was linked to what was loaded.
void keep_text(const void* module, const char* text, size_t size, int is_library);
/// `module` is what `library` has become in a context.
void keep_alias(const void* module, const void* library);
void drop_module(const void* module);

void keep_kernel(const void* kernel, const void* module, const char* name);
/// `function` is what `kernel` has become in a context.
void keep_kernel_alias(const void* function, const void* kernel);

/// False where neither this table nor the driver knows its name.
int find_kernel(const void* kernel, struct KernelName* found);

/// A copy of the module's PTX or fat binary, which the caller frees; null where there is none.
void* copy_image(const void* module, size_t* size);
