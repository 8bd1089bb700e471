// Modules, kernels and launches as a program of the driver's API makes them, against a server without an
// emulator.

#include "driver/client/report.h"
#include "unit/driver/client/fake_server.h"
#include "unit/driver/client/program.h"

#include <cstring>

#include <cuda.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::driver {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

CUmodule module_of_a_new_program() {
  start_program();
  return load_module();
}

TEST(DriverLaunch, values_are_packed_at_the_offsets_of_the_parameters) {
  FakeServer server;
  in_program(server.path(), [] {
    const CUfunction mixed = kernel(module_of_a_new_program(), "mixed");
    char letter = 'x';
    double number = 1.5;
    int triple[3] = {1, 2, 3};
    void* values[] = {&letter, &number, triple};
    EXPECT_EQ(cuLaunchKernel(mixed, 4, 3, 2, 32, 2, 1, 256, nullptr, values, nullptr), CUDA_SUCCESS);
  });
  const FakeRecord record = server.record();
  ASSERT_EQ(record.launches.size(), 1u);
  const FakeLaunch& launch = record.launches[0];
  EXPECT_EQ(launch.kernel, "mixed");
  EXPECT_THAT(launch.shape.grid, ElementsAre(4, 3, 2));
  EXPECT_THAT(launch.shape.block, ElementsAre(32, 2, 1));
  EXPECT_EQ(launch.shape.dynamic_shared_bytes, 256u);
  EXPECT_THAT(launch.shape.cluster, ElementsAre(0, 0, 0));
  EXPECT_EQ(launch.shape.is_cooperative, 0u);
  EXPECT_EQ(launch.shape.stream, 0u);
  std::string expected(28, '\0');
  const double number = 1.5;
  const int triple[3] = {1, 2, 3};
  expected[0] = 'x';
  std::memcpy(&expected[8], &number, 8);
  std::memcpy(&expected[16], triple, 12);
  EXPECT_EQ(launch.parameters, expected);
}

TEST(DriverLaunch, a_launch_says_whether_a_call_has_written_memory_of_the_device_before) {
  FakeServer server;
  in_program(server.path(), [] {
    const CUfunction none = kernel(module_of_a_new_program(), "none");
    const CUdeviceptr device = allocate(16), other = allocate(16);
    void *pinned = nullptr, *values[] = {nullptr};
    char host[16] = "";
    const auto launch = [&] {
      EXPECT_EQ(cuLaunchKernel(none, 1, 1, 1, 1, 1, 1, 0, nullptr, values, nullptr), CUDA_SUCCESS);
    };
    EXPECT_EQ(cuMemHostAlloc(&pinned, 16, 0), CUDA_SUCCESS);
    launch();
    EXPECT_EQ(cuMemcpyDtoH(host, device, 16), CUDA_SUCCESS);
    EXPECT_EQ(cuMemcpyDtoH(pinned, device, 16), CUDA_SUCCESS);  // the server compares what the host writes
    launch();
    EXPECT_EQ(cuMemcpyHtoD(device, host, 16), CUDA_SUCCESS);
    launch();
    EXPECT_EQ(cuMemcpyDtoD(other, device, 16), CUDA_SUCCESS);
    launch();
    EXPECT_EQ(cuMemsetD8(device, 1, 16), CUDA_SUCCESS);
    launch();
    EXPECT_EQ(cuMemcpyHtoD(device, host, 17), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemcpyDtoH(host, device, 16), CUDA_SUCCESS);
    launch();
  });
  const FakeRecord record = server.record();
  ASSERT_EQ(record.launches.size(), 6u);
  const auto writes = [&](size_t n) { return record.launches[n].shape.writes; };
  EXPECT_EQ(writes(0), 0u);
  EXPECT_EQ(writes(1), 0u);
  for (size_t n = 2; n < 5; ++n) EXPECT_GT(writes(n), writes(n - 1));
  EXPECT_EQ(writes(5), writes(4)) << "the copy was refused";
}

TEST(DriverLaunch, packed_parameters_arrive_as_they_are) {
  FakeServer server;
  in_program(server.path(), [] {
    const CUfunction add = kernel(module_of_a_new_program(), "add");
    char packed[32] = "abcdefghijklmnopqrstuvwxyz01234";
    size_t size = 28;
    void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                     CU_LAUNCH_PARAM_END};
    EXPECT_EQ(cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra), CUDA_SUCCESS);
    size = 27;
    EXPECT_EQ(cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra), CUDA_ERROR_INVALID_VALUE);
  });
  const FakeRecord record = server.record();
  ASSERT_EQ(record.launches.size(), 1u);
  EXPECT_EQ(record.launches[0].parameters, "abcdefghijklmnopqrstuvwxyz01");
}

