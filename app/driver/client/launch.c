// Launches: packs the parameters as the kernel's PTX has them, checks the shape, and shows the reply.
// Test: tests/unit/driver/client/*
#include "driver/client/connection.h"
#include "driver/client/device.h"
#include "driver/client/event.h"
#include "driver/client/failure.h"
#include "driver/client/generated.h"
#include "driver/client/memory.h"
#include "driver/client/module.h"
#include "driver/client/occupancy.h"
#include "driver/client/order.h"
#include "driver/client/stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static CUresult pack_values(const struct Function* function, void** values, char* into) {
  for (uint32_t n = 0; n < function->facts.parameters; ++n) {
    const struct LanescopeParameter* parameter = &function->parameters[n];
    if (!values || !values[n])
      return refuse(CUDA_ERROR_INVALID_VALUE,
                    "%s: it has %u parameters; the value of number %u is a null pointer", function->title,
                    function->facts.parameters, n);
    if (parameter->offset > function->facts.parameter_bytes ||
        parameter->size_bytes > function->facts.parameter_bytes - parameter->offset)
      return CUDA_ERROR_UNKNOWN;
    memcpy(into + parameter->offset, values[n], parameter->size_bytes);
  }
  return CUDA_SUCCESS;
}

/// Copies the parameters from `extra`, which is pairs of a keyword and a pointer.
static CUresult pack_extra(const struct Function* function, void** extra, char* into) {
  const void* buffer = NULL;
  const size_t* size = NULL;
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
      buffer = extra[1];
    else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE)
      size = extra[1];
    else
      return refuse(CUDA_ERROR_INVALID_VALUE, "%s: `extra` has the unknown word %p", function->title, *extra);
  }
  const size_t needed = function->facts.parameter_bytes;
  if (needed == 0) return CUDA_SUCCESS;
  if (!buffer || !size)
    return refuse(CUDA_ERROR_INVALID_VALUE, "%s: `extra` has no %s of the parameters", function->title,
                  buffer ? "size" : "buffer");
  if (*size < needed)
    return refuse(CUDA_ERROR_INVALID_VALUE, "%s: its parameters have %zu bytes, `extra` has %zu",
                  function->title, needed, *size);
  memcpy(into, buffer, needed);
  return CUDA_SUCCESS;
}

static CUresult check_shape(const struct Function* function, const struct LanescopeLaunch* shape) {
  static const char axes[] = "xyz";
  unsigned long long threads = 1;
  for (int n = 0; n < 3; ++n) {
    const unsigned int most_blocks = (unsigned int)device_attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X + n);
    const unsigned int most_threads = (unsigned int)device_attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X + n);
    if (shape->grid[n] == 0 || shape->grid[n] > most_blocks)
      return refuse(CUDA_ERROR_INVALID_VALUE, "%s: the grid has %u blocks along %c, 1 to %u are allowed",
                    function->title, shape->grid[n], axes[n], most_blocks);
    if (shape->block[n] == 0 || shape->block[n] > most_threads)
      return refuse(CUDA_ERROR_INVALID_VALUE, "%s: the block has %u threads along %c, 1 to %u are allowed",
                    function->title, shape->block[n], axes[n], most_threads);
    threads *= shape->block[n];
    if (shape->cluster[n] > 0 && shape->grid[n] % shape->cluster[n] != 0)
      return refuse(CUDA_ERROR_INVALID_VALUE,
                    "%s: the grid has %u blocks along %c, which clusters of %u do not divide",
                    function->title, shape->grid[n], axes[n], shape->cluster[n]);
  }
  if (threads > function->facts.most_threads)
    return refuse(CUDA_ERROR_INVALID_VALUE, "%s: the block has %llu threads, at most %u are allowed",
                  function->title, threads, function->facts.most_threads);
  if (shape->dynamic_shared_bytes > (unsigned int)function->most_dynamic_shared_bytes)
    return refuse(CUDA_ERROR_INVALID_VALUE,
                  "%s: %u bytes of dynamic shared memory were asked for, %d are allowed; cuFuncSetAttribute "
                  "(cudaFuncSetAttribute) "
                  "raises that",
                  function->title, shape->dynamic_shared_bytes, function->most_dynamic_shared_bytes);
  if (shape->is_cooperative &&
      (unsigned long long)shape->grid[0] * shape->grid[1] * shape->grid[2] >
          (unsigned long long)blocks_of_device(function, (int)threads, shape->dynamic_shared_bytes)) {
    return refuse(
        CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
        "%s: a cooperative launch of %u x %u x %u blocks does not fit on the device, which takes %lld at "
        "once",
        function->title, shape->grid[0], shape->grid[1], shape->grid[2],
        blocks_of_device(function, (int)threads, shape->dynamic_shared_bytes));
  }
  return CUDA_SUCCESS;
}

static size_t printed_bytes(const struct Reply* reply) {
  return reply->r[1] < reply->size ? (size_t)reply->r[1] : reply->size;
}

/// Enters the writes of a kernel that the reply lists.
static void order_launch(const struct Work* work, const struct Function* function,
                         const struct Reply* reply) {
  char what[64];
  struct LanescopeWritten written;
  snprintf(what, sizeof what, "kernel %s", function->title);
  for (size_t at = printed_bytes(reply); at + sizeof written <= reply->size; at += sizeof written) {
    memcpy(&written, reply->payload + at, sizeof written);
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

static CUresult launch(CUfunction handle, struct LanescopeLaunch* shape, CUstream stream, void** values,
                       void** extra) {
  TRY(check_stream(stream));
  const struct Function* function = checked_function(handle);
  if (!function) return CUDA_ERROR_INVALID_HANDLE;
  if (values && extra)
    return refuse(CUDA_ERROR_INVALID_VALUE, "%s: its parameters are given twice, as values and as `extra`",
                  function->title);
  TRY(check_shape(function, shape));
  shape->stream = stream_number(stream);
  shape->has_inputs = (uint32_t)has_inputs();
  char* bytes = calloc(1, function->facts.parameter_bytes + 1);
  if (!bytes) return CUDA_ERROR_OUT_OF_MEMORY;
  CUresult result = extra ? pack_extra(function, extra, bytes) : pack_values(function, values, bytes);
  if (result == CUDA_SUCCESS) {
    const struct iovec parts[2] = {{shape, sizeof *shape}, {bytes, function->facts.parameter_bytes}};
    struct Reply reply;
    struct Work work;
    result = ask(kLanescopeLaunch, function->number, 0, parts, 2, &reply);
    show_reply(result, &reply);
    note_launch(result);
    begin_work(stream, &work);
    if (result == CUDA_SUCCESS) order_launch(&work, function, &reply);
    free_reply(&reply);
  }
  free(bytes);
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
