// Functions that wait for launches: the times of launches are read after them.
#include "driver/forward/launch_timer.h"
#include "driver/forward/real_driver.h"

static CUresult after(CUresult result) {
  if (result == CUDA_SUCCESS) collect_times();
  return result;
}

CUresult CUDAAPI cuCtxSynchronize(void) { return after(REAL(cuCtxSynchronize)()); }

CUresult CUDAAPI cuStreamSynchronize(CUstream stream) { return after(REAL(cuStreamSynchronize)(stream)); }

CUresult CUDAAPI cuEventSynchronize(CUevent event) { return after(REAL(cuEventSynchronize)(event)); }

CUresult CUDAAPI cuMemcpyDtoH_v2(void* to, CUdeviceptr from, size_t size) {
  return after(REAL(cuMemcpyDtoH_v2)(to, from, size));
}

CUresult CUDAAPI cuCtxDestroy_v2(CUcontext context) {
  collect_all_times();
  forget_times_of(context);
  return REAL(cuCtxDestroy_v2)(context);
}

static void leave_primary(CUdevice device) {
  unsigned int flags;
  int is_active = 0;
  CUcontext context = NULL;
  collect_all_times();
  if (REAL(cuDevicePrimaryCtxGetState)(device, &flags, &is_active) != CUDA_SUCCESS || !is_active) return;
  if (REAL(cuDevicePrimaryCtxRetain)(&context, device) != CUDA_SUCCESS) return;
  forget_times_of(context);
  REAL(cuDevicePrimaryCtxRelease_v2)(device);
}

CUresult CUDAAPI cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  leave_primary(device);
  return REAL(cuDevicePrimaryCtxRelease_v2)(device);
}

CUresult CUDAAPI cuDevicePrimaryCtxReset_v2(CUdevice device) {
  leave_primary(device);
  return REAL(cuDevicePrimaryCtxReset_v2)(device);
}
