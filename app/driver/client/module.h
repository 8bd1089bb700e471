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

/// Module or kernel of a handle; null if the handle is not live.
struct Module* checked_module(const void* handle);
struct Function* checked_function(const void* handle);

/// Loads an image. `context` owns the module; null: a library, which no context owns. On failure, a sentence
/// goes to stderr or the report, and to the error log of the options.
CUresult load_module(const char* function, const void* image, CUcontext context, unsigned int option_count,
                     CUjit_option* options, void** values, struct Module** module);
CUresult load_module_file(const char* function, const char* path, CUcontext context,
                          unsigned int option_count, CUjit_option* options, void** values,
                          struct Module** module);

/// Unloads a module and frees its functions and variables.
void unload_module(struct Module* module);

CUresult find_function(struct Module* module, const char* name, struct Function** found);
CUresult find_variable(struct Module* module, const char* name, CUdeviceptr* address, size_t* size);

/// Finds the allocation or variable that `address` lies in. Variables whose names the program never asked
/// for, such as strings, count too. False if there is none.
int find_memory(CUdeviceptr address, struct Allocation* found);

/// Lists the names of the module's `count` kernels, each ended by a zero byte. The caller frees `names`.
CUresult list_kernels(struct Module* module, char** names, unsigned int* count);
/// Finds the first `room` kernels, in the order of list_kernels(); `room` may exceed the number of kernels.
CUresult enumerate_kernels(struct Module* module, struct Function** into, unsigned int room);

/// Writes a sentence to the error log buffer of the options, if they have one.
void write_error_log(unsigned int count, const CUjit_option* options, void** values, const char* sentence);
