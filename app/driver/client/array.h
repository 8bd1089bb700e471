// CUDA arrays: memory of the device that holds texels in rows without gaps, which textures and surfaces read.
// Test: tests/unit/driver/client/array_test.cpp
#pragma once

#include "driver/client/cuda_api.h"
#include "driver/client/handle.h"

struct CUarray_st {
  struct Handle handle;
  CUDA_ARRAY3D_DESCRIPTOR shape;
  CUdeviceptr address;
  size_t row_bytes;
  size_t rows;    // of a slice; 1 where there is one dimension
  size_t slices;  // in z, or layers; at least 1
};

/// Bytes of an element of a texel; 0 if the format is none that kernels can read here.
size_t element_bytes(CUarray_format format);
