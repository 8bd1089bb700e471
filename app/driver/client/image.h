// What a program hands to cuModuleLoadData and the like: PTX text, or a fat binary. Only its length is found
// here; the server reads the rest. Nothing is read behind what the image's own header says, and of a text
// nothing behind its zero byte. Source of the fat binary's header: nvcc's fatBinaryCtl (fatbinary_section.h),
// and its own output. Test: tests/unit/driver/client/*
#pragma once

#include "driver/client/cuda_api.h"

struct Image {
  const void* data;
  size_t size;
};

/// Fails with CUDA_ERROR_INVALID_IMAGE, CUDA_ERROR_NO_BINARY_FOR_GPU (machine code alone), and writes into
/// `sentence` why.
CUresult measure_image(const void* data, struct Image* image, char* sentence, size_t room);

/// A file as an image: its bytes with a zero byte behind them. Null and a sentence where it cannot be read;
/// the caller frees it.
void* read_image(const char* path, size_t* size, char* sentence, size_t room);
