#include "driver/client/packed_launch.h"

#include "driver/client/connection.h"
#include "driver/client/device.h"
#include "driver/client/module.h"
#include "driver/client/occupancy.h"

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

CUresult pack_launch(CUfunction handle, const struct LanescopeLaunch* shape, void** values, void** extra,
                     struct PackedLaunch* packed) {
  const struct Function* function = checked_function(handle);
  if (!function) return CUDA_ERROR_INVALID_HANDLE;
  if (values && extra)
    return refuse(CUDA_ERROR_INVALID_VALUE, "%s: its parameters are given twice, as values and as `extra`",
                  function->title);
  TRY(check_shape(function, shape));
  const size_t size = function->facts.parameter_bytes;
  *packed = (struct PackedLaunch){.function = handle, .shape = *shape, .size = size};
  if (!(packed->bytes = calloc(1, size + 1))) return CUDA_ERROR_OUT_OF_MEMORY;
  const CUresult result =
      extra ? pack_extra(function, extra, packed->bytes) : pack_values(function, values, packed->bytes);
  if (result != CUDA_SUCCESS) free_launch(packed);
  return result;
}

void free_launch(struct PackedLaunch* packed) {
  free(packed->bytes);
  free(packed->values);
  packed->bytes = NULL;
  packed->values = NULL;
}

CUresult copy_launch(const struct PackedLaunch* from, struct PackedLaunch* to) {
  *to = *from;
  to->values = NULL;
  if (!(to->bytes = malloc(from->size + 1))) return CUDA_ERROR_OUT_OF_MEMORY;
  memcpy(to->bytes, from->bytes, from->size + 1);
  return CUDA_SUCCESS;
}

void** launch_values(struct PackedLaunch* packed) {
  const struct Function* function = checked_function(packed->function);
  if (packed->values || !function || function->facts.parameters == 0) return packed->values;
  packed->values = calloc(function->facts.parameters, sizeof *packed->values);
  for (uint32_t n = 0; packed->values && n < function->facts.parameters; ++n)
    packed->values[n] = packed->bytes + function->parameters[n].offset;
  return packed->values;
}
