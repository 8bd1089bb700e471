// libcudart.so: the runtime on the documented functions of the driver, for programs that nvcc -cudart shared
// linked. Method: one library for CUDA 11, 12 and 13, built three times with different sonames; older.c has
// the functions that 13 changed. A thread works in the primary context unless it has another; an error is
// kept for its thread until cudaGetLastError. Test: tests/unit/driver/client/runtime_test.cpp
#pragma once

#include <cuda.h>
#pragma GCC visibility push(default)
#include <cuda_runtime_api.h>
#pragma GCC visibility pop

#define EXPORTED __attribute__((visibility("default")))

/// Initializes the driver, and gives the thread the primary context if it has none.
CUresult start_runtime(void);

/// Error of the number of `result`, kept for the thread; cudaErrorUnknown if the runtime lacks the number.
cudaError_t answer(CUresult result);
cudaError_t answer_error(cudaError_t error);

/// Leaves the function with the answer of `expression`, evaluated after start_runtime().
#define ANSWER(expression)                                                           \
  do {                                                                               \
    const CUresult result_of_start = start_runtime();                                \
    return answer(result_of_start != CUDA_SUCCESS ? result_of_start : (expression)); \
  } while (0)

/// CUDA_ERROR_INVALID_DEVICE if there is no device of this number. After start_runtime().
CUresult check_device_number(int device);

/// Device of the thread's context; 0 if it has none.
int current_device(void);

/// Primary context of a device, retained at its first use. CUDA_ERROR_INVALID_DEVICE.
CUresult primary_context(int device, CUcontext* context);

/// Finds the kernel of a host function, or of a cudaKernel_t, and loads its module.
/// cudaErrorInvalidDeviceFunction if `symbol` is neither.
CUresult kernel_of(const void* symbol, CUfunction* kernel);

/// Host function of a kernel; the kernel itself if no host function is registered for it.
void* symbol_of(CUfunction kernel);

/// Finds the variable of a host symbol. cudaErrorInvalidSymbol if there is none.
CUresult variable_of(const void* symbol, CUdeviceptr* address, size_t* size);

/// Finds the address of `size` bytes at an offset in a variable. CUDA_ERROR_INVALID_VALUE if they exceed it.
CUresult place_in_variable(const void* symbol, size_t offset, size_t size, void** address);

/// Bytes of a texel of an array.
CUresult texel_bytes(cudaArray_const_t array, size_t* bytes);

/// Converts a copy to the driver's. cudaErrorInvalidMemcpyDirection; an error of an array.
CUresult convert_box(const struct cudaMemcpy3DParms* box, CUDA_MEMCPY3D* converted);

/// Adds a node of any kind to a graph.
CUresult add_any_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                      struct cudaGraphNodeParams* any);

/// Types of memory that a copy of `kind` expects.
CUmemorytype source_type(enum cudaMemcpyKind kind);
CUmemorytype destination_type(enum cudaMemcpyKind kind);

/// Unloads the modules of all binaries on a device; each is loaded again at its next use.
void unload_binaries(int device);

static inline CUdeviceptr device_pointer(const void* pointer) { return (CUdeviceptr)(uintptr_t)pointer; }
