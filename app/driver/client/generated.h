// Tables that generate.py writes for libcuda.so.1, and functions that the generated code calls.
#pragma once

#include "driver/client/cuda_api.h"

/// A function that cuGetProcAddress can return: its name without a version suffix, and the CUDA version that
/// introduced it (12000).
struct Procedure {
  const char* name;
  int version;
  int is_per_thread;  // the variant for the per-thread default stream
  void* function;
};
extern const struct Procedure procedures[];  // sorted by name; the last has no name

/// Newest function of this name in CUDA `version`; null if there is none, with the reason in `status`.
const struct Procedure* find_procedure(const char* name, int version, cuuint64_t flags,
                                       CUdriverProcAddressQueryResult* status);

struct ErrorName {
  int value;
  const char* name;
  const char* text;
};
extern const struct ErrorName error_names[];  // the last has no name

/// Counts a call of an unsupported function on the server; complains at the first call of each name. Returns
/// CUDA_ERROR_NOT_SUPPORTED, or the error that kept the call from being counted.
CUresult not_supported(const char* function);

/// Checks the stream. Until end_asynchronous(), this thread's copies and fills are work of `stream`.
CUresult begin_asynchronous(CUstream stream);
void end_asynchronous(void);
