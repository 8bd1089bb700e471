// libcudart.so: the runtime on the documented functions of the driver, for programs that nvcc -cudart shared
// linked. Method: one library for CUDA 11, 12 and 13, built three times with another soname; older.c has what
// 13 changed. A thread works in the primary context unless it has another; an error is kept for its thread
// until cudaGetLastError. Test: tests/unit/driver/client/runtime_test.cpp
#pragma once

#include <cuda.h>
#pragma GCC visibility push(default)
#include <cuda_runtime_api.h>
#pragma GCC visibility pop

#define EXPORTED __attribute__((visibility("default")))

/// Initializes the driver, and gives the thread the primary context if it has none.
CUresult start_runtime(void);

/// The error of the same number, kept for the thread.
cudaError_t answer(CUresult result);
cudaError_t answer_error(cudaError_t error);

/// Leaves the function with the answer of `expression`, evaluated after start_runtime().
#define ANSWER(expression)                                                           \
  do {                                                                               \
    const CUresult result_of_start = start_runtime();                                \
    return answer(result_of_start != CUDA_SUCCESS ? result_of_start : (expression)); \
  } while (0)

/// CUDA_ERROR_INVALID_DEVICE where it is not the one there is.
CUresult check_device_number(int device);

/// The kernel of a host function, or a cudaKernel_t itself; its module is loaded. CUDA_ERROR_INVALID_HANDLE:
/// neither.
CUresult kernel_of(const void* symbol, CUfunction* kernel);

/// The variable of a host symbol. CUDA_ERROR_NOT_FOUND.
CUresult variable_of(const void* symbol, CUdeviceptr* address, size_t* size);

/// All modules leave the device, and are loaded anew when they are needed.
void unload_binaries(void);

static inline CUdeviceptr device_pointer(const void* pointer) { return (CUdeviceptr)(uintptr_t)pointer; }
