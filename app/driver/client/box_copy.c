// Copies of rectangles and boxes: rows at a pitch, slices of rows.
#include "driver/client/capture.h"
#include "driver/client/connection.h"
#include "driver/client/current.h"
#include "driver/client/generated.h"
#include "driver/client/memory.h"
#include "driver/client/order.h"
#include "driver/client/range.h"

#include <string.h>

/// Source or destination of a copy.
struct BoxSide {
  const char* role;
  CUmemorytype type;
  const void* host;
  CUdeviceptr device;
  size_t x, y, z;        // x in bytes
  size_t pitch, height;  // of a slice in memory: bytes from row to row, rows
};

/// Range from the first byte of the box to its last; `slice` is in bytes. False if 64 bits are too few.
static int range_of(const struct BoxSide* side, const size_t box[3], size_t slice, struct Range* range) {
  size_t begin, rows, span;
  const CUdeviceptr base =
      side->type == CU_MEMORYTYPE_HOST ? (CUdeviceptr)(uintptr_t)side->host : side->device;
  *range = (struct Range){.role = side->role,
                          .side = side->type == CU_MEMORYTYPE_HOST     ? kHostSide
                                  : side->type == CU_MEMORYTYPE_DEVICE ? kDeviceSide
                                                                       : kEitherSide};
  if (__builtin_mul_overflow(side->z, slice, &begin) || __builtin_mul_overflow(side->y, side->pitch, &rows) ||
      __builtin_add_overflow(begin, rows, &begin) || __builtin_add_overflow(begin, side->x, &begin) ||
      __builtin_add_overflow(base, begin, &range->address))
    return 0;
  if (__builtin_mul_overflow(box[2] - 1, slice, &span) ||
      __builtin_mul_overflow(box[1] - 1, side->pitch, &rows) || __builtin_add_overflow(span, rows, &span) ||
      __builtin_add_overflow(span, box[0], &span))
    return 0;
  range->size = span;
  return 1;
}

static CUresult check_side(const char* function, const struct BoxSide* side, const size_t box[3]) {
  if (side->type == CU_MEMORYTYPE_ARRAY) return not_supported("a copy from or to a CUDA array");
  if (side->type != CU_MEMORYTYPE_HOST && side->type != CU_MEMORYTYPE_DEVICE &&
      side->type != CU_MEMORYTYPE_UNIFIED)
    return invalid("%s: %d is no type of memory for the %s", function, (int)side->type, side->role);
  if (side->x > SIZE_MAX - box[0] || ((box[1] > 1 || box[2] > 1) && side->x + box[0] > side->pitch))
    return invalid("%s: a row of the %s has %zu bytes from byte %zu on, more than its pitch of %zu", function,
                   side->role, box[0], side->x, side->pitch);
  if (box[2] > 1 && (side->y > SIZE_MAX - box[1] || side->y + box[1] > side->height))
    return invalid("%s: a slice of the %s has %zu rows from row %zu on, more than its height of %zu",
                   function, side->role, box[1], side->y, side->height);
  return CUDA_SUCCESS;
}

/// The copy as a node of a graph.
static struct NodeWork work_of_box(const struct BoxSide sides[2], const size_t box[3]) {
  const struct BoxSide *to = &sides[0], *from = &sides[1];
  return (struct NodeWork){.type = CU_GRAPH_NODE_TYPE_MEMCPY,
                           .copy = {.srcXInBytes = from->x,
                                    .srcY = from->y,
                                    .srcZ = from->z,
                                    .srcMemoryType = from->type,
                                    .srcHost = from->host,
                                    .srcDevice = from->device,
                                    .srcPitch = from->pitch,
                                    .srcHeight = from->height,
                                    .dstXInBytes = to->x,
                                    .dstY = to->y,
                                    .dstZ = to->z,
                                    .dstMemoryType = to->type,
                                    .dstHost = (void*)to->host,
                                    .dstDevice = to->device,
                                    .dstPitch = to->pitch,
                                    .dstHeight = to->height,
                                    .WidthInBytes = box[0],
                                    .Height = box[1],
                                    .Depth = box[2]}};
}

