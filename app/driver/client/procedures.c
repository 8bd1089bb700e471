// Function cuGetProcAddress: finds the function of a name in a version of CUDA, or its variant for the
// per-thread default stream.
#include "driver/client/generated.h"

static CUresult look_up(const char* name, void** function, int version, cuuint64_t flags,
                        CUdriverProcAddressQueryResult* status) {
  const cuuint64_t known = CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  if (!name || !function || (flags & ~known) != 0) return CUDA_ERROR_INVALID_VALUE;
  const struct Procedure* found = find_procedure(name, version, flags, status);
  *function = found ? found->function : NULL;
  return found ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult CUDAAPI cuGetProcAddress_v2(const char* symbol, void** pfn, int cudaVersion, cuuint64_t flags,
                                     CUdriverProcAddressQueryResult* symbolStatus) {
  CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  const CUresult result = look_up(symbol, pfn, cudaVersion, flags, &status);
  if (symbolStatus && result != CUDA_ERROR_INVALID_VALUE) *symbolStatus = status;
  return result;
}

CUresult CUDAAPI cuGetProcAddress(const char* symbol, void** pfn, int cudaVersion, cuuint64_t flags) {
  CUdriverProcAddressQueryResult status;
  return look_up(symbol, pfn, cudaVersion, flags, &status);
}
