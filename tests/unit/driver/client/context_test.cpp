// Contexts: each thread's stack of them, and what goes with a context. Streams and events.

#include "unit/driver/client/fake_server.h"
#include "unit/driver/client/program.h"

#include <thread>

#include <cuda.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::driver {
namespace {

CUcontext current() {
  CUcontext context = nullptr;
  EXPECT_EQ(cuCtxGetCurrent(&context), CUDA_SUCCESS);
  return context;
}

TEST(DriverContext, a_thread_has_a_stack_of_its_own) {
  FakeServer server;
  in_program(server.path(), [] {
    const CUcontext primary = start_program();
    CUcontext made = nullptr, popped = nullptr;
    EXPECT_EQ(cuCtxCreate(&made, nullptr, 0, 0), CUDA_SUCCESS);
    EXPECT_EQ(current(), made);
    std::thread([&] {
      EXPECT_EQ(current(), nullptr);
      CUdeviceptr device = 0;
      EXPECT_EQ(cuMemAlloc(&device, 4), CUDA_ERROR_INVALID_CONTEXT);
      EXPECT_EQ(cuCtxPopCurrent(&popped), CUDA_ERROR_INVALID_CONTEXT);
      EXPECT_EQ(cuCtxPushCurrent(primary), CUDA_SUCCESS);
      EXPECT_EQ(cuMemAlloc(&device, 4), CUDA_SUCCESS);
    }).join();
    EXPECT_EQ(cuCtxPopCurrent(&popped), CUDA_SUCCESS);
    EXPECT_EQ(popped, made);
    EXPECT_EQ(current(), primary);
    EXPECT_EQ(cuCtxSetCurrent(made), CUDA_SUCCESS);  // in the place of the primary one
    EXPECT_EQ(cuCtxSetCurrent(nullptr), CUDA_SUCCESS);
    EXPECT_EQ(current(), nullptr);
    EXPECT_EQ(cuCtxPushCurrent(reinterpret_cast<CUcontext>(&popped)), CUDA_ERROR_INVALID_CONTEXT);
  });
}

TEST(DriverContext, what_was_made_in_a_context_goes_with_it) {
  FakeServer server;
  in_program(server.path(), [] {
    const CUcontext primary = start_program();
    const CUdeviceptr kept = allocate(4);
    CUcontext made = nullptr;
    EXPECT_EQ(cuCtxCreate(&made, nullptr, 0, 0), CUDA_SUCCESS);
    const CUmodule module = load_module();
    const CUdeviceptr lost = allocate(4);
    CUstream stream = nullptr;
    CUevent event = nullptr;
    EXPECT_EQ(cuStreamCreate(&stream, 0), CUDA_SUCCESS);
    EXPECT_EQ(cuEventCreate(&event, 0), CUDA_SUCCESS);
    EXPECT_EQ(cuCtxDestroy(made), CUDA_SUCCESS);
    EXPECT_EQ(current(), primary);
    EXPECT_EQ(cuModuleUnload(module), CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuStreamSynchronize(stream), CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuEventSynchronize(event), CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuMemsetD8(lost, 0, 4), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemsetD8(kept, 0, 4), CUDA_SUCCESS);
    EXPECT_EQ(cuCtxDestroy(made), CUDA_ERROR_INVALID_CONTEXT);
  });
  EXPECT_EQ(server.record().freed, 1u);
  EXPECT_EQ(server.record().unloaded, 1u);
}

TEST(DriverContext, a_context_that_another_thread_destroyed_is_noticed) {
  FakeServer server;
  in_program(server.path(), [] {
    start_program();
    CUcontext made = nullptr;
    EXPECT_EQ(cuCtxCreate(&made, nullptr, 0, 0), CUDA_SUCCESS);
    std::thread([&] { EXPECT_EQ(cuCtxDestroy(made), CUDA_SUCCESS); }).join();
    EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  });
}

TEST(DriverContext, the_primary_one_lives_until_it_was_released_as_often_as_retained) {
  FakeServer server;
  in_program(server.path(), [] {
    const CUcontext primary = start_program();
    CUcontext again = nullptr;
    unsigned int flags = 7;
    int is_active = 0;
    EXPECT_EQ(cuDevicePrimaryCtxRetain(&again, 0), CUDA_SUCCESS);
    EXPECT_EQ(again, primary);
    allocate(4);
    EXPECT_EQ(cuDevicePrimaryCtxRelease(0), CUDA_SUCCESS);
    EXPECT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
    EXPECT_EQ(cuDevicePrimaryCtxRelease(0), CUDA_SUCCESS);
    EXPECT_EQ(cuDevicePrimaryCtxGetState(0, &flags, &is_active), CUDA_SUCCESS);
    EXPECT_EQ(is_active, 0);
    EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_CONTEXT_IS_DESTROYED);
    EXPECT_EQ(cuDevicePrimaryCtxRelease(0), CUDA_ERROR_INVALID_CONTEXT);
    EXPECT_EQ(cuDevicePrimaryCtxRetain(&again, 0), CUDA_SUCCESS);
    EXPECT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
  });
  EXPECT_EQ(server.record().freed, 1u);
}