TEST(DriverLaunch, a_wrong_shape_is_refused_with_a_sentence) {
  FakeServer server;
  const Outcome outcome = in_program(server.path(), [] {
    const CUfunction none = kernel(module_of_a_new_program(), "none");
    const CUresult wrong = CUDA_ERROR_INVALID_VALUE;
    EXPECT_EQ(cuLaunchKernel(none, 0, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr), wrong);
    EXPECT_EQ(cuLaunchKernel(none, 1, 70000, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr), wrong);
    EXPECT_EQ(cuLaunchKernel(none, 1, 1, 1, 1025, 1, 1, 0, nullptr, nullptr, nullptr), wrong);
    EXPECT_EQ(cuLaunchKernel(none, 1, 1, 1, 64, 32, 1, 0, nullptr, nullptr, nullptr), wrong);
    EXPECT_EQ(cuLaunchKernel(none, 1, 1, 1, 32, 1, 1, 49152, nullptr, nullptr, nullptr), wrong);
    EXPECT_EQ(cuFuncSetAttribute(none, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 49152), CUDA_SUCCESS);
    EXPECT_EQ(cuLaunchKernel(none, 1, 1, 1, 32, 1, 1, 49152, nullptr, nullptr, nullptr), CUDA_SUCCESS);
    EXPECT_EQ(cuFuncSetAttribute(none, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 20), wrong);
  });
  EXPECT_EQ(server.record().launches.size(), 1u);
  EXPECT_THAT(outcome.errors,
              HasSubstr("lanescope: none: the block has 2048 threads, at most 1024 are allowed"));
}

TEST(DriverLaunch, sentences_name_a_kernel_as_its_source_does) {
  FakeServer server;
  const Outcome outcome = in_program(server.path(), [] {
    const CUmodule module = module_of_a_new_program();
    for (const char* name : {"_Z6scaledILi16EEvPf", "_ZN6cudapy8__main__5innerB2v1E",
                             "__nv_static_22__18d053db_5_st_cu_main__Z5ownedPf"}) {
      const char* found = nullptr;
      EXPECT_EQ(cuLaunchKernel(kernel(module, name), 0, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr),
                CUDA_ERROR_INVALID_VALUE);
      EXPECT_EQ(cuFuncGetName(&found, kernel(module, name)), CUDA_SUCCESS);
      EXPECT_STREQ(found, name);
    }
  });
  EXPECT_THAT(outcome.errors, HasSubstr("lanescope: scaled: the grid has 0 blocks along x"));
  EXPECT_THAT(outcome.errors, HasSubstr("lanescope: inner: the grid has 0 blocks along x"));
  EXPECT_THAT(outcome.errors, HasSubstr("lanescope: owned: the grid has 0 blocks along x"));
}

