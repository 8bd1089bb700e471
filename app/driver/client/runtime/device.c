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
  ANSWER(CUDA_SUCCESS);
}

cudaError_t CUDARTAPI cudaSetDevice(int device) { ANSWER(check_device_number(device)); }

cudaError_t CUDARTAPI cudaInitDevice(int device, unsigned int device_flags, unsigned int flags) {
  (void)device_flags, (void)flags;
  ANSWER(check_device_number(device));
}

cudaError_t CUDARTAPI cudaSetValidDevices(int* devices, int count) {
  for (int n = 0; devices && n < count; ++n)
    if (devices[n] != 0) return answer_error(cudaErrorInvalidDevice);
  ANSWER(CUDA_SUCCESS);
}

cudaError_t CUDARTAPI cudaChooseDevice(int* device, const struct cudaDeviceProp* wished) {
  (void)wished;
  return cudaGetDevice(device);
}

cudaError_t CUDARTAPI cudaSetDeviceFlags(unsigned int flags) { ANSWER(cuDevicePrimaryCtxSetFlags(0, flags)); }

cudaError_t CUDARTAPI cudaGetDeviceFlags(unsigned int* flags) {
  int is_active;
  ANSWER(cuDevicePrimaryCtxGetState(0, flags, &is_active));
}

cudaError_t CUDARTAPI cudaDeviceReset(void) {
  const CUresult result = start_runtime();
  if (result == CUDA_SUCCESS) unload_binaries();
  return answer(result == CUDA_SUCCESS ? cuDevicePrimaryCtxReset(0) : result);
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

/// Always answers 0: a peer would be a second device.
cudaError_t CUDARTAPI cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  if (device != 0 || peer != 0) return answer_error(cudaErrorInvalidDevice);
  ANSWER(cuDeviceCanAccessPeer(can, device, peer));
}

cudaError_t CUDARTAPI cudaDeviceEnablePeerAccess(int peer, unsigned int flags) {
  (void)flags;
  return answer_error(peer == 0 ? cudaErrorPeerAccessUnsupported : cudaErrorInvalidDevice);
}

cudaError_t CUDARTAPI cudaDeviceDisablePeerAccess(int peer) {
  return answer_error(peer == 0 ? cudaErrorPeerAccessNotEnabled : cudaErrorInvalidDevice);
}
