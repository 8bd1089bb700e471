// Copies of memory in one dimension. generate.py writes each NAMEAsync, which calls NAME for its stream.
#include "driver/client/capture.h"
#include "driver/client/connection.h"
#include "driver/client/current.h"
#include "driver/client/memory.h"
#include "driver/client/order.h"
#include "driver/client/range.h"

#include <stdint.h>
#include <string.h>

static CUmemorytype type_of(enum Side side) {
  return side == kHostSide     ? CU_MEMORYTYPE_HOST
         : side == kDeviceSide ? CU_MEMORYTYPE_DEVICE
                               : CU_MEMORYTYPE_UNIFIED;
}

/// The copy as a node of a graph.
static struct NodeWork copy_work_of(const struct Range* to, const struct Range* from) {
  return (struct NodeWork){.type = CU_GRAPH_NODE_TYPE_MEMCPY,
                           .copy = {.srcMemoryType = type_of(from->side),
                                    .srcHost = (const void*)(uintptr_t)from->address,
                                    .srcDevice = from->address,
                                    .srcPitch = from->size,
                                    .srcHeight = 1,
                                    .dstMemoryType = type_of(to->side),
                                    .dstHost = (void*)(uintptr_t)to->address,
                                    .dstDevice = to->address,
                                    .dstPitch = to->size,
                                    .dstHeight = 1,
                                    .WidthInBytes = to->size,
                                    .Height = 1,
                                    .Depth = 1}};
}

static CUresult copy(const char* function, enum Side to_side, CUdeviceptr to, enum Side from_side,
                     CUdeviceptr from, size_t size) {
  struct Range ranges[] = {
      {.role = "destination", .side = to_side, .address = to, .size = size, .is_written = 1},
      {.role = "source", .side = from_side, .address = from, .size = size}};
  struct Allocation found;
  struct Work work;
  CUstream stream;
  struct Capture* capture;
  TRY(begin_copy_call(&stream, &capture));
  if (size == 0) return CUDA_SUCCESS;
  if (capture) {
    struct NodeWork node = copy_work_of(&ranges[0], &ranges[1]);
    return capture_work(capture, stream, &node);
  }
  TRY(hold_ranges(function, ranges, 2));
  memmove(ranges[0].host, ranges[1].host, size);
  let_ranges_go();
  begin_copy(&work);
  order_read(&work, function, from, size);
  order_write(&work, function, to, size, 0);
  end_copy(&work, !find_allocation(to, &found));
  return CUDA_SUCCESS;
}

static CUdeviceptr host_address(const void* memory) { return (CUdeviceptr)(uintptr_t)memory; }

CUresult CUDAAPI cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t size) {
  return copy("cuMemcpy", kEitherSide, to, kEitherSide, from, size);
}

CUresult CUDAAPI cuMemcpyHtoD_v2(CUdeviceptr to, const void* from, size_t size) {
  return copy("cuMemcpyHtoD", kDeviceSide, to, kHostSide, host_address(from), size);
}

CUresult CUDAAPI cuMemcpyDtoH_v2(void* to, CUdeviceptr from, size_t size) {
  return copy("cuMemcpyDtoH", kHostSide, host_address(to), kDeviceSide, from, size);
}

CUresult CUDAAPI cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t size) {
  return copy("cuMemcpyDtoD", kDeviceSide, to, kDeviceSide, from, size);
}

CUresult CUDAAPI cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                              size_t size) {
  TRY(check_context());
  if (!live_handle(kContextHandle, to_context) || !live_handle(kContextHandle, from_context))
    return CUDA_ERROR_INVALID_CONTEXT;
  return copy("cuMemcpyPeer", kDeviceSide, to, kDeviceSide, from, size);
}
