#include "driver/client/device.h"

#include "driver/client/connection.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char kBusId[] = "0000:01:00.0";  // a place on the PCI bus, which some clients ask for

CUresult check_device(CUdevice device) {
  TRY(driver_state());
  return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

int device_attribute(CUdevice_attribute attribute) {
  const int number = (int)attribute;
  return number >= 0 && number < kLanescopeAttributes ? device_facts()->device.attribute[number] : 0;
}

CUresult CUDAAPI cuDeviceGetCount(int* count) {
  TRY(driver_state());
  if (!count) return CUDA_ERROR_INVALID_VALUE;
  *count = 1;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceGet(CUdevice* device, int ordinal) {
  TRY(check_device(ordinal));
  if (!device) return CUDA_ERROR_INVALID_VALUE;
  *device = 0;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceGetName(char* name, int size, CUdevice device) {
  TRY(check_device(device));
  if (!name || size <= 0) return CUDA_ERROR_INVALID_VALUE;
  snprintf(name, (size_t)size, "%s", device_facts()->device.name);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
  TRY(check_device(device));
  if (!uuid) return CUDA_ERROR_INVALID_VALUE;
  char text[32];
  snprintf(text, sizeof text, "lanescope sm_%-5d", device_facts()->compute_capability);
  memcpy(uuid->bytes, text, sizeof uuid->bytes);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device) { return cuDeviceGetUuid(uuid, device); }

CUresult CUDAAPI cuDeviceGetLuid(char* luid, unsigned int* mask, CUdevice device) {
  TRY(check_device(device));
  if (!luid || !mask) return CUDA_ERROR_INVALID_VALUE;
  return CUDA_ERROR_NOT_SUPPORTED;  // as on every Linux
}

CUresult CUDAAPI cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  TRY(check_device(device));
  if (!value || (int)attribute <= 0 || attribute >= CU_DEVICE_ATTRIBUTE_MAX) return CUDA_ERROR_INVALID_VALUE;
  *value = device_attribute(attribute);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceTotalMem_v2(size_t* bytes, CUdevice device) {
  TRY(check_device(device));
  if (!bytes) return CUDA_ERROR_INVALID_VALUE;
  *bytes = device_facts()->memory_bytes;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  TRY(check_device(device));
  if (!major || !minor) return CUDA_ERROR_INVALID_VALUE;
  *major = device_facts()->compute_capability / 10;
  *minor = device_facts()->compute_capability % 10;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceGetProperties(CUdevprop* properties, CUdevice device) {
  TRY(check_device(device));
  if (!properties) return CUDA_ERROR_INVALID_VALUE;
  *properties = (CUdevprop){
      .maxThreadsPerBlock = device_attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
      .maxThreadsDim = {device_attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X),
                        device_attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y),
                        device_attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z)},
      .maxGridSize = {device_attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X),
                      device_attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y),
                      device_attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z)},
      .sharedMemPerBlock = device_attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK),
      .totalConstantMemory = device_attribute(CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY),
      .SIMDWidth = device_attribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE),
      .memPitch = device_attribute(CU_DEVICE_ATTRIBUTE_MAX_PITCH),
      .regsPerBlock = device_attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK),
      .clockRate = device_attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE),
      .textureAlign = device_attribute(CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT),
  };
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceGetPCIBusId(char* text, int size, CUdevice device) {
  TRY(check_device(device));
  if (!text || size <= 0) return CUDA_ERROR_INVALID_VALUE;
  snprintf(text, (size_t)size, "%s", kBusId);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceGetByPCIBusId(CUdevice* device, const char* text) {
  TRY(driver_state());
  if (!device || !text) return CUDA_ERROR_INVALID_VALUE;
  // The domain may be missing: "01:00.0".
  if (strcasecmp(text, kBusId) != 0 && strcasecmp(text, strchr(kBusId, ':') + 1) != 0)
    return CUDA_ERROR_INVALID_DEVICE;
  *device = 0;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
  TRY(check_device(device));
  TRY(check_device(peer));
  if (!can) return CUDA_ERROR_INVALID_VALUE;
  *can = 0;
  return CUDA_SUCCESS;
}

/// Always fails: a peer would be a second device.
CUresult CUDAAPI cuDeviceGetP2PAttribute(int* value, CUdevice_P2PAttribute attribute, CUdevice device,
                                         CUdevice peer) {
  (void)attribute;
  TRY(check_device(device));
  TRY(check_device(peer));
  return value ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE;
}

CUresult CUDAAPI cuDeviceGetExecAffinitySupport(int* value, CUexecAffinityType type, CUdevice device) {
  (void)type;
  TRY(check_device(device));
  if (!value) return CUDA_ERROR_INVALID_VALUE;
  *value = 0;
  return CUDA_SUCCESS;
}
