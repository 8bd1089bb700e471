// The functions of libcuda that are used, found by name at run time, and what their status codes mean, in
// words. Method: types from cuda.h; a function's name is the one that cuda.h's macros make of it (cuMemAlloc
// is cuMemAlloc_v2 in the library). Tests: tests/unit/gpu/driver_test.cpp

#pragma once

#include "gpu/driver.h"

#include <chrono>

#include <cuda.h>

namespace lanescope::gpu {

struct DriverFunctions {
  void* handle = nullptr;

  decltype(&cuInit) init = nullptr;
  decltype(&cuDriverGetVersion) version = nullptr;
  decltype(&cuGetErrorName) error_name = nullptr;
  decltype(&cuGetErrorString) error_string = nullptr;
  decltype(&cuDeviceGetCount) device_count = nullptr;
  decltype(&cuDeviceGet) device_get = nullptr;
  decltype(&cuDeviceGetName) device_name = nullptr;
  decltype(&cuDeviceGetAttribute) device_attribute = nullptr;
  decltype(&cuDeviceTotalMem) device_memory = nullptr;
  decltype(&cuDevicePrimaryCtxRetain) context_retain = nullptr;
  decltype(&cuDevicePrimaryCtxRelease) context_release = nullptr;
  decltype(&cuCtxSetCurrent) context_set_current = nullptr;
  decltype(&cuCtxSynchronize) synchronize = nullptr;
  decltype(&cuStreamQuery) stream_query = nullptr;
  decltype(&cuMemAlloc) memory_allocate = nullptr;
  decltype(&cuMemFree) memory_free = nullptr;
  decltype(&cuMemsetD8) memory_set = nullptr;
  decltype(&cuMemcpyHtoD) copy_to_device = nullptr;
  decltype(&cuMemcpyDtoH) copy_from_device = nullptr;
  decltype(&cuMemcpyDtoDAsync) queue_copy = nullptr;
  decltype(&cuArray3DCreate) array_create = nullptr;
  decltype(&cuArrayDestroy) array_destroy = nullptr;
  decltype(&cuMemcpy3DAsync) queue_copy_3d = nullptr;
  decltype(&cuTexObjectCreate) texture_create = nullptr;
  decltype(&cuTexObjectDestroy) texture_destroy = nullptr;
  decltype(&cuSurfObjectCreate) surface_create = nullptr;
  decltype(&cuSurfObjectDestroy) surface_destroy = nullptr;
  decltype(&cuModuleLoadDataEx) module_load = nullptr;
  decltype(&cuModuleUnload) module_unload = nullptr;
  decltype(&cuModuleGetFunction) module_function = nullptr;
  decltype(&cuModuleGetGlobal) module_variable = nullptr;
  decltype(&cuFuncSetAttribute) function_set_attribute = nullptr;
  decltype(&cuLaunchKernel) launch = nullptr;
  decltype(&cuLaunchCooperativeKernel) launch_cooperative = nullptr;
  decltype(&cuEventCreate) event_create = nullptr;
  decltype(&cuEventDestroy) event_destroy = nullptr;
  decltype(&cuEventRecord) event_record = nullptr;
  decltype(&cuEventSynchronize) event_synchronize = nullptr;
  decltype(&cuEventElapsedTime) event_elapsed = nullptr;

  DriverFunctions() = default;
  DriverFunctions(const DriverFunctions&) = delete;
  DriverFunctions& operator=(const DriverFunctions&) = delete;
  ~DriverFunctions();
};

/// A retained primary context.
struct ContextState {
  Driver driver;
  CUdevice handle = 0;
  CUcontext context = nullptr;
  Device device;
  std::chrono::seconds most_waiting{0};  // for work of the GPU; 0: for ever
  bool is_abandoned = false;  // work did not end: nothing is freed, since the driver would wait for it

  ContextState(Driver opened, CUdevice ordinal) : driver(std::move(opened)), handle(ordinal) {}
  ContextState(const ContextState&) = delete;
  ContextState& operator=(const ContextState&) = delete;
  ~ContextState();
};

/// The error for `status`: "cuLaunchKernel failed for kernel f: CUDA_ERROR_..., words; what to do".
Error driver_error(const DriverFunctions& driver, std::string_view call, std::string_view what,
                   CUresult status);

/// Nothing for success, else driver_error.
Result<void> check(const DriverFunctions& driver, std::string_view call, std::string_view what,
                   CUresult status);

}  // namespace lanescope::gpu
