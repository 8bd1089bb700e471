// Tables that generate.py writes for libcudart.so, and functions that the generated code calls.
#pragma once

#include "driver/client/runtime/runtime.h"

struct ErrorName {
  int value;
  const char* name;
  const char* text;
};
extern const struct ErrorName error_names[];  // the last has no name

/// Counts a call of an unsupported function on the server. Returns cudaErrorNotSupported, or the error that
/// kept the call from being counted.
cudaError_t not_supported(const char* function);

/// Checks the stream. Until end_asynchronous(), this thread's copies and fills are work of `stream`. An error
/// is kept for cudaGetLastError.
cudaError_t begin_asynchronous(cudaStream_t stream);
void end_asynchronous(void);
