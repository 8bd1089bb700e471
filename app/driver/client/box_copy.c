// Copies of rectangles and boxes: rows at a pitch, slices of rows.
#include "driver/client/array.h"
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
  CUarray array;
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

/// Replaces an array by its memory. CUDA_ERROR_INVALID_VALUE if the box does not fit into the array.
static CUresult resolve_array(const char* function, struct BoxSide* side, const size_t box[3]) {
  if (side->type != CU_MEMORYTYPE_ARRAY) return CUDA_SUCCESS;
  const struct CUarray_st* array = live_handle(kArrayHandle, side->array);
  if (!array) return invalid("%s: the %s is no array", function, side->role);
  const size_t first[3] = {side->x, side->y, side->z};
  const size_t room[3] = {array->row_bytes, array->rows, array->slices};
  const char* const what[3] = {"bytes in x", "rows", "slices"};
  for (int n = 0; n < 3; ++n)
    if (first[n] > room[n] || box[n] > room[n] - first[n])
      return invalid("%s: %zu %s from %zu on exceed the array, the %s, which has %zu", function, box[n],
                     what[n], first[n], side->role, room[n]);
  side->type = CU_MEMORYTYPE_DEVICE;
  side->device = array->address;
  side->pitch = array->row_bytes;
  side->height = array->rows;
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
static CUresult copy_box(const char* function, struct BoxSide sides[2], const size_t box[3]) {
  struct Allocation found;
  struct Range ranges[2];
  struct Work work;
  size_t slices[2];
  CUstream stream;
  struct Capture* capture;
  TRY(begin_copy_call(&stream, &capture));
  if (box[0] == 0 || box[1] == 0 || box[2] == 0) return CUDA_SUCCESS;
  for (int n = 0; n < 2; ++n) {
    TRY(resolve_array(function, &sides[n], box));
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
  struct BoxSide sides[2] = {
      {"destination", copy->dstMemoryType, copy->dstHost, copy->dstDevice, copy->dstXInBytes, copy->dstY, 0,
       copy->dstPitch ? copy->dstPitch : copy->WidthInBytes, 0, copy->dstArray},
      {"source", copy->srcMemoryType, copy->srcHost, copy->srcDevice, copy->srcXInBytes, copy->srcY, 0,
       copy->srcPitch ? copy->srcPitch : copy->WidthInBytes, 0, copy->srcArray}};
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
     (copy)->dstHeight ? (copy)->dstHeight : (copy)->Height,                                      \
     (copy)->dstArray},                                                                           \
    {                                                                                             \
      "source", (copy)->srcMemoryType, (copy)->srcHost, (copy)->srcDevice, (copy)->srcXInBytes,   \
          (copy)->srcY, (copy)->srcZ, (copy)->srcPitch ? (copy)->srcPitch : (copy)->WidthInBytes, \
          (copy)->srcHeight ? (copy)->srcHeight : (copy)->Height, (copy)->srcArray                \
    }                                                                                             \
  }

CUresult CUDAAPI cuMemcpy3D_v2(const CUDA_MEMCPY3D* copy) {
  if (!copy || copy->reserved0 || copy->reserved1) return CUDA_ERROR_INVALID_VALUE;
  struct BoxSide sides[2] = BOX_SIDES(copy);
  const size_t box[3] = {copy->WidthInBytes, copy->Height, copy->Depth};
  return copy_box("cuMemcpy3D", sides, box);
}

CUresult CUDAAPI cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER* copy) {
  if (!copy) return CUDA_ERROR_INVALID_VALUE;
  struct BoxSide sides[2] = BOX_SIDES(copy);
  const size_t box[3] = {copy->WidthInBytes, copy->Height, copy->Depth};
  return copy_box("cuMemcpy3DPeer", sides, box);
}

// Copies from and to arrays in one dimension.

CUresult CUDAAPI cuMemcpyHtoA_v2(CUarray to, size_t offset, const void* from, size_t size) {
  struct BoxSide sides[2] = {
      {.role = "destination", .type = CU_MEMORYTYPE_ARRAY, .array = to, .x = offset},
      {.role = "source", .type = CU_MEMORYTYPE_HOST, .host = from, .pitch = size, .height = 1}};
  return copy_box("cuMemcpyHtoA", sides, (const size_t[3]){size, 1, 1});
}

CUresult CUDAAPI cuMemcpyAtoH_v2(void* to, CUarray from, size_t offset, size_t size) {
  struct BoxSide sides[2] = {
      {.role = "destination", .type = CU_MEMORYTYPE_HOST, .host = to, .pitch = size, .height = 1},
      {.role = "source", .type = CU_MEMORYTYPE_ARRAY, .array = from, .x = offset}};
  return copy_box("cuMemcpyAtoH", sides, (const size_t[3]){size, 1, 1});
}

CUresult CUDAAPI cuMemcpyDtoA_v2(CUarray to, size_t offset, CUdeviceptr from, size_t size) {
  struct BoxSide sides[2] = {
      {.role = "destination", .type = CU_MEMORYTYPE_ARRAY, .array = to, .x = offset},
      {.role = "source", .type = CU_MEMORYTYPE_DEVICE, .device = from, .pitch = size, .height = 1}};
  return copy_box("cuMemcpyDtoA", sides, (const size_t[3]){size, 1, 1});
}

CUresult CUDAAPI cuMemcpyAtoD_v2(CUdeviceptr to, CUarray from, size_t offset, size_t size) {
  struct BoxSide sides[2] = {
      {.role = "destination", .type = CU_MEMORYTYPE_DEVICE, .device = to, .pitch = size, .height = 1},
      {.role = "source", .type = CU_MEMORYTYPE_ARRAY, .array = from, .x = offset}};
  return copy_box("cuMemcpyAtoD", sides, (const size_t[3]){size, 1, 1});
}

CUresult CUDAAPI cuMemcpyAtoA_v2(CUarray to, size_t to_offset, CUarray from, size_t from_offset,
                                 size_t size) {
  struct BoxSide sides[2] = {
      {.role = "destination", .type = CU_MEMORYTYPE_ARRAY, .array = to, .x = to_offset},
      {.role = "source", .type = CU_MEMORYTYPE_ARRAY, .array = from, .x = from_offset}};
  return copy_box("cuMemcpyAtoA", sides, (const size_t[3]){size, 1, 1});
}
