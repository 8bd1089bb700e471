// Functions that launch a kernel: a launch is passed on to the driver, reported, timed and, if asked for,
// captured. Test: tests/cli/gpu_run_test.cpp
#include "driver/forward/captured_launch.h"
#include "driver/forward/kept_module.h"
#include "driver/forward/launch_call.h"
#include "driver/forward/launch_timer.h"
#include "driver/forward/real_driver.h"
#include "driver/forward/run_report.h"

/// Passes a launch on to the driver.
static CUresult make_launch(const struct Launch* launch) {
  const struct LanescopeLaunch* shape = &launch->shape;
  const uint32_t *grid = shape->grid, *block = shape->block;
  if (launch->configuration)
    return REAL(cuLaunchKernelEx)(launch->configuration, launch->function, launch->values, launch->extra);
  if (shape->is_cooperative)
    return REAL(cuLaunchCooperativeKernel)(launch->function, grid[0], grid[1], grid[2], block[0], block[1],
                                           block[2], shape->dynamic_shared_bytes, launch->stream,
                                           launch->values);
  return REAL(cuLaunchKernel)(launch->function, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                              shape->dynamic_shared_bytes, launch->stream, launch->values, launch->extra);
}

/// True if launches of this stream go into a graph: they are not made now, and no event may be recorded.
static int is_put_into_graph(CUstream stream) {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  return REAL(cuStreamIsCapturing)(stream, &status) == CUDA_SUCCESS &&
         status != CU_STREAM_CAPTURE_STATUS_NONE;
}

static CUresult launch_and_time(const struct Launch* launch, uint64_t number) {
  const struct LaunchTimer timer = begin_timer(launch->stream);
  const CUresult result = make_launch(launch);
  end_timer(timer, number, launch->stream, result);
  return result;
}

static CUresult observe(const struct Launch* launch) {
  struct KernelName kernel;
  uint64_t number;
  int is_wanted;
  if (is_put_into_graph(launch->stream) || !find_kernel(launch->function, &kernel) ||
      !report_launch(kernel.name, kernel.contents, &launch->shape, &number, &is_wanted))
    return make_launch(launch);
  struct CapturedLaunch* captured = is_wanted ? begin_capture(launch, &kernel, number) : NULL;
  const CUresult result = launch_and_time(launch, number);
  if (result != CUDA_SUCCESS) report_failure(number, result);
  if (captured) end_capture(captured, result);
  return result;
}

CUresult CUDAAPI cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                                unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                                void** values, void** extra) {
  const struct Launch launch = {.function = function,
                                .shape = {.grid = {grid_x, grid_y, grid_z},
                                          .block = {block_x, block_y, block_z},
                                          .dynamic_shared_bytes = shared_bytes},
                                .stream = stream,
                                .values = values,
                                .extra = extra};
  return observe(&launch);
}

CUresult CUDAAPI cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                                           unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                           unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                                           void** values) {
  const struct Launch launch = {.function = function,
                                .shape = {.grid = {grid_x, grid_y, grid_z},
                                          .block = {block_x, block_y, block_z},
                                          .dynamic_shared_bytes = shared_bytes,
                                          .is_cooperative = 1},
                                .stream = stream,
                                .values = values};
  return observe(&launch);
}

static void apply_attribute(const CUlaunchAttribute* attribute, struct LanescopeLaunch* shape) {
  if (attribute->id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
    shape->is_cooperative = attribute->value.cooperative != 0;
  if (attribute->id != CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) return;
  shape->cluster[0] = attribute->value.clusterDim.x;
  shape->cluster[1] = attribute->value.clusterDim.y;
  shape->cluster[2] = attribute->value.clusterDim.z;
}

CUresult CUDAAPI cuLaunchKernelEx(const CUlaunchConfig* configuration, CUfunction function, void** values,
                                  void** extra) {
  if (!configuration || (configuration->numAttrs > 0 && !configuration->attrs))
    return REAL(cuLaunchKernelEx)(configuration, function, values, extra);
  struct Launch launch = {
      .function = function,
      .shape = {.grid = {configuration->gridDimX, configuration->gridDimY, configuration->gridDimZ},
                .block = {configuration->blockDimX, configuration->blockDimY, configuration->blockDimZ},
                .dynamic_shared_bytes = configuration->sharedMemBytes},
      .stream = configuration->hStream,
      .values = values,
      .extra = extra,
      .configuration = configuration};
  for (unsigned int n = 0; n < configuration->numAttrs; ++n)
    apply_attribute(&configuration->attrs[n], &launch.shape);
  return observe(&launch);
}
