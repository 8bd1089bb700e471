// Linker. The result is PTX (linked_text.h); an input without PTX cannot be linked. Test:
// tests/unit/driver/client/*
#include "driver/client/connection.h"
#include "driver/client/current.h"
#include "driver/client/image.h"
#include "driver/client/linked_text.h"
#include "driver/client/module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CUlinkState_st {
  struct Handle handle;
  struct LinkedText linked;
  int is_binary;  // the one input is a fat binary
  unsigned int option_count;
  CUjit_option* options;  // the program keeps them until cuLinkDestroy
  void** values;
};

static CUresult check_link(CUlinkState link) {
  TRY(check_context());
  return live_handle(kLinkHandle, link) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

static CUresult refuse_input(CUlinkState link, CUresult result, const char* name, const char* why) {
  char sentence[512];
  snprintf(sentence, sizeof sentence, "%s cannot be linked: %s", name && *name ? name : "an input", why);
  write_error_log(link->option_count, link->options, link->values, sentence);
  return refuse(result, "%s", sentence);
}

CUresult CUDAAPI cuLinkCreate_v2(unsigned int count, CUjit_option* options, void** values,
                                 CUlinkState* state) {
  CUcontext context;
  TRY(current_context(&context));
  if (!state || (count > 0 && (!options || !values))) return CUDA_ERROR_INVALID_VALUE;
  CUlinkState made = make_handle(kLinkHandle, sizeof *made, NULL);
  if (!made) return CUDA_ERROR_OUT_OF_MEMORY;
  made->option_count = count;
  made->options = options;
  made->values = values;
  *state = made;
  return CUDA_SUCCESS;
}

static CUresult add_text(CUlinkState link, const char* name, const char* data, size_t size) {
  if (link->is_binary)
    return refuse_input(link, CUDA_ERROR_NOT_SUPPORTED, name,
                        "a fat binary is linked already, and is linked alone");
  return append_ptx(&link->linked, data, strnlen(data, size)) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

/// Adds a measured image.
static CUresult add_image(CUlinkState link, const char* name, const struct Image* image, const void* data,
                          size_t size) {
  if (image->data == data && image->size > size)
    return refuse_input(link, CUDA_ERROR_INVALID_IMAGE, name, "it ends before what its header says");
  if (link->linked.inputs > 0)
    return refuse_input(link, CUDA_ERROR_NOT_SUPPORTED, name,
                        "a fat binary is linked alone; pass PTX (nvcc --ptx)");
  if (!append_ptx(&link->linked, image->data, image->size)) return CUDA_ERROR_OUT_OF_MEMORY;
  link->is_binary = 1;
  return CUDA_SUCCESS;
}

static CUresult add_fat_binary(CUlinkState link, const char* name, const char* data, size_t size) {
  char sentence[256];
  struct Image image;
  if (size < 16)
    return refuse_input(link, CUDA_ERROR_INVALID_IMAGE, name, "it is shorter than a fat binary's header");
  CUresult result = measure_image(data, &image, sentence, sizeof sentence);
  if (result != CUDA_SUCCESS) return refuse_input(link, result, name, sentence);
  result = add_image(link, name, &image, data, size);
  free_image(&image);
  return result;
}

CUresult CUDAAPI cuLinkAddData_v2(CUlinkState link, CUjitInputType type, void* data, size_t size,
                                  const char* name, unsigned int count, CUjit_option* options,
                                  void** values) {
  (void)count, (void)options, (void)values;
  TRY(check_link(link));
  if (!data || size == 0) return CUDA_ERROR_INVALID_VALUE;
  const int is_elf = size >= 4 && memcmp(data, "\177ELF", 4) == 0;
  switch (type) {
    case CU_JIT_INPUT_PTX:
    case CU_JIT_INPUT_CUBIN:  // PTX too, if a wrapper replaces ptxas
      if (is_elf)
        return refuse_input(link, CUDA_ERROR_NO_BINARY_FOR_GPU, name,
                            "it is machine code (a cubin); pass PTX (nvcc --ptx)");
      return add_text(link, name, data, size);
    case CU_JIT_INPUT_FATBINARY:
      return add_fat_binary(link, name, data, size);
    case CU_JIT_INPUT_OBJECT:
    case CU_JIT_INPUT_LIBRARY:
      // CUDA's device library: the emulator has the functions that kernels call.
      if (name && strstr(name, "cudadevrt")) return CUDA_SUCCESS;
      return refuse_input(link, CUDA_ERROR_NOT_SUPPORTED, name,
                          "it is an object or a library; pass PTX (nvcc --ptx)");
    default:
      return refuse_input(link, CUDA_ERROR_NOT_SUPPORTED, name,
                          "its kind is not known here (LTO-IR?); pass PTX (nvcc --ptx)");
  }
}

CUresult CUDAAPI cuLinkAddFile_v2(CUlinkState link, CUjitInputType type, const char* path, unsigned int count,
                                  CUjit_option* options, void** values) {
  char sentence[512];
  size_t size;
  TRY(check_link(link));
  if (!path) return CUDA_ERROR_INVALID_VALUE;
  char* data = read_image(path, &size, sentence, sizeof sentence);
  if (!data) return refuse_input(link, CUDA_ERROR_FILE_NOT_FOUND, path, sentence);
  const CUresult result = cuLinkAddData_v2(link, type, data, size, path, count, options, values);
  free(data);
  return result;
}

/// Counts the zero byte after the text in `size`, so that a copy of that size is a text too.
CUresult CUDAAPI cuLinkComplete(CUlinkState link, void** cubin, size_t* size) {
  TRY(check_link(link));
  if (!cubin) return CUDA_ERROR_INVALID_VALUE;
  if (link->linked.inputs == 0)
    return refuse_input(link, CUDA_ERROR_INVALID_VALUE, "nothing", "no input was added");
  *cubin = link->linked.text;
  if (size) *size = link->linked.size + 1;
  write_error_log(link->option_count, link->options, link->values, "");
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuLinkDestroy(CUlinkState link) {
  TRY(driver_state());
  if (!live_handle(kLinkHandle, link)) return CUDA_ERROR_INVALID_HANDLE;
  free(link->linked.text);
  drop_handle(link);
  return CUDA_SUCCESS;
}
