#include "driver/client/device.h"

#include "driver/client/connection.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static int device_count(void) { return (int)device_facts()->device.count; }

/// Place of a device on the PCI bus, which some clients ask for.
static void write_bus_id(char* text, size_t size, CUdevice device) {
  snprintf(text, size, "0000:%02x:00.0", (unsigned int)device + 1);
}

CUresult check_device(CUdevice device) {
  TRY(driver_state());
  return device >= 0 && device < device_count() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

int device_attribute(CUdevice_attribute attribute) {
  const int number = (int)attribute;
  return number >= 0 && number < kLanescopeAttributes ? device_facts()->device.attribute[number] : 0;
}

CUresult CUDAAPI cuDeviceGetCount(int* count) {
  TRY(driver_state());
  if (!count) return CUDA_ERROR_INVALID_VALUE;
  *count = device_count();
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceGet(CUdevice* device, int ordinal) {
  TRY(check_device(ordinal));
  if (!device) return CUDA_ERROR_INVALID_VALUE;
  *device = ordinal;
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
  snprintf(text, sizeof text, "lanescope sm_%-3d%2d", device_facts()->compute_capability, device);
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
  *value = attribute == CU_DEVICE_ATTRIBUTE_PCI_BUS_ID ? device + 1 : device_attribute(attribute);
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
  write_bus_id(text, (size_t)size, device);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceGetByPCIBusId(CUdevice* device, const char* text) {
  TRY(driver_state());
  if (!device || !text) return CUDA_ERROR_INVALID_VALUE;
  for (int n = 0; n < device_count(); ++n) {
    char id[32];
    write_bus_id(id, sizeof id, n);
    // The domain may be missing: "01:00.0".
    if (strcasecmp(text, id) != 0 && strcasecmp(text, strchr(id, ':') + 1) != 0) continue;
    *device = n;
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_DEVICE;
}

CUresult CUDAAPI cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
  TRY(check_device(device));
  TRY(check_device(peer));
  if (!can) return CUDA_ERROR_INVALID_VALUE;
  *can = device != peer;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceGetP2PAttribute(int* value, CUdevice_P2PAttribute attribute, CUdevice device,
                                         CUdevice peer) {
  TRY(check_device(device));
  TRY(check_device(peer));
  if (!value) return CUDA_ERROR_INVALID_VALUE;
  if (device == peer) return CUDA_ERROR_INVALID_DEVICE;
  *value = attribute != CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceGetExecAffinitySupport(int* value, CUexecAffinityType type, CUdevice device) {
  (void)type;
  TRY(check_device(device));
  if (!value) return CUDA_ERROR_INVALID_VALUE;
  *value = 0;
  return CUDA_SUCCESS;
}
