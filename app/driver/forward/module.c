// Modules, libraries and the linker: passes calls on, and keeps the images that they load.
#include "driver/client/connection.h"
#include "driver/client/image.h"
#include "driver/forward/kept_link.h"
#include "driver/forward/kept_module.h"
#include "driver/forward/real_driver.h"
#include "driver/forward/run_report.h"

#include <stdlib.h>

enum { kModule = 0, kLibrary = 1 };

/// Keeps a module. A result of the linker is machine code, so the PTX that it was linked from is kept.
static void keep(const void* module, const void* image, int is_library) {
  size_t size;
  char* text = text_of_linked(image, &size);
  if (text)
    keep_text(module, text, size, is_library);
  else
    keep_module(module, image, is_library);
  free(text);
}

static void keep_file(const void* module, const char* path, int is_library) {
  char sentence[512];
  size_t size;
  void* image = wants_captures() ? read_image(path, &size, sentence, sizeof sentence) : NULL;
  struct Image measured;
  const int is_whole = image && measure_image(image, &measured, sentence, sizeof sentence) == CUDA_SUCCESS &&
                       measured.data == image && measured.size <= size;
  keep(module, is_whole ? image : NULL, is_library);
  free(image);
}

CUresult CUDAAPI cuModuleLoad(CUmodule* module, const char* path) {
  TRY(REAL(cuModuleLoad)(module, path));
  keep_file(*module, path, kModule);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuModuleLoadData(CUmodule* module, const void* image) {
  TRY(REAL(cuModuleLoadData)(module, image));
  keep(*module, image, kModule);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned int count,
                                    CUjit_option* options, void** values) {
  TRY(REAL(cuModuleLoadDataEx)(module, image, count, options, values));
  keep(*module, image, kModule);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuModuleLoadFatBinary(CUmodule* module, const void* image) {
  TRY(REAL(cuModuleLoadFatBinary)(module, image));
  keep(*module, image, kModule);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuModuleUnload(CUmodule module) {
  drop_module(module);
  return REAL(cuModuleUnload)(module);
}

CUresult CUDAAPI cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  TRY(REAL(cuModuleGetFunction)(function, module, name));
  keep_kernel(*function, module, name);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuLibraryLoadData(CUlibrary* library, const void* code, CUjit_option* options, void** values,
                                   unsigned int count, CUlibraryOption* library_options,
                                   void** library_values, unsigned int library_count) {
  TRY(REAL(cuLibraryLoadData)(library, code, options, values, count, library_options, library_values,
                              library_count));
  keep(*library, code, kLibrary);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuLibraryLoadFromFile(CUlibrary* library, const char* path, CUjit_option* options,
                                       void** values, unsigned int count, CUlibraryOption* library_options,
                                       void** library_values, unsigned int library_count) {
  TRY(REAL(cuLibraryLoadFromFile)(library, path, options, values, count, library_options, library_values,
                                  library_count));
  keep_file(*library, path, kLibrary);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuLibraryUnload(CUlibrary library) {
  drop_module(library);
  return REAL(cuLibraryUnload)(library);
}

CUresult CUDAAPI cuLibraryGetModule(CUmodule* module, CUlibrary library) {
  TRY(REAL(cuLibraryGetModule)(module, library));
  if ((const void*)*module != (const void*)library) keep_alias(*module, library);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name) {
  TRY(REAL(cuLibraryGetKernel)(kernel, library, name));
  keep_kernel(*kernel, library, name);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuKernelGetFunction(CUfunction* function, CUkernel kernel) {
  TRY(REAL(cuKernelGetFunction)(function, kernel));
  keep_kernel_alias(*function, kernel);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuLinkAddData_v2(CUlinkState state, CUjitInputType type, void* data, size_t size,
                                  const char* name, unsigned int count, CUjit_option* options,
                                  void** values) {
  TRY(REAL(cuLinkAddData_v2)(state, type, data, size, name, count, options, values));
  keep_input(state, type, data, size, name);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuLinkAddFile_v2(CUlinkState state, CUjitInputType type, const char* path,
                                  unsigned int count, CUjit_option* options, void** values) {
  TRY(REAL(cuLinkAddFile_v2)(state, type, path, count, options, values));
  char sentence[512];
  size_t size = 0;
  void* data = wants_captures() ? read_image(path, &size, sentence, sizeof sentence) : NULL;
  keep_input(state, type, data, size, path);
  free(data);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuLinkComplete(CUlinkState state, void** cubin, size_t* size) {
  size_t bytes = 0;
  TRY(REAL(cuLinkComplete)(state, cubin, &bytes));
  if (size) *size = bytes;
  keep_linked(state, *cubin, bytes);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuLinkDestroy(CUlinkState state) {
  drop_link(state);
  return REAL(cuLinkDestroy)(state);
}
