// The device, as the runtime sees it.
#include "driver/client/runtime/generated.h"

cudaError_t CUDARTAPI cudaGetDeviceCount(int* count) {
  if (!count) return answer_error(cudaErrorInvalidValue);
  *count = 0;
  ANSWER(cuDeviceGetCount(count));
}

cudaError_t CUDARTAPI cudaGetDevice(int* device) {
  if (!device) return answer_error(cudaErrorInvalidValue);
  *device = 0;
  const CUresult result = start_runtime();
  if (result == CUDA_SUCCESS) *device = current_device();
  return answer(result);
}

static CUresult set_device(int device) {
  CUcontext context;
  const CUresult result = primary_context(device, &context);
  return result == CUDA_SUCCESS ? cuCtxSetCurrent(context) : result;
}

cudaError_t CUDARTAPI cudaSetDevice(int device) { ANSWER(set_device(device)); }

cudaError_t CUDARTAPI cudaInitDevice(int device, unsigned int device_flags, unsigned int flags) {
  (void)device_flags, (void)flags;
  ANSWER(check_device_number(device));
}

cudaError_t CUDARTAPI cudaSetValidDevices(int* devices, int count) {
  for (int n = 0; devices && n < count; ++n)
    if (start_runtime() == CUDA_SUCCESS && check_device_number(devices[n]) != CUDA_SUCCESS)
      return answer_error(cudaErrorInvalidDevice);
  ANSWER(CUDA_SUCCESS);
}

cudaError_t CUDARTAPI cudaChooseDevice(int* device, const struct cudaDeviceProp* wished) {
  (void)wished;
  return cudaGetDevice(device);
}

cudaError_t CUDARTAPI cudaSetDeviceFlags(unsigned int flags) {
  ANSWER(cuDevicePrimaryCtxSetFlags(current_device(), flags));
}

cudaError_t CUDARTAPI cudaGetDeviceFlags(unsigned int* flags) {
  int is_active;
  ANSWER(cuDevicePrimaryCtxGetState(current_device(), flags, &is_active));
}

cudaError_t CUDARTAPI cudaDeviceReset(void) {
  const CUresult result = start_runtime();
  const int device = current_device();
  if (result == CUDA_SUCCESS) unload_binaries(device);
  return answer(result == CUDA_SUCCESS ? cuDevicePrimaryCtxReset(device) : result);
}

cudaError_t CUDARTAPI cudaDeviceSynchronize(void) { ANSWER(cuCtxSynchronize()); }

cudaError_t CUDARTAPI cudaDeviceGetAttribute(int* value, enum cudaDeviceAttr attribute, int device) {
  ANSWER(cuDeviceGetAttribute(value, (CUdevice_attribute)attribute, device));
}

cudaError_t CUDARTAPI cudaDeviceGetPCIBusId(char* text, int size, int device) {
  ANSWER(cuDeviceGetPCIBusId(text, size, device));
}

cudaError_t CUDARTAPI cudaDeviceGetByPCIBusId(int* device, const char* text) {
  ANSWER(cuDeviceGetByPCIBusId(device, text));
}

cudaError_t CUDARTAPI cudaDeviceGetLimit(size_t* value, enum cudaLimit limit) {
  ANSWER(cuCtxGetLimit(value, (CUlimit)limit));
}

cudaError_t CUDARTAPI cudaDeviceSetLimit(enum cudaLimit limit, size_t value) {
  ANSWER(cuCtxSetLimit((CUlimit)limit, value));
}

cudaError_t CUDARTAPI cudaDeviceGetCacheConfig(enum cudaFuncCache* configuration) {
  ANSWER(cuCtxGetCacheConfig((CUfunc_cache*)configuration));
}

cudaError_t CUDARTAPI cudaDeviceSetCacheConfig(enum cudaFuncCache configuration) {
  ANSWER(cuCtxSetCacheConfig((CUfunc_cache)configuration));
}

cudaError_t CUDARTAPI cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig* configuration) {
  ANSWER(cuCtxGetSharedMemConfig((CUsharedconfig*)configuration));
}

cudaError_t CUDARTAPI cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig configuration) {
  ANSWER(cuCtxSetSharedMemConfig((CUsharedconfig)configuration));
}

cudaError_t CUDARTAPI cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  ANSWER(cuCtxGetStreamPriorityRange(least, greatest));
}

cudaError_t CUDARTAPI cudaCtxResetPersistingL2Cache(void) { ANSWER(cuCtxResetPersistingL2Cache()); }

cudaError_t CUDARTAPI cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  ANSWER(cuDeviceCanAccessPeer(can, device, peer));
}

cudaError_t CUDARTAPI cudaDeviceGetP2PAttribute(int* value, enum cudaDeviceP2PAttr attribute, int device,
                                                int peer) {
  ANSWER(cuDeviceGetP2PAttribute(value, (CUdevice_P2PAttribute)attribute, device, peer));
}

static CUresult enable_peer(int peer, unsigned int flags) {
  CUcontext context;
  const CUresult result = primary_context(peer, &context);
  return result == CUDA_SUCCESS ? cuCtxEnablePeerAccess(context, flags) : result;
}

static CUresult disable_peer(int peer) {
  CUcontext context;
  const CUresult result = primary_context(peer, &context);
  return result == CUDA_SUCCESS ? cuCtxDisablePeerAccess(context) : result;
}

cudaError_t CUDARTAPI cudaDeviceEnablePeerAccess(int peer, unsigned int flags) {
  ANSWER(enable_peer(peer, flags));
}

cudaError_t CUDARTAPI cudaDeviceDisablePeerAccess(int peer) { ANSWER(disable_peer(peer)); }
