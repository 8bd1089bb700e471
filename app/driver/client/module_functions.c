// Functions cuModule* and cuLibrary*: a library is a module that no context owns.
#include "driver/client/connection.h"
#include "driver/client/current.h"
#include "driver/client/module.h"

#include <stdlib.h>

CUresult CUDAAPI cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned int count,
                                    CUjit_option* options, void** values) {
  CUcontext context;
  TRY(current_context(&context));
  return load_module("cuModuleLoadData", image, context, count, options, values, (struct Module**)module);
}

CUresult CUDAAPI cuModuleLoadData(CUmodule* module, const void* image) {
  return cuModuleLoadDataEx(module, image, 0, NULL, NULL);
}

CUresult CUDAAPI cuModuleLoadFatBinary(CUmodule* module, const void* image) {
  return cuModuleLoadDataEx(module, image, 0, NULL, NULL);
}

CUresult CUDAAPI cuModuleLoad(CUmodule* module, const char* path) {
  CUcontext context;
  TRY(current_context(&context));
  return load_module_file("cuModuleLoad", path, context, 0, NULL, NULL, (struct Module**)module);
}

static CUresult check_module(const void* handle) {
  TRY(driver_state());
  return checked_module(handle) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult CUDAAPI cuModuleUnload(CUmodule module) {
  TRY(check_module(module));
  unload_module((struct Module*)module);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
  TRY(driver_state());
  if (!mode) return CUDA_ERROR_INVALID_VALUE;
  *mode = CU_MODULE_EAGER_LOADING;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  TRY(check_module(module));
  return find_function((struct Module*)module, name, (struct Function**)function);
}

CUresult CUDAAPI cuModuleGetFunctionCount(unsigned int* count, CUmodule module) {
  char* names;
  TRY(check_module(module));
  if (!count) return CUDA_ERROR_INVALID_VALUE;
  const CUresult result = list_kernels((struct Module*)module, &names, count);
  free(names);
  return result;
}

CUresult CUDAAPI cuModuleEnumerateFunctions(CUfunction* functions, unsigned int room, CUmodule module) {
  TRY(check_module(module));
  return enumerate_kernels((struct Module*)module, (struct Function**)functions, room);
}

CUresult CUDAAPI cuModuleGetGlobal_v2(CUdeviceptr* address, size_t* size, CUmodule module, const char* name) {
  TRY(check_module(module));
  return find_variable((struct Module*)module, name, address, size);
}

CUresult CUDAAPI cuLibraryLoadData(CUlibrary* library, const void* code, CUjit_option* options, void** values,
                                   unsigned int count, CUlibraryOption* library_options,
                                   void** library_values, unsigned int library_count) {
  (void)library_values;
  TRY(driver_state());
  if (library_count > 0 && !library_options) return CUDA_ERROR_INVALID_VALUE;
  return load_module("cuLibraryLoadData", code, NULL, count, options, values, (struct Module**)library);
}

CUresult CUDAAPI cuLibraryLoadFromFile(CUlibrary* library, const char* path, CUjit_option* options,
                                       void** values, unsigned int count, CUlibraryOption* library_options,
                                       void** library_values, unsigned int library_count) {
  (void)library_values;
  TRY(driver_state());
  if (library_count > 0 && !library_options) return CUDA_ERROR_INVALID_VALUE;
  return load_module_file("cuLibraryLoadFromFile", path, NULL, count, options, values,
                          (struct Module**)library);
}

CUresult CUDAAPI cuLibraryUnload(CUlibrary library) { return cuModuleUnload((CUmodule)library); }

CUresult CUDAAPI cuLibraryGetModule(CUmodule* module, CUlibrary library) {
  TRY(check_module(library));
  TRY(check_context());
  if (!module) return CUDA_ERROR_INVALID_VALUE;
  *module = (CUmodule)library;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name) {
  return cuModuleGetFunction((CUfunction*)kernel, (CUmodule)library, name);
}

CUresult CUDAAPI cuLibraryGetKernelCount(unsigned int* count, CUlibrary library) {
  return cuModuleGetFunctionCount(count, (CUmodule)library);
}

CUresult CUDAAPI cuLibraryEnumerateKernels(CUkernel* kernels, unsigned int room, CUlibrary library) {
  return cuModuleEnumerateFunctions((CUfunction*)kernels, room, (CUmodule)library);
}

CUresult CUDAAPI cuLibraryGetGlobal(CUdeviceptr* address, size_t* size, CUlibrary library, const char* name) {
  return cuModuleGetGlobal_v2(address, size, (CUmodule)library, name);
}

CUresult CUDAAPI cuLibraryGetManaged(CUdeviceptr* address, size_t* size, CUlibrary library,
                                     const char* name) {
  return cuModuleGetGlobal_v2(address, size, (CUmodule)library, name);
}
