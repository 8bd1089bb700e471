// Modules and libraries, their kernels and variables. A CUlibrary is a CUmodule, and a CUkernel a CUfunction.
// Test: tests/unit/driver/client/*
#pragma once

#include "driver/client/cuda_api.h"
#include "driver/client/handle.h"
#include "driver/client/memory.h"
#include "driver/messages.h"

struct Function {
  struct Handle handle;  // owned by its module
  struct Module* module;
  uint64_t number;  // the server's
  char* name;
  char* title;  // the name in the source, for sentences
  struct LanescopeFunction facts;
  struct LanescopeParameter* parameters;
  int most_dynamic_shared_bytes;  // that a launch may ask for
  int carveout;                   // percent, -1: as the driver likes
  struct Function* next;
};

struct Module;

/// Null where it is no live one.
struct Module* checked_module(const void* handle);
struct Function* checked_function(const void* handle);

/// Loads a measured image. `context` owns it; null: a library, which no context owns. Where it fails, the
/// sentence is said and written to the log of the options.
CUresult load_module(const char* function, const void* image, CUcontext context, unsigned int option_count,
                     CUjit_option* options, void** values, struct Module** module);
CUresult load_module_file(const char* function, const char* path, CUcontext context,
                          unsigned int option_count, CUjit_option* options, void** values,
                          struct Module** module);

/// Also its functions and variables.
void unload_module(struct Module* module);

CUresult find_function(struct Module* module, const char* name, struct Function** found);
CUresult find_variable(struct Module* module, const char* name, CUdeviceptr* address, size_t* size);

/// The allocation or the variable that `address` lies in, also a variable whose name the program never asked
/// for, as a string's; 0 if there is none.
int find_memory(CUdeviceptr address, struct Allocation* found);

/// The names of the module's kernels: of `count` of them each ended by a zero byte. The caller frees them.
CUresult list_kernels(struct Module* module, char** names, unsigned int* count);
/// The first `room` of them, in this order; `room` may be larger than their number.
CUresult enumerate_kernels(struct Module* module, struct Function** into, unsigned int room);

/// Writes a sentence where the options ask for the errors of a compilation.
void write_error_log(unsigned int count, const CUjit_option* options, void** values, const char* sentence);
