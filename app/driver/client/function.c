// Functions cuFunc* and cuKernel*: attributes of kernels.
#include "driver/client/connection.h"
#include "driver/client/device.h"
#include "driver/client/generated.h"
#include "driver/client/module.h"

static CUresult check_function(const void* handle) {
  TRY(driver_state());
  return checked_function(handle) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult CUDAAPI cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction handle) {
  TRY(check_function(handle));
  const struct Function* function = (const struct Function*)handle;
  if (!value) return CUDA_ERROR_INVALID_VALUE;
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *value = (int)function->facts.most_threads;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      *value = (int)function->facts.static_shared_bytes;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      *value = (int)function->facts.constant_bytes;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      *value = (int)function->facts.local_bytes;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
      *value = (int)function->facts.ptx_version;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
      *value = device_facts()->compute_capability;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *value = function->most_dynamic_shared_bytes;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      *value = function->carveout;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:  // ptxas chooses them, and it does not run: not known
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
      *value = 0;
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

static CUresult set_dynamic_shared_bytes(struct Function* function, int bytes) {
  const int most = device_attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN) -
                   (int)function->facts.static_shared_bytes;
  if (bytes < 0 || bytes > most)
    return invalid(
        "%s: %d bytes of dynamic shared memory were asked for, this device has at most %d beside the static "
        "%u",
        function->title, bytes, most, function->facts.static_shared_bytes);
  function->most_dynamic_shared_bytes = bytes;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuFuncSetAttribute(CUfunction handle, CUfunction_attribute attribute, int value) {
  TRY(check_function(handle));
  struct Function* function = (struct Function*)handle;
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      return set_dynamic_shared_bytes(function, value);
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      if (value < -1 || value > 100) return CUDA_ERROR_INVALID_VALUE;
      function->carveout = value;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
      return not_supported("cuFuncSetAttribute of a required cluster");
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult CUDAAPI cuFuncSetCacheConfig(CUfunction function, CUfunc_cache configuration) {
  TRY(check_function(function));
  return (unsigned int)configuration <= CU_FUNC_CACHE_PREFER_EQUAL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult CUDAAPI cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig configuration) {
  TRY(check_function(function));
  return (unsigned int)configuration <= CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE ? CUDA_SUCCESS
                                                                                  : CUDA_ERROR_INVALID_VALUE;
}

/// Checks its arguments only: cuLaunchKernel ignores the shape; cuLaunch and cuLaunchGrid are not supported.
CUresult CUDAAPI cuFuncSetBlockShape(CUfunction function, int x, int y, int z) {
  TRY(check_function(function));
  if (x <= 0 || y <= 0 || z <= 0) return CUDA_ERROR_INVALID_VALUE;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuFuncSetSharedSize(CUfunction function, unsigned int bytes) {
  (void)bytes;
  return check_function(function);
}

CUresult CUDAAPI cuFuncGetModule(CUmodule* module, CUfunction function) {
  TRY(check_function(function));
  if (!module) return CUDA_ERROR_INVALID_VALUE;
  *module = (CUmodule)((const struct Function*)function)->module;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuFuncGetName(const char** name, CUfunction function) {
  TRY(check_function(function));
  if (!name) return CUDA_ERROR_INVALID_VALUE;
  *name = ((const struct Function*)function)->name;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuFuncGetParamInfo(CUfunction handle, size_t index, size_t* offset, size_t* size) {
  TRY(check_function(handle));
  const struct Function* function = (const struct Function*)handle;
  if (!offset || index >= function->facts.parameters) return CUDA_ERROR_INVALID_VALUE;
  *offset = function->parameters[index].offset;
  if (size) *size = function->parameters[index].size_bytes;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuFuncIsLoaded(CUfunctionLoadingState* state, CUfunction function) {
  TRY(check_function(function));
  if (!state) return CUDA_ERROR_INVALID_VALUE;
  *state = CU_FUNCTION_LOADING_STATE_LOADED;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuFuncLoad(CUfunction function) { return check_function(function); }

CUresult CUDAAPI cuKernelGetAttribute(int* value, CUfunction_attribute attribute, CUkernel kernel,
                                      CUdevice device) {
  TRY(check_device(device));
  return cuFuncGetAttribute(value, attribute, (CUfunction)kernel);
}

CUresult CUDAAPI cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel,
                                      CUdevice device) {
  TRY(check_device(device));
  return cuFuncSetAttribute((CUfunction)kernel, attribute, value);
}

CUresult CUDAAPI cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache configuration, CUdevice device) {
  TRY(check_device(device));
  return cuFuncSetCacheConfig((CUfunction)kernel, configuration);
}

CUresult CUDAAPI cuKernelGetFunction(CUfunction* function, CUkernel kernel) {
  TRY(check_function(kernel));
  if (!function) return CUDA_ERROR_INVALID_VALUE;
  *function = (CUfunction)kernel;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuKernelGetLibrary(CUlibrary* library, CUkernel kernel) {
  return cuFuncGetModule((CUmodule*)library, (CUfunction)kernel);
}

CUresult CUDAAPI cuKernelGetName(const char** name, CUkernel kernel) {
  return cuFuncGetName(name, (CUfunction)kernel);
}

CUresult CUDAAPI cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t* offset, size_t* size) {
  return cuFuncGetParamInfo((CUfunction)kernel, index, offset, size);
}