TEST(DriverContext, limits_are_kept_by_context) {
  FakeServer server;
  in_program(server.path(), [] {
    start_program();
    size_t value = 0;
    EXPECT_EQ(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 64 << 20), CUDA_SUCCESS);
    EXPECT_EQ(cuCtxGetLimit(&value, CU_LIMIT_MALLOC_HEAP_SIZE), CUDA_SUCCESS);
    EXPECT_EQ(value, size_t{64} << 20);
    EXPECT_EQ(cuCtxGetLimit(&value, CU_LIMIT_MAX), CUDA_ERROR_UNSUPPORTED_LIMIT);
    CUcontext made = nullptr;
    EXPECT_EQ(cuCtxCreate(&made, nullptr, 0, 0), CUDA_SUCCESS);
    EXPECT_EQ(cuCtxGetLimit(&value, CU_LIMIT_MALLOC_HEAP_SIZE), CUDA_SUCCESS);
    EXPECT_EQ(value, size_t{8} << 20);
  });
}

TEST(DriverEvent, times_are_those_between_two_records) {
  FakeServer server;
  in_program(server.path(), [] {
    start_program();
    CUevent start = nullptr, end = nullptr, untimed = nullptr;
    float milliseconds = -1;
    EXPECT_EQ(cuEventCreate(&start, CU_EVENT_DEFAULT), CUDA_SUCCESS);
    EXPECT_EQ(cuEventCreate(&end, CU_EVENT_BLOCKING_SYNC), CUDA_SUCCESS);
    EXPECT_EQ(cuEventCreate(&untimed, CU_EVENT_DISABLE_TIMING), CUDA_SUCCESS);
    EXPECT_EQ(cuEventElapsedTime(&milliseconds, start, end), CUDA_ERROR_INVALID_HANDLE);  // not recorded
    EXPECT_EQ(cuEventRecord(start, nullptr), CUDA_SUCCESS);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(cuEventRecord(end, nullptr), CUDA_SUCCESS);
    EXPECT_EQ(cuEventRecord(untimed, nullptr), CUDA_SUCCESS);
    EXPECT_EQ(cuEventElapsedTime(&milliseconds, start, end), CUDA_SUCCESS);
    EXPECT_GE(milliseconds, 20);
    EXPECT_LT(milliseconds, 5000);
    EXPECT_EQ(cuEventElapsedTime(&milliseconds, start, untimed), CUDA_ERROR_INVALID_HANDLE);
  });
}

TEST(DriverStream, a_callback_has_run_when_the_call_returns) {
  FakeServer server;
  in_program(server.path(), [] {
    start_program();
    CUstream stream = nullptr;
    int calls = 0;
    EXPECT_EQ(cuStreamCreate(&stream, 0), CUDA_SUCCESS);
    EXPECT_EQ(cuLaunchHostFunc(stream, [](void* data) { ++*static_cast<int*>(data); }, &calls), CUDA_SUCCESS);
    EXPECT_EQ(
        cuStreamAddCallback(
            stream,
            [](CUstream, CUresult result, void* data) { *static_cast<int*>(data) += result == CUDA_SUCCESS; },
            &calls, 0),
        CUDA_SUCCESS);
    EXPECT_EQ(calls, 2);
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_ACTIVE;
    EXPECT_EQ(cuStreamIsCapturing(stream, &status), CUDA_SUCCESS);
    EXPECT_EQ(status, CU_STREAM_CAPTURE_STATUS_NONE);
    EXPECT_EQ(cuStreamDestroy(CU_STREAM_LEGACY), CUDA_ERROR_INVALID_HANDLE);
  });
}

}  // namespace
}  // namespace lanescope::driver
