// Length of a module image that a program passes to cuModuleLoadData and similar functions: PTX text or a fat
// binary. The server reads the contents. Nothing is read after the length in a fat binary's header, or after
// the zero byte of a text. Source of the fat binary's header: nvcc's fatBinaryCtl (fatbinary_section.h), and
// nvcc's output. Test: tests/unit/driver/client/*
#pragma once

#include "driver/client/cuda_api.h"

struct Image {
  const void* data;
  size_t size;
};

/// Finds the start and the length of an image. Fails with CUDA_ERROR_INVALID_IMAGE or, for machine code or
/// unlinked device code, CUDA_ERROR_NO_BINARY_FOR_GPU; then `sentence` has the reason.
CUresult measure_image(const void* data, struct Image* image, char* sentence, size_t room);

/// Reads a file as an image: its bytes and at least one zero byte after them, which the caller frees. Null if
/// the file cannot be read; then `sentence` has the reason.
void* read_image(const char* path, size_t* size, char* sentence, size_t room);
