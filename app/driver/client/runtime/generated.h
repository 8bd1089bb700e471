// What generate.py writes for libcudart.so, and the functions that its text calls.
#pragma once

#include "driver/client/runtime/runtime.h"

struct ErrorName {
  int value;
  const char* name;
  const char* text;
};
extern const struct ErrorName error_names[];  // the last has no name

/// cudaErrorNotSupported; the server counts it.
cudaError_t not_supported(const char* function);

/// An error where it is no stream; it is kept.
cudaError_t begin_asynchronous(cudaStream_t stream);
void end_asynchronous(void);
