// The first lines of a program of the driver's API, in the child process of a test.
#pragma once

#include <cuda.h>
#include <gtest/gtest.h>

namespace lanescope::driver {

/// Initializes the driver and makes the primary context current.
inline CUcontext start_program() {
  CUdevice device = -1;
  CUcontext context = nullptr;
  EXPECT_EQ(cuInit(0), CUDA_SUCCESS);
  EXPECT_EQ(cuDeviceGet(&device, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuDevicePrimaryCtxRetain(&context, device), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxSetCurrent(context), CUDA_SUCCESS);
  return context;
}

inline CUmodule load_module() {
  CUmodule module = nullptr;
  EXPECT_EQ(cuModuleLoadData(&module, ".version 8.0"), CUDA_SUCCESS);
  return module;
}

inline CUfunction kernel(CUmodule module, const char* name) {
  CUfunction function = nullptr;
  EXPECT_EQ(cuModuleGetFunction(&function, module, name), CUDA_SUCCESS) << name;
  return function;
}

inline CUresult launch(CUfunction function, void** values = nullptr) {
  return cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, values, nullptr);
}

inline CUdeviceptr allocate(size_t size) {
  CUdeviceptr address = 0;
  EXPECT_EQ(cuMemAlloc(&address, size), CUDA_SUCCESS);
  return address;
}

}  // namespace lanescope::driver
