// Fills of memory with a value of 1, 2 or 4 bytes. generate.py writes each NAMEAsync.
#include "driver/client/capture.h"
#include "driver/client/connection.h"
#include "driver/client/current.h"
#include "driver/client/order.h"
#include "driver/client/range.h"

#include <string.h>

/// The fill as a node of a graph.
static struct NodeWork work_of_fill(CUdeviceptr to, size_t pitch, const void* value, size_t size,
                                    size_t width, size_t height) {
  struct NodeWork work = {
      .type = CU_GRAPH_NODE_TYPE_MEMSET,
      .fill = {
          .dst = to, .pitch = pitch, .elementSize = (unsigned int)size, .width = width, .height = height}};
  memcpy(&work.fill.value, value, size);
  return work;
}

static void fill_row(char* row, const void* value, size_t size, size_t count) {
  if (size == 1) {
    memset(row, *(const unsigned char*)value, count);
    return;
  }
  for (size_t n = 0; n < count; ++n) memcpy(row + n * size, value, size);
}

/// Fills `height` rows of `width` values of `size` bytes each. `pitch`: bytes from row to row.
static CUresult fill(const char* function, CUdeviceptr to, size_t pitch, const void* value, size_t size,
                     size_t width, size_t height) {
  struct Range range = {.role = "destination", .side = kDeviceSide, .address = to, .is_written = 1};
  struct Work work;
  size_t row, span;
  CUstream stream;
  struct Capture* capture;
  TRY(begin_copy_call(&stream, &capture));
  if (width == 0 || height == 0) return CUDA_SUCCESS;
  if (to % size != 0 || (height > 1 && pitch % size != 0))
    return invalid("%s: the destination %#llx and the pitch %zu should be multiples of %zu bytes", function,
                   to, pitch, size);
  if (__builtin_mul_overflow(width, size, &row) || (height > 1 && row > pitch))
    return invalid("%s: a row of %zu values does not fit its pitch of %zu bytes", function, width, pitch);
  if (__builtin_mul_overflow(height - 1, pitch, &span) || __builtin_add_overflow(span, row, &span))
    return invalid("%s: %zu rows at a pitch of %zu bytes are larger than any memory", function, height,
                   pitch);
  if (capture) {
    struct NodeWork node = work_of_fill(to, pitch, value, size, width, height);
    return capture_work(capture, stream, &node);
  }
  range.size = span;
  TRY(hold_ranges(function, &range, 1));
  for (size_t y = 0; y < height; ++y) fill_row(range.host + y * pitch, value, size, width);
  let_ranges_go();
  begin_copy(&work);
  order_write(&work, function, to, span, height > 1);
  end_copy(&work, 0);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemsetD8_v2(CUdeviceptr to, unsigned char value, size_t count) {
  return fill("cuMemsetD8", to, 0, &value, 1, count, 1);
}

CUresult CUDAAPI cuMemsetD16_v2(CUdeviceptr to, unsigned short value, size_t count) {
  return fill("cuMemsetD16", to, 0, &value, 2, count, 1);
}

CUresult CUDAAPI cuMemsetD32_v2(CUdeviceptr to, unsigned int value, size_t count) {
  return fill("cuMemsetD32", to, 0, &value, 4, count, 1);
}

CUresult CUDAAPI cuMemsetD2D8_v2(CUdeviceptr to, size_t pitch, unsigned char value, size_t width,
                                 size_t height) {
  return fill("cuMemsetD2D8", to, pitch, &value, 1, width, height);
}

CUresult CUDAAPI cuMemsetD2D16_v2(CUdeviceptr to, size_t pitch, unsigned short value, size_t width,
                                  size_t height) {
  return fill("cuMemsetD2D16", to, pitch, &value, 2, width, height);
}

CUresult CUDAAPI cuMemsetD2D32_v2(CUdeviceptr to, size_t pitch, unsigned int value, size_t width,
                                  size_t height) {
  return fill("cuMemsetD2D32", to, pitch, &value, 4, width, height);
}
