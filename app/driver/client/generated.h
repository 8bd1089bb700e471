// What generate.py writes for libcuda.so.1, and the functions that its text calls.
#pragma once

#include "driver/client/cuda_api.h"

/// A function as cuGetProcAddress finds it: by its name without a version, and the CUDA version that
/// introduced it (12000).
struct Procedure {
  const char* name;
  int version;
  int is_per_thread;  // the variant for the per-thread default stream
  void* function;
};
extern const struct Procedure procedures[];  // sorted by name; the last has no name

/// The newest of `name` that `version` of CUDA has; null and why where there is none.
const struct Procedure* find_procedure(const char* name, int version, cuuint64_t flags,
                                       CUdriverProcAddressQueryResult* status);

struct ErrorName {
  int value;
  const char* name;
  const char* text;
};
extern const struct ErrorName error_names[];  // the last has no name

/// CUDA_ERROR_NOT_SUPPORTED; the server counts it, the first time for each name is said on stderr.
CUresult not_supported(const char* function);

/// CUDA_ERROR_INVALID_HANDLE where it is no stream.
CUresult check_stream(CUstream stream);

/// Checks the stream; up to end_asynchronous() this thread's copies and fills are work of it.
CUresult begin_asynchronous(CUstream stream);
void end_asynchronous(void);
