// Launches: makes them or captures them, and shows the reply.
// Test: tests/unit/driver/client/*
#include "driver/client/launch.h"

#include "driver/client/capture.h"
#include "driver/client/connection.h"
#include "driver/client/current.h"
#include "driver/client/device.h"
#include "driver/client/event.h"
#include "driver/client/failure.h"
#include "driver/client/generated.h"
#include "driver/client/memory.h"
#include "driver/client/module.h"
#include "driver/client/node_work.h"
#include "driver/client/order.h"
#include "driver/client/stream.h"

#include <stdio.h>
#include <string.h>

static size_t printed_bytes(const struct Reply* reply) {
  return reply->r[1] < reply->size ? (size_t)reply->r[1] : reply->size;
}

/// Enters the writes of a kernel that the reply lists.
static void order_launch(const struct Work* work, const struct Function* function,
                         const struct Reply* reply) {
  char what[64];
  struct LanescopeWritten written;
  struct Allocation of;
  snprintf(what, sizeof what, "kernel %s", function->title);
  for (size_t at = printed_bytes(reply); at + sizeof written <= reply->size; at += sizeof written) {
    memcpy(&written, reply->payload + at, sizeof written);
    // The server tells of an arena with several parts the first and the last byte alone.
    if (find_allocation(written.first, &of) && written.last - of.address >= of.size) continue;
    order_write(work, what, written.first, written.last - written.first + 1, 1);
  }
}

/// Writes the kernel's output to stdout, and the sentence of a failure to stderr, unless the report of the
/// run is printed there.
static void show_reply(CUresult result, const struct Reply* reply) {
  const size_t printed = printed_bytes(reply);
  if (printed > 0) {
    fwrite(reply->payload, 1, printed, stdout);
    fflush(stdout);
  }
  if (result != CUDA_SUCCESS && printed < reply->size) complain_for_now("%s", reply->payload + printed);
}

CUresult run_launch(const struct PackedLaunch* packed, CUstream stream) {
  const struct Function* function = checked_function(packed->function);
  if (!function || function->facts.parameter_bytes != packed->size) return CUDA_ERROR_INVALID_HANDLE;
  struct LanescopeLaunch shape = packed->shape;
  shape.stream = stream_number(stream);
  shape.has_inputs = (uint32_t)has_inputs();
  shape.writes = count_inputs();
  const struct iovec parts[2] = {{&shape, sizeof shape}, {packed->bytes, packed->size}};
  struct Reply reply;
  struct Work work;
  const CUresult result = ask(kLanescopeLaunch, function->number, 0, parts, 2, &reply);
  show_reply(result, &reply);
  note_launch(result);
  begin_work(stream, &work);
  if (result == CUDA_SUCCESS) order_launch(&work, function, &reply);
  free_reply(&reply);
  return result;
}

/// Devices whose memory kernels of the current one may access; 0: there is one device.
static uint32_t reached_devices(void) {
  CUcontext context;
  if (device_facts()->device.count == 1 || current_context(&context) != CUDA_SUCCESS) return 0;
  return 1u << context->device | context->peers;
}

static CUresult launch(CUfunction function, const struct LanescopeLaunch* shape, CUstream stream,
                       void** values, void** extra) {
  struct Capture* capture;
  struct NodeWork work = {.type = CU_GRAPH_NODE_TYPE_KERNEL};
  TRY(begin_call(stream, &capture));
  TRY(pack_launch(function, shape, values, extra, &work.kernel));
  if (capture) return capture_work(capture, stream, &work);
  work.kernel.shape.reached = reached_devices();
  const CUresult result = run_launch(&work.kernel, stream);
  free_launch(&work.kernel);
  return result;
}

CUresult CUDAAPI cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                                unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                                void** values, void** extra) {
  struct LanescopeLaunch shape = {.grid = {grid_x, grid_y, grid_z},
                                  .block = {block_x, block_y, block_z},
                                  .dynamic_shared_bytes = shared_bytes};
  return launch(function, &shape, stream, values, extra);
}

CUresult CUDAAPI cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                                           unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                           unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                                           void** values) {
  struct LanescopeLaunch shape = {.grid = {grid_x, grid_y, grid_z},
                                  .block = {block_x, block_y, block_z},
                                  .dynamic_shared_bytes = shared_bytes,
                                  .is_cooperative = 1};
  return launch(function, &shape, stream, values, NULL);
}

/// Applies an attribute to `shape`; an event that the launch records goes to `events`.
static CUresult apply_attribute(const CUlaunchAttribute* attribute, struct LanescopeLaunch* shape,
                                CUevent events[2]) {
  switch (attribute->id) {
    case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
      shape->is_cooperative = attribute->value.cooperative != 0;
      return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
      shape->cluster[0] = attribute->value.clusterDim.x;
      shape->cluster[1] = attribute->value.clusterDim.y;
      shape->cluster[2] = attribute->value.clusterDim.z;
      if (shape->cluster[0] == 0 || shape->cluster[1] == 0 || shape->cluster[2] == 0)
        return CUDA_ERROR_INVALID_VALUE;
      return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT:
      events[0] = attribute->value.programmaticEvent.event;
      return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT:
      events[1] = attribute->value.launchCompletionEvent.event;
      return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE:
      return not_supported("a launch as a node of a graph that the device updates");
    default:
      return CUDA_SUCCESS;  // hints on caches, priorities and the order of launches, which change no result
  }
}

CUresult CUDAAPI cuLaunchKernelEx(const CUlaunchConfig* configuration, CUfunction function, void** values,
                                  void** extra) {
  CUevent events[2] = {NULL, NULL};
  if (!configuration || (configuration->numAttrs > 0 && !configuration->attrs))
    return CUDA_ERROR_INVALID_VALUE;
  struct LanescopeLaunch shape = {
      .grid = {configuration->gridDimX, configuration->gridDimY, configuration->gridDimZ},
      .block = {configuration->blockDimX, configuration->blockDimY, configuration->blockDimZ},
      .dynamic_shared_bytes = configuration->sharedMemBytes};
  for (unsigned int n = 0; n < configuration->numAttrs; ++n)
    TRY(apply_attribute(&configuration->attrs[n], &shape, events));
  TRY(launch(function, &shape, configuration->hStream, values, extra));
  for (int n = 0; n < 2; ++n)
    if (events[n]) TRY(record_event(events[n], configuration->hStream));
  return CUDA_SUCCESS;
}
