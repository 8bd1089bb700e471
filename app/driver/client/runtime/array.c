// CUDA arrays, and copies from and to them. generate.py writes each NAMEAsync.
// Test: tests/unit/driver/client/array_test.cpp
#include "driver/client/runtime/array.h"

#include "driver/client/runtime/generated.h"

struct cudaChannelFormatDesc CUDARTAPI cudaCreateChannelDesc(int x, int y, int z, int w,
                                                             enum cudaChannelFormatKind kind) {
  return (struct cudaChannelFormatDesc){x, y, z, w, kind};
}

/// Format of the driver for `bits` bits of a kind; 0 if there is none.
static CUarray_format format_of(int bits, enum cudaChannelFormatKind kind) {
  static const CUarray_format formats[3][3] = {
      {CU_AD_FORMAT_SIGNED_INT8, CU_AD_FORMAT_SIGNED_INT16, CU_AD_FORMAT_SIGNED_INT32},
      {CU_AD_FORMAT_UNSIGNED_INT8, CU_AD_FORMAT_UNSIGNED_INT16, CU_AD_FORMAT_UNSIGNED_INT32},
      {(CUarray_format)0, CU_AD_FORMAT_HALF, CU_AD_FORMAT_FLOAT}};
  const int size = bits == 8 ? 0 : bits == 16 ? 1 : bits == 32 ? 2 : -1;
  return size < 0 || (unsigned int)kind > cudaChannelFormatKindFloat ? (CUarray_format)0
                                                                     : formats[kind][size];
}

CUresult convert_channels(const struct cudaChannelFormatDesc* channels, CUarray_format* format,
                          unsigned int* count) {
  const int bits[4] = {channels->x, channels->y, channels->z, channels->w};
  *count = 0;
  while (*count < 4 && bits[*count] != 0) ++*count;
  *format = format_of(channels->x, channels->f);
  for (unsigned int n = 0; n < 4; ++n)
    if (bits[n] != (n < *count ? bits[0] : 0)) return (CUresult)cudaErrorInvalidChannelDescriptor;
  return *format ? CUDA_SUCCESS : (CUresult)cudaErrorInvalidChannelDescriptor;
}

struct cudaChannelFormatDesc channels_of(CUarray_format format, unsigned int count) {
  for (int kind = cudaChannelFormatKindSigned; kind <= cudaChannelFormatKindFloat; ++kind)
    for (int bits = 8; bits <= 32; bits *= 2)
      if (format_of(bits, (enum cudaChannelFormatKind)kind) == format)
        return cudaCreateChannelDesc(bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 3 ? bits : 0,
                                     (enum cudaChannelFormatKind)kind);
  return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}

CUresult texel_bytes(cudaArray_const_t array, size_t* bytes) {
  CUDA_ARRAY3D_DESCRIPTOR shape;
  CUresult result = start_runtime();
  if (result == CUDA_SUCCESS) result = cuArray3DGetDescriptor(&shape, (CUarray)array);
  if (result != CUDA_SUCCESS) return result;
  const struct cudaChannelFormatDesc channels = channels_of(shape.Format, shape.NumChannels);
  *bytes = (size_t)channels.x / 8 * shape.NumChannels;
  return CUDA_SUCCESS;
}

cudaError_t CUDARTAPI cudaMalloc3DArray(cudaArray_t* array, const struct cudaChannelFormatDesc* channels,
                                        struct cudaExtent extent, unsigned int flags) {
  CUDA_ARRAY3D_DESCRIPTOR shape = {
      .Width = extent.width, .Height = extent.height, .Depth = extent.depth, .Flags = flags};
  if (!array || !channels) return answer_error(cudaErrorInvalidValue);
  const CUresult result = convert_channels(channels, &shape.Format, &shape.NumChannels);
  if (result != CUDA_SUCCESS) return answer(result);
  ANSWER(cuArray3DCreate((CUarray*)array, &shape));
}

cudaError_t CUDARTAPI cudaMallocArray(cudaArray_t* array, const struct cudaChannelFormatDesc* channels,
                                      size_t width, size_t height, unsigned int flags) {
  const struct cudaExtent extent = {width, height, 0};
  return cudaMalloc3DArray(array, channels, extent, flags);
}

cudaError_t CUDARTAPI cudaFreeArray(cudaArray_t array) {
  ANSWER(array ? cuArrayDestroy((CUarray)array) : CUDA_SUCCESS);
}

