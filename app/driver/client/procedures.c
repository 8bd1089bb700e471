// cuGetProcAddress: the function of a name that was there in a version of CUDA, or its variant for the
// per-thread stream.
#include "driver/client/generated.h"

#include <string.h>

static CUresult look_up(const char* name, void** function, int version, cuuint64_t flags,
                        CUdriverProcAddressQueryResult* status) {
  const cuuint64_t known = CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  if (!name || !function || (flags & ~known) != 0) return CUDA_ERROR_INVALID_VALUE;
  const int wants_thread = (flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) != 0;
  const struct Procedure* best = NULL;
  int is_known = 0;
  for (const struct Procedure* each = procedures; each->name; ++each) {
    if (strcmp(each->name, name) != 0) continue;
    is_known = 1;
    if (each->version > version || (each->is_per_thread && !wants_thread)) continue;
    if (!best || each->is_per_thread > best->is_per_thread ||
        (each->is_per_thread == best->is_per_thread && each->version > best->version))
      best = each;
  }
  *function = best ? best->function : NULL;
  *status = best       ? CU_GET_PROC_ADDRESS_SUCCESS
            : is_known ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                       : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return best ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
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
