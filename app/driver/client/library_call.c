#include "driver/client/library_call.h"

#include "driver/client/connection.h"
#include "driver/client/cuda_api.h"
#include "driver/client/generated.h"
#include "driver/client/memory.h"
#include "driver/client/order.h"
#include "driver/client/range.h"
#include "driver/client/stream.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static CUresult use_primary_context(void) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static CUcontext primary;
  CUresult result = CUDA_SUCCESS;
  pthread_mutex_lock(&lock);
  if (!primary) result = cuDevicePrimaryCtxRetain(&primary, 0);
  pthread_mutex_unlock(&lock);
  return result == CUDA_SUCCESS ? cuCtxSetCurrent(primary) : result;
}

int lanescopeStartLibrary(void) {
  CUcontext current = NULL;
  CUresult result = cuCtxGetCurrent(&current);
  if (result == CUDA_SUCCESS && current) return CUDA_SUCCESS;
  if (result == CUDA_ERROR_NOT_INITIALIZED) result = cuInit(0);
  return (int)(result == CUDA_SUCCESS ? use_primary_context() : result);
}

int lanescopeHoldArguments(const char* function, void* stream, struct LanescopeArgument* arguments,
                           int count) {
  TRY(check_stream(stream));
  struct Range* ranges = calloc((size_t)count + 1, sizeof *ranges);
  if (!ranges) return CUDA_ERROR_OUT_OF_MEMORY;
  for (int n = 0; n < count; ++n)
    ranges[n] = (struct Range){.role = arguments[n].role,
                               .side = kDeviceSide,
                               .address = (CUdeviceptr)(uintptr_t)arguments[n].address,
                               .size = arguments[n].size,
                               .is_written = arguments[n].is_written};
  const CUresult result = hold_ranges(function, ranges, count);
  for (int n = 0; n < count; ++n) arguments[n].host = ranges[n].host;
  free(ranges);
  return (int)result;
}

void lanescopeReleaseArguments(const char* function, void* stream, const struct LanescopeArgument* arguments,
                               int count, int keeps_host) {
  struct Work work;
  let_ranges_go();
  begin_work(stream, &work);
  for (int n = 0; n < count; ++n) {
    const struct LanescopeArgument* each = &arguments[n];
    const CUdeviceptr address = (CUdeviceptr)(uintptr_t)each->address;
    if (each->is_written)
      order_write(&work, function, address, each->size, each->row < each->size);
    else
      order_read(&work, function, address, each->row);
  }
  if (keeps_host) order_host_waits(&work.after);
}

void lanescopeEndLibraryCall(const char* function, uint64_t nanoseconds, const char* failure) {
  const struct iovec parts[3] = {
      {(void*)function, strlen(function)}, {(void*)"", 1}, {(void*)failure, failure ? strlen(failure) : 0}};
  struct Reply reply;
  if (failure) complain_for_now("%s: %s", function, failure);
  (void)ask(kLanescopeLibraryCall, nanoseconds, 0, parts, failure ? 3 : 1, &reply);
  free_reply(&reply);
}