cudaError_t CUDARTAPI cudaArrayGetInfo(struct cudaChannelFormatDesc* channels, struct cudaExtent* extent,
                                       unsigned int* flags, cudaArray_t array) {
  CUDA_ARRAY3D_DESCRIPTOR shape;
  CUresult result = start_runtime();
  if (result == CUDA_SUCCESS) result = cuArray3DGetDescriptor(&shape, (CUarray)array);
  if (result != CUDA_SUCCESS) return answer(result);
  if (channels) *channels = channels_of(shape.Format, shape.NumChannels);
  if (extent) *extent = (struct cudaExtent){shape.Width, shape.Height, shape.Depth};
  if (flags) *flags = shape.Flags;
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaGetChannelDesc(struct cudaChannelFormatDesc* channels, cudaArray_const_t array) {
  if (!channels) return answer_error(cudaErrorInvalidValue);
  return cudaArrayGetInfo(channels, NULL, NULL, (cudaArray_t)array);
}

cudaError_t CUDARTAPI cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                          size_t width, size_t height, enum cudaMemcpyKind kind) {
  if ((unsigned int)kind > cudaMemcpyDefault) return answer_error(cudaErrorInvalidMemcpyDirection);
  if (width > pitch && height > 1) return answer_error(cudaErrorInvalidPitchValue);
  const CUDA_MEMCPY2D rectangle = {.srcMemoryType = source_type(kind),
                                   .srcHost = from,
                                   .srcDevice = device_pointer(from),
                                   .srcPitch = pitch,
                                   .dstXInBytes = x,
                                   .dstY = y,
                                   .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                                   .dstArray = (CUarray)to,
                                   .WidthInBytes = width,
                                   .Height = height};
  ANSWER(cuMemcpy2DUnaligned(&rectangle));
}

cudaError_t CUDARTAPI cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                            size_t y, size_t width, size_t height, enum cudaMemcpyKind kind) {
  if ((unsigned int)kind > cudaMemcpyDefault) return answer_error(cudaErrorInvalidMemcpyDirection);
  if (width > pitch && height > 1) return answer_error(cudaErrorInvalidPitchValue);
  const CUDA_MEMCPY2D rectangle = {.srcXInBytes = x,
                                   .srcY = y,
                                   .srcMemoryType = CU_MEMORYTYPE_ARRAY,
                                   .srcArray = (CUarray)from,
                                   .dstMemoryType = destination_type(kind),
                                   .dstHost = to,
                                   .dstDevice = device_pointer(to),
                                   .dstPitch = pitch,
                                   .WidthInBytes = width,
                                   .Height = height};
  ANSWER(cuMemcpy2DUnaligned(&rectangle));
}

cudaError_t CUDARTAPI cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                               cudaArray_const_t from, size_t from_x, size_t from_y,
                                               size_t width, size_t height, enum cudaMemcpyKind kind) {
  if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
    return answer_error(cudaErrorInvalidMemcpyDirection);
  const CUDA_MEMCPY2D rectangle = {.srcXInBytes = from_x,
                                   .srcY = from_y,
                                   .srcMemoryType = CU_MEMORYTYPE_ARRAY,
                                   .srcArray = (CUarray)from,
                                   .dstXInBytes = to_x,
                                   .dstY = to_y,
                                   .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                                   .dstArray = (CUarray)to,
                                   .WidthInBytes = width,
                                   .Height = height};
  ANSWER(cuMemcpy2DUnaligned(&rectangle));
}

// Copies of a number of bytes, which go on in the next row.

/// Bytes of a row of the array; 0 with an error kept for the thread.
static size_t row_bytes(cudaArray_const_t array, cudaError_t* error) {
  struct cudaExtent extent;
  size_t texel = 0;
  *error = cudaArrayGetInfo(NULL, &extent, NULL, (cudaArray_t)array);
  if (*error == cudaSuccess) *error = answer(texel_bytes(array, &texel));
  return *error == cudaSuccess ? extent.width * texel : 0;
}

/// A copy of rows, or of a part of one.
struct Rows {
  size_t x, y, width, height;
};

/// The next rows of `size` bytes from byte `x` of row `y` on.
static struct Rows next_rows(size_t row, size_t x, size_t y, size_t size) {
  if (x == 0 && size >= row) return (struct Rows){0, y, row, size / row};
  return (struct Rows){x, y, size < row - x ? size : row - x, 1};
}

cudaError_t CUDARTAPI cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t size,
                                        enum cudaMemcpyKind kind) {
  cudaError_t error;
  const size_t row = row_bytes(to, &error);
  if (error == cudaSuccess && x >= row) return answer_error(cudaErrorInvalidValue);
  for (const char* at = from; error == cudaSuccess && size > 0; x = 0) {
    const struct Rows rows = next_rows(row, x, y, size);
    error = cudaMemcpy2DToArray(to, rows.x, rows.y, at, rows.width, rows.width, rows.height, kind);
    at += rows.width * rows.height;
    size -= rows.width * rows.height;
    y += rows.height;
  }
  return error;
}

cudaError_t CUDARTAPI cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t size,
                                          enum cudaMemcpyKind kind) {
  cudaError_t error;
  const size_t row = row_bytes(from, &error);
  if (error == cudaSuccess && x >= row) return answer_error(cudaErrorInvalidValue);
  for (char* at = to; error == cudaSuccess && size > 0; x = 0) {
    const struct Rows rows = next_rows(row, x, y, size);
    error = cudaMemcpy2DFromArray(at, rows.width, from, rows.x, rows.y, rows.width, rows.height, kind);
    at += rows.width * rows.height;
    size -= rows.width * rows.height;
    y += rows.height;
  }
  return error;
}