TEST(DriverLaunch, attributes_ask_for_clusters_and_cooperation) {
  FakeServer server;
  in_program(server.path(), [] {
    const CUfunction none = kernel(module_of_a_new_program(), "none");
    CUlaunchAttribute attributes[2] = {};
    attributes[0].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    attributes[0].value.clusterDim.x = 2;
    attributes[0].value.clusterDim.y = attributes[0].value.clusterDim.z = 1;
    attributes[1].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    attributes[1].value.cooperative = 1;
    CUlaunchConfig shape{};
    shape.gridDimX = 4;
    shape.gridDimY = shape.gridDimZ = shape.blockDimX = shape.blockDimY = shape.blockDimZ = 1;
    shape.attrs = attributes;
    shape.numAttrs = 2;
    EXPECT_EQ(cuLaunchKernelEx(&shape, none, nullptr, nullptr), CUDA_SUCCESS);
    shape.gridDimX = 3;
    EXPECT_EQ(cuLaunchKernelEx(&shape, none, nullptr, nullptr), CUDA_ERROR_INVALID_VALUE);
    // Two multiprocessors of 2048 threads: two blocks of 1024 threads each.
    EXPECT_EQ(cuLaunchCooperativeKernel(none, 4, 1, 1, 1024, 1, 1, 0, nullptr, nullptr), CUDA_SUCCESS);
    EXPECT_EQ(cuLaunchCooperativeKernel(none, 5, 1, 1, 1024, 1, 1, 0, nullptr, nullptr),
              CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
  });
  const FakeRecord record = server.record();
  ASSERT_EQ(record.launches.size(), 2u);
  EXPECT_THAT(record.launches[0].shape.cluster, ElementsAre(2, 1, 1));
  EXPECT_EQ(record.launches[0].shape.is_cooperative, 1u);
  EXPECT_EQ(record.launches[1].shape.is_cooperative, 1u);
}

TEST(DriverLaunch, what_a_kernel_prints_is_the_programs_output_and_a_failure_stays) {
  FakeServer server;
  const Outcome outcome = in_program(server.path(), [] {
    const CUmodule module = module_of_a_new_program();
    EXPECT_EQ(cuLaunchKernel(kernel(module, "fails"), 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr),
              CUDA_ERROR_ILLEGAL_ADDRESS);
    CUdeviceptr memory = 0;
    CUevent event = nullptr;
    char byte = 0;
    EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT_EQ(cuStreamSynchronize(nullptr), CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT_EQ(cuMemAlloc_v2(&memory, 16), CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT_EQ(cuMemcpyDtoH(&byte, kFirstAddress, 1), CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT_EQ(cuMemFree(kFirstAddress), CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT_EQ(cuEventCreate(&event, 0), CUDA_ERROR_ILLEGAL_ADDRESS);
    const CUfunction next = kernel(module, "prints");
    EXPECT_EQ(launch(next), CUDA_ERROR_ILLEGAL_ADDRESS);
    lanescopeFree(lanescopeLaunches());  // the cell of a notebook is over
    EXPECT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
    EXPECT_EQ(launch(next), CUDA_SUCCESS);
  });
  EXPECT_EQ(outcome.output, "start\nhello from the kernel\n");
  EXPECT_EQ(outcome.errors, "lanescope: line 7 stores behind the end\n");
}

TEST(DriverLaunch, streams_have_numbers_of_their_own) {
  FakeServer server;
  in_program(server.path(), [] {
    const CUfunction none = kernel(module_of_a_new_program(), "none");
    CUstream first = nullptr, second = nullptr;
    EXPECT_EQ(cuStreamCreate(&first, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
    EXPECT_EQ(cuStreamCreate(&second, 0), CUDA_SUCCESS);
    for (const CUstream stream : {first, second, CU_STREAM_LEGACY, CU_STREAM_PER_THREAD})
      EXPECT_EQ(cuLaunchKernel(none, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr), CUDA_SUCCESS);
    EXPECT_EQ(cuStreamDestroy(first), CUDA_SUCCESS);
    EXPECT_EQ(cuLaunchKernel(none, 1, 1, 1, 1, 1, 1, 0, first, nullptr, nullptr), CUDA_ERROR_INVALID_HANDLE);
  });
  std::vector<uint64_t> streams;
  for (const FakeLaunch& each : server.record().launches) streams.push_back(each.shape.stream);
  EXPECT_THAT(streams, ElementsAre(3, 4, 0, 2));
}

TEST(DriverLaunch, a_kernel_says_its_parameters_name_and_limits) {
  FakeServer server;
  in_program(server.path(), [] {
    const CUmodule module = module_of_a_new_program();
    const CUfunction mixed = kernel(module, "mixed");
    size_t offset = 0, size = 0;
    EXPECT_EQ(cuFuncGetParamInfo(mixed, 2, &offset, &size), CUDA_SUCCESS);
    EXPECT_EQ(offset, 16u);
    EXPECT_EQ(size, 12u);
    EXPECT_EQ(cuFuncGetParamInfo(mixed, 3, &offset, &size), CUDA_ERROR_INVALID_VALUE);
    const char* name = nullptr;
    EXPECT_EQ(cuFuncGetName(&name, mixed), CUDA_SUCCESS);
    EXPECT_STREQ(name, "mixed");
    CUmodule owner = nullptr;
    EXPECT_EQ(cuFuncGetModule(&owner, mixed), CUDA_SUCCESS);
    EXPECT_EQ(owner, module);
    int value = 0;
    EXPECT_EQ(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, mixed), CUDA_SUCCESS);
    EXPECT_EQ(value, 1024);
    EXPECT_EQ(cuOccupancyMaxActiveBlocksPerMultiprocessor(&value, mixed, 256, 0), CUDA_SUCCESS);
    EXPECT_EQ(value, 8);  // 2048 threads
    EXPECT_EQ(cuOccupancyMaxActiveBlocksPerMultiprocessor(&value, mixed, 32, 40960), CUDA_SUCCESS);
    EXPECT_EQ(value, 3);  // 167936 bytes / (40960 + 1024 of the kernel + 1024 reserved)
    int grid = 0, block = 0;
    EXPECT_EQ(cuOccupancyMaxPotentialBlockSize(&grid, &block, mixed, nullptr, 0, 0), CUDA_SUCCESS);
    EXPECT_EQ(block, 1024);
    EXPECT_EQ(grid, 4);
    unsigned int count = 0;
    EXPECT_EQ(cuModuleGetFunctionCount(&count, module), CUDA_SUCCESS);
    EXPECT_EQ(count, 10u);
    CUfunction all[8] = {};
    EXPECT_EQ(cuModuleEnumerateFunctions(all, 8, module), CUDA_SUCCESS);
    EXPECT_EQ(all[1], mixed);
  });
}

TEST(DriverLaunch, wrong_handles_are_refused) {
  FakeServer server;
  in_program(server.path(), [] {
    const CUmodule module = module_of_a_new_program();
    const CUfunction none = kernel(module, "none");
    int anything = 0;
    CUfunction function = nullptr;
    EXPECT_EQ(cuModuleGetFunction(&function, reinterpret_cast<CUmodule>(&anything), "none"),
              CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuModuleGetFunction(&function, reinterpret_cast<CUmodule>(none), "none"),
              CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuModuleGetFunction(&function, module, "missing"), CUDA_ERROR_NOT_FOUND);
    EXPECT_EQ(cuModuleUnload(module), CUDA_SUCCESS);
    EXPECT_EQ(cuModuleUnload(module), CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuLaunchKernel(none, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr),
              CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuEventRecord(nullptr, nullptr), CUDA_ERROR_INVALID_HANDLE);
  });
  EXPECT_EQ(server.record().unloaded, 1u);
}

TEST(DriverLaunch, the_sentence_of_a_module_that_does_not_load_is_in_its_error_log) {
  FakeServer server;
  const Outcome outcome = in_program(server.path(), [] {
    module_of_a_new_program();
    CUmodule module = nullptr;
    char log[256] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER};
    void* values[] = {reinterpret_cast<void*>(sizeof log), log};
    EXPECT_EQ(cuModuleLoadDataEx(&module, "wrong", 2, options, values), CUDA_ERROR_INVALID_PTX);
    EXPECT_STREQ(log, "line 1: `wrong` is no directive");
    EXPECT_EQ(reinterpret_cast<size_t>(values[0]), std::strlen(log));
    log[5] = '#';
    values[0] = reinterpret_cast<void*>(size_t{5});  // less room than the sentence needs
    EXPECT_EQ(cuModuleLoadDataEx(&module, "wrong", 2, options, values), CUDA_ERROR_INVALID_PTX);
    EXPECT_EQ(std::string(log, 6), std::string("line\0#", 6));
  });
  EXPECT_THAT(outcome.errors, HasSubstr("lanescope: cuModuleLoadData: line 1: `wrong` is no directive"));
}

TEST(DriverLink, one_text_is_passed_through_and_several_follow_each_other_under_one_header) {
  FakeServer server;
  const Outcome outcome = in_program(server.path(), [] {
    module_of_a_new_program();
    CUlinkState link = nullptr;
    void* image = nullptr;
    size_t size = 0;
    char first[] = ".version 8.0\n.target sm_80\n.func a\n",
         second[] = ".version 7.0\n .target sm_75\n.func b";
    EXPECT_EQ(cuLinkCreate(0, nullptr, nullptr, &link), CUDA_SUCCESS);
    EXPECT_EQ(cuLinkAddData(link, CU_JIT_INPUT_PTX, first, sizeof first, "first", 0, nullptr, nullptr),
              CUDA_SUCCESS);
    EXPECT_EQ(cuLinkComplete(link, &image, &size), CUDA_SUCCESS);
    EXPECT_STREQ(static_cast<char*>(image), first);
    EXPECT_EQ(cuLinkAddData(link, CU_JIT_INPUT_PTX, second, sizeof second, "second", 0, nullptr, nullptr),
              CUDA_SUCCESS);
    char elf[] = "\177ELF...";
    EXPECT_EQ(cuLinkAddData(link, CU_JIT_INPUT_CUBIN, elf, sizeof elf, "machine.cubin", 0, nullptr, nullptr),
              CUDA_ERROR_NO_BINARY_FOR_GPU);
    EXPECT_EQ(cuLinkComplete(link, &image, &size), CUDA_SUCCESS);
    EXPECT_STREQ(static_cast<char*>(image), ".version 8.0\n.target sm_80\n.func a\n\n\n\n.func b");
    EXPECT_EQ(size, std::strlen(static_cast<char*>(image)) + 1);
    EXPECT_EQ(cuLinkDestroy(link), CUDA_SUCCESS);
    EXPECT_EQ(cuLinkDestroy(link), CUDA_ERROR_INVALID_HANDLE);
  });
  EXPECT_THAT(outcome.errors, HasSubstr("machine.cubin cannot be linked: it is machine code"));
}

}  // namespace
}  // namespace lanescope::driver
