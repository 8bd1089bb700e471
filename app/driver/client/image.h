// Length of a module image that a program passes to cuModuleLoadData and similar functions: PTX text or a fat
// binary. The server reads the contents. Nothing is read after the length in a fat binary's header, or after
// the zero byte of a text. Source of the fat binary's header: nvcc's fatBinaryCtl (fatbinary_section.h), and
// nvcc's output. Test: tests/unit/driver/client/*
#pragma once

#include "driver/client/cuda_api.h"

struct Image {
  const void* data;
  size_t size;
  void* joined;  // several fat binaries that were copied to one place, `data`; null: none
};

/// Finds the start and the length of an image; the fat binaries of relocatable device code (nvcc -rdc=true),
/// one a source file, are joined to one image, which the server links. Fails with CUDA_ERROR_INVALID_IMAGE
/// or, for machine code, CUDA_ERROR_NO_BINARY_FOR_GPU; then `sentence` has the reason. The caller calls
/// free_image(), except for the contents of a file, which are never joined.
CUresult measure_image(const void* data, struct Image* image, char* sentence, size_t room);

void free_image(struct Image* image);

/// Reads a file as an image: its bytes and at least one zero byte after them, which the caller frees. Null if
/// the file cannot be read; then `sentence` has the reason.
void* read_image(const char* path, size_t* size, char* sentence, size_t room);
