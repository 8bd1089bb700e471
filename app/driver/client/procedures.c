// Function cuGetProcAddress: finds the function of a name in a version of CUDA, or its variant for the
// per-thread default stream. Source of the answers: measured with driver 13.0 on an H200.
// Test: tests/unit/driver/client/connection_test.cpp
#include "driver/client/connection.h"
#include "driver/client/generated.h"

/// Looks a name up. `found` is null if the name has no function in `version`, with the reason in `status`.
static CUresult look_up(const char* name, int version, cuuint64_t flags, const struct Procedure** found,
                        CUdriverProcAddressQueryResult* status) {
  const cuuint64_t known = CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  if (!name || (flags & ~known) != 0 || version > CUDA_VERSION) return CUDA_ERROR_INVALID_VALUE;
  *found = find_procedure(name, version, flags, status);
  return CUDA_SUCCESS;
}

/// Answers a missing function with a null pointer and its status, and with CUDA_SUCCESS.
CUresult CUDAAPI cuGetProcAddress_v2(const char* symbol, void** pfn, int cudaVersion, cuuint64_t flags,
                                     CUdriverProcAddressQueryResult* symbolStatus) {
  const struct Procedure* found;
  CUdriverProcAddressQueryResult status;
  if (!pfn) return CUDA_ERROR_INVALID_VALUE;
  TRY(look_up(symbol, cudaVersion, flags, &found, &status));
  *pfn = found ? found->function : NULL;
  if (symbolStatus) *symbolStatus = status;
  return CUDA_SUCCESS;
}

/// Answers a missing function with CUDA_ERROR_NOT_FOUND, and leaves `pfn` as it is.
CUresult CUDAAPI cuGetProcAddress(const char* symbol, void** pfn, int cudaVersion, cuuint64_t flags) {
  const struct Procedure* found;
  CUdriverProcAddressQueryResult status;
  if (!pfn) return CUDA_ERROR_INVALID_VALUE;
  TRY(look_up(symbol, cudaVersion, flags, &found, &status));
  if (!found) return CUDA_ERROR_NOT_FOUND;
  *pfn = found->function;
  return CUDA_SUCCESS;
}