/// `box`: bytes of a row, rows, slices.
static CUresult copy_box(const char* function, const struct BoxSide sides[2], const size_t box[3]) {
  struct Allocation found;
  struct Range ranges[2];
  struct Work work;
  size_t slices[2];
  CUstream stream;
  struct Capture* capture;
  TRY(begin_copy_call(&stream, &capture));
  if (box[0] == 0 || box[1] == 0 || box[2] == 0) return CUDA_SUCCESS;
  for (int n = 0; n < 2; ++n) {
    TRY(check_side(function, &sides[n], box));
    if (__builtin_mul_overflow(sides[n].pitch, sides[n].height, &slices[n]) ||
        !range_of(&sides[n], box, slices[n], &ranges[n]))
      return invalid("%s: the %s is larger than any memory", function, sides[n].role);
  }
  if (capture) {
    struct NodeWork node = work_of_box(sides, box);
    return capture_work(capture, stream, &node);
  }
  ranges[0].is_written = 1;
  TRY(hold_ranges(function, ranges, 2));
  for (size_t slice = 0; slice < box[2]; ++slice)
    for (size_t row = 0; row < box[1]; ++row)
      memmove(ranges[0].host + slice * slices[0] + row * sides[0].pitch,
              ranges[1].host + slice * slices[1] + row * sides[1].pitch, box[0]);
  let_ranges_go();
  begin_copy(&work);
  order_read(&work, function, ranges[1].address, box[0]);  // the first row
  order_write(&work, function, ranges[0].address, ranges[0].size, 1);
  end_copy(&work, !find_allocation(ranges[0].address, &found));
  return CUDA_SUCCESS;
}

static CUresult copy_rectangle(const char* function, const CUDA_MEMCPY2D* copy) {
  if (!copy) return CUDA_ERROR_INVALID_VALUE;
  // A pitch of 0 means rows without gaps.
  const struct BoxSide sides[2] = {
      {"destination", copy->dstMemoryType, copy->dstHost, copy->dstDevice, copy->dstXInBytes, copy->dstY, 0,
       copy->dstPitch ? copy->dstPitch : copy->WidthInBytes, 0},
      {"source", copy->srcMemoryType, copy->srcHost, copy->srcDevice, copy->srcXInBytes, copy->srcY, 0,
       copy->srcPitch ? copy->srcPitch : copy->WidthInBytes, 0}};
  const size_t box[3] = {copy->WidthInBytes, copy->Height, 1};
  return copy_box(function, sides, box);
}

CUresult CUDAAPI cuMemcpy2D_v2(const CUDA_MEMCPY2D* copy) { return copy_rectangle("cuMemcpy2D", copy); }

CUresult CUDAAPI cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D* copy) {
  return copy_rectangle("cuMemcpy2DUnaligned", copy);
}

/// Initializer of both sides of a copy in three dimensions; CUDA_MEMCPY3D and CUDA_MEMCPY3D_PEER have these
/// members.
#define BOX_SIDES(copy)                                                                           \
  {                                                                                               \
    {"destination",                                                                               \
     (copy)->dstMemoryType,                                                                       \
     (copy)->dstHost,                                                                             \
     (copy)->dstDevice,                                                                           \
     (copy)->dstXInBytes,                                                                         \
     (copy)->dstY,                                                                                \
     (copy)->dstZ,                                                                                \
     (copy)->dstPitch ? (copy)->dstPitch : (copy)->WidthInBytes,                                  \
     (copy)->dstHeight ? (copy)->dstHeight : (copy)->Height},                                     \
    {                                                                                             \
      "source", (copy)->srcMemoryType, (copy)->srcHost, (copy)->srcDevice, (copy)->srcXInBytes,   \
          (copy)->srcY, (copy)->srcZ, (copy)->srcPitch ? (copy)->srcPitch : (copy)->WidthInBytes, \
          (copy)->srcHeight ? (copy)->srcHeight : (copy)->Height                                  \
    }                                                                                             \
  }

CUresult CUDAAPI cuMemcpy3D_v2(const CUDA_MEMCPY3D* copy) {
  if (!copy || copy->reserved0 || copy->reserved1) return CUDA_ERROR_INVALID_VALUE;
  const struct BoxSide sides[2] = BOX_SIDES(copy);
  const size_t box[3] = {copy->WidthInBytes, copy->Height, copy->Depth};
  return copy_box("cuMemcpy3D", sides, box);
}

CUresult CUDAAPI cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER* copy) {
  if (!copy) return CUDA_ERROR_INVALID_VALUE;
  const struct BoxSide sides[2] = BOX_SIDES(copy);
  const size_t box[3] = {copy->WidthInBytes, copy->Height, copy->Depth};
  return copy_box("cuMemcpy3DPeer", sides, box);
}
