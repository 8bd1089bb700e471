// The life of a program's connection: without a server, with one that goes away, in children and in many
// threads; the look-up of functions, and those that are not supported.

#include "driver/client/report.h"
#include "unit/driver/client/fake_server.h"
#include "unit/driver/client/program.h"

#include <atomic>
#include <cstring>
#include <thread>

#include <cuda.h>
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lanescope::driver {
namespace {

using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

/// The exit status of a child that returns whether `body` was right.
template <typename Body>
int status_of_child(Body body) {
  const pid_t child = fork();
  if (child == 0) _exit(body() ? 0 : 1);
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

TEST(DriverConnection, without_a_server_there_is_no_device) {
  in_program("", [] {
    EXPECT_EQ(cuInit(0), CUDA_ERROR_NO_DEVICE);
    int count = 7;
    EXPECT_EQ(cuDeviceGetCount(&count), CUDA_ERROR_NOT_INITIALIZED);
    EXPECT_EQ(cuDriverGetVersion(&count), CUDA_SUCCESS);
    EXPECT_EQ(count, CUDA_VERSION);
  });
}

TEST(DriverConnection, a_server_that_does_not_answer_is_said_so) {
  const Outcome outcome =
      in_program("/nowhere/socket", [] { EXPECT_EQ(cuInit(0), CUDA_ERROR_DEVICE_UNAVAILABLE); });
  EXPECT_THAT(outcome.errors,
              HasSubstr("lanescope: `lanescope run` does not answer at /nowhere/socket: No such file"));
}

TEST(DriverConnection, no_visible_device_is_no_device) {
  FakeServer server;
  in_program(server.path(), [] {
    setenv("CUDA_VISIBLE_DEVICES", "", 1);
    EXPECT_EQ(cuInit(0), CUDA_ERROR_NO_DEVICE);
    setenv("CUDA_VISIBLE_DEVICES", "0", 1);
    EXPECT_EQ(cuInit(1), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuInit(0), CUDA_SUCCESS);
  });
}

TEST(DriverConnection, the_device_is_what_the_server_says) {
  FakeServer server;
  in_program(server.path(), [] {
    start_program();
    char name[96] = "", cut[5] = "";
    int major = 0, minor = 0, threads = 0, unknown = -1;
    size_t bytes = 0;
    EXPECT_EQ(cuDeviceGetName(name, sizeof name, 0), CUDA_SUCCESS);
    EXPECT_STREQ(name, "Fake device (sm_80)");
    EXPECT_EQ(cuDeviceGetName(cut, sizeof cut, 0), CUDA_SUCCESS);
    EXPECT_STREQ(cut, "Fake");
    EXPECT_EQ(cuDeviceComputeCapability(&major, &minor, 0), CUDA_SUCCESS);
    EXPECT_EQ(major * 10 + minor, 80);
    EXPECT_EQ(cuDeviceTotalMem(&bytes, 0), CUDA_SUCCESS);
    EXPECT_EQ(bytes, size_t{8} << 30);
    EXPECT_EQ(cuDeviceGetAttribute(&threads, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 0), CUDA_SUCCESS);
    EXPECT_EQ(threads, 1024);
    EXPECT_EQ(cuDeviceGetAttribute(&threads, static_cast<CUdevice_attribute>(unknown), 0),
              CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuDeviceGetAttribute(&threads, CU_DEVICE_ATTRIBUTE_MAX, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuDeviceGetName(name, sizeof name, 1), CUDA_ERROR_INVALID_DEVICE);
  });
  EXPECT_THAT(server.record().command_lines.at(0), HasSubstr("driver_client_tests"));
}

TEST(DriverConnection, a_server_that_goes_away_is_one_sentence_and_no_crash) {
  FakeServer server;
  const Outcome outcome = in_program(server.path(), [] {
    start_program();
    const CUfunction dies = kernel(load_module(), "dies");
    const CUdeviceptr device = allocate(16);
    EXPECT_EQ(launch(dies), CUDA_ERROR_DEVICE_UNAVAILABLE);
    EXPECT_EQ(launch(dies), CUDA_ERROR_DEVICE_UNAVAILABLE);
    CUdeviceptr other = 0;
    EXPECT_EQ(cuMemAlloc(&other, 16), CUDA_ERROR_DEVICE_UNAVAILABLE);
    EXPECT_EQ(cuMemFree(device), CUDA_ERROR_DEVICE_UNAVAILABLE);
    EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_DEVICE_UNAVAILABLE);
  });
  EXPECT_EQ(outcome.errors,
            "lanescope: `lanescope run` has gone (its socket is closed); no kernel runs from here on\n");
}

TEST(DriverConnection, a_child_of_a_program_that_uses_the_driver_has_lost_it) {
  FakeServer server;
  in_program(server.path(), [] {
    start_program();
    const CUfunction none = kernel(load_module(), "none");
    EXPECT_EQ(status_of_child([&] {
                CUcontext context;
                return cuInit(0) == CUDA_ERROR_NOT_INITIALIZED &&
                       launch(none) == CUDA_ERROR_NOT_INITIALIZED &&
                       cuCtxGetCurrent(&context) == CUDA_ERROR_NOT_INITIALIZED;
              }),
              0);
    EXPECT_EQ(launch(none), CUDA_SUCCESS);  // the parent's connection is as it was
  });
}

TEST(DriverConnection, children_that_use_the_driver_first_have_connections_of_their_own) {
  FakeServer server;
  in_program(server.path(), [] {
    lanescopeAddSource("cell", "text");  // connects, without cuInit
    for (int n = 0; n < 2; ++n)
      EXPECT_EQ(status_of_child(
                    [] { return launch((start_program(), kernel(load_module(), "none"))) == CUDA_SUCCESS; }),
                0);
    start_program();
    EXPECT_EQ(launch(kernel(load_module(), "none")), CUDA_SUCCESS);
  });
  EXPECT_EQ(server.record().command_lines.size(), 3u);
  EXPECT_EQ(server.record().launches.size(), 3u);
}

TEST(DriverConnection, sixty_four_threads_work_at_once) {
  FakeServer server;
  in_program(server.path(), [] {
    const CUcontext context = start_program();
    const CUmodule module = load_module();
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int n = 0; n < 64; ++n)
      threads.emplace_back([&, n] {
        CUcontext current = context;
        wrong +=
            cuCtxGetCurrent(&current) != CUDA_SUCCESS || current != nullptr;  // a thread begins without one
        wrong += cuCtxSetCurrent(context) != CUDA_SUCCESS;
        CUfunction add = nullptr;
        CUstream stream = nullptr;
        wrong += cuModuleGetFunction(&add, module, "add") != CUDA_SUCCESS;
        wrong += cuStreamCreate(&stream, 0) != CUDA_SUCCESS;
        for (int round = 0; round < 20; ++round) {
          CUdeviceptr device = 0;
          int written = 1000 * n + round, read = 0;
          void* values[] = {&device, &device, &device, &written};
          // One after the other: the fake server gives addresses again after sixty.
          static std::atomic_flag busy;
          while (busy.test_and_set()) std::this_thread::yield();
          wrong += cuMemAlloc(&device, 4) != CUDA_SUCCESS;
          wrong += cuMemcpyHtoDAsync(device, &written, 4, stream) != CUDA_SUCCESS;
          wrong += cuMemcpyDtoH(&read, device, 4) != CUDA_SUCCESS || read != written;
          wrong += cuMemFree(device) != CUDA_SUCCESS;
          busy.clear();
          wrong += cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, stream, values, nullptr) != CUDA_SUCCESS;
        }
        wrong += cuStreamDestroy(stream) != CUDA_SUCCESS;
      });
    for (std::thread& each : threads) each.join();
    EXPECT_EQ(wrong, 0);
  });
  EXPECT_EQ(server.record().launches.size(), 64u * 20);
  EXPECT_EQ(server.record().allocated, server.record().freed);
}

TEST(DriverConnection, what_is_not_supported_is_counted_and_said_once) {
  FakeServer server;
  const Outcome outcome = in_program(server.path(), [] {
    EXPECT_EQ(cuDestroyExternalMemory(nullptr), CUDA_ERROR_NOT_INITIALIZED);
    start_program();
    for (int n = 0; n < 3; ++n) EXPECT_EQ(cuDestroyExternalMemory(nullptr), CUDA_ERROR_NOT_SUPPORTED);
    CUtexref texture = nullptr;
    EXPECT_EQ(cuTexRefCreate(&texture), CUDA_ERROR_NOT_SUPPORTED);
  });
  EXPECT_THAT(server.record().unsupported,
              ElementsAre(Pair("cuDestroyExternalMemory", 3), Pair("cuTexRefCreate", 1)));
  EXPECT_EQ(
      outcome.errors,
      "lanescope: cuDestroyExternalMemory is not supported\nlanescope: cuTexRefCreate is not supported\n");
}

TEST(DriverConnection, only_nvidias_runtime_is_told_to_be_linked_again) {
  FakeServer server;
  in_program(server.path(), [] {
    start_program();
    const void* table = "";
    CUuuid id{};
    EXPECT_EQ(cuGetExportTable(&table, &id), CUDA_ERROR_NOT_FOUND);
    EXPECT_EQ(table, nullptr);
    std::memcpy(id.bytes, "\x6b\xd5\xfb\x6c\x5b\xf4\xe7\x4a\x89\x87\xd9\x39\x12\xfd\x9d\xf9", 16);
    for (int n = 0; n < 2; ++n) EXPECT_EQ(cuGetExportTable(&table, &id), CUDA_ERROR_NOT_FOUND);
  });
  EXPECT_THAT(
      server.record().notes,
      ElementsAre(ContainsRegex("driver_client_tests contains NVIDIA's CUDA runtime.*nvcc -cudart shared")));
}

TEST(DriverConnection, python_hands_over_sources_and_reads_the_launches) {
  FakeServer server;
  in_program(server.path(), [] {
    lanescopeAddSource("<ipython-input-1>", "a = 1\n");
    char* launches = lanescopeLaunches();
    EXPECT_STREQ(launches, R"([{"kernel":"add"}])");
    lanescopeFree(launches);
  });
  EXPECT_THAT(server.record().sources, ElementsAre(Pair("<ipython-input-1>", "a = 1\n")));
}

template <typename Function>
void* look_up(const char* name, int version, Function expected, cuuint64_t flags = 0) {
  void* found = nullptr;
  CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  EXPECT_EQ(cuGetProcAddress(name, &found, version, flags, &status), CUDA_SUCCESS) << name;
  EXPECT_EQ(status, CU_GET_PROC_ADDRESS_SUCCESS);
  EXPECT_EQ(found, reinterpret_cast<void*>(expected)) << name << " of " << version;
  return found;
}

}  // namespace

// As cuda.h declares them for who asks for the default stream of a thread.
extern "C" CUresult cuMemcpy_ptds(CUdeviceptr to, CUdeviceptr from, size_t size);
extern "C" CUresult cuStreamSynchronize_ptsz(CUstream stream);
#undef cuMemAlloc
extern "C" CUresult cuMemAlloc(unsigned int* address, unsigned int size);

namespace {

TEST(DriverProcedures, the_newest_of_a_version_is_found_by_its_name) {
  look_up("cuMemAlloc", 12000, cuMemAlloc_v2);
  look_up("cuMemAlloc", 2000, cuMemAlloc);
  look_up("cuInit", 13000, cuInit);
  look_up("cuGetProcAddress", 12000, cuGetProcAddress_v2);
  look_up("cuMemcpy", 13000, cuMemcpy);
  look_up("cuMemcpy", 13000, cuMemcpy_ptds, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM);
  look_up("cuStreamSynchronize", 13000, cuStreamSynchronize_ptsz,
          CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM);
  look_up("cuLinkCreate", 13000, cuLinkCreate);
  look_up("cuLinkDestroy", 13000, cuLinkDestroy);
  look_up("cuProfilerStart", 13000, dlsym(RTLD_DEFAULT, "cuProfilerStart"));
}

// As measured with driver 13.0 on an H200.
TEST(DriverProcedures, what_is_not_there_says_why) {
  void* found = &found;
  CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SUCCESS;
  EXPECT_EQ(cuGetProcAddress("cuMagic", &found, 13000, 0, &status), CUDA_SUCCESS);
  EXPECT_EQ(status, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  EXPECT_EQ(found, nullptr);
  for (const auto& [name, version] : {std::pair("cuLibraryLoadData", 11000), std::pair("cuInit", 0)}) {
    found = &found;
    EXPECT_EQ(cuGetProcAddress(name, &found, version, 0, &status), CUDA_SUCCESS);
    EXPECT_EQ(status, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
    EXPECT_EQ(found, nullptr);
    EXPECT_EQ(cuGetProcAddress(name, &found, version, 0, nullptr), CUDA_SUCCESS);
  }
  EXPECT_EQ(cuGetProcAddress("cuInit", &found, CUDA_VERSION + 10, 0, &status), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuGetProcAddress(nullptr, &found, 13000, 0, &status), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuGetProcAddress("cuInit", &found, 13000, 1 << 10, &status), CUDA_ERROR_INVALID_VALUE);
}

TEST(DriverProcedures, the_function_of_cuda_11_answers_not_found) {
  void* known = nullptr;
  ASSERT_EQ(cuGetProcAddress("cuGetProcAddress", &known, 11030, 0, nullptr), CUDA_SUCCESS);
  const auto older = reinterpret_cast<CUresult (*)(const char*, void**, int, cuuint64_t)>(known);
  void* found = &found;
  EXPECT_EQ(older("cuMagic", &found, 13000, 0), CUDA_ERROR_NOT_FOUND);
  EXPECT_EQ(older("cuInit", &found, 0, 0), CUDA_ERROR_NOT_FOUND);
  EXPECT_EQ(found, &found);
  EXPECT_EQ(older("cuInit", &found, CUDA_VERSION + 10, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(older("cuInit", &found, 11030, 0), CUDA_SUCCESS);
  EXPECT_EQ(found, reinterpret_cast<void*>(cuInit));
}

TEST(DriverProcedures, every_error_has_a_name_and_a_text) {
  const char* text = nullptr;
  int unknown = 12345;
  EXPECT_EQ(cuGetErrorName(CUDA_ERROR_INVALID_VALUE, &text), CUDA_SUCCESS);
  EXPECT_STREQ(text, "CUDA_ERROR_INVALID_VALUE");
  EXPECT_EQ(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text), CUDA_SUCCESS);
  EXPECT_STREQ(text, "out of memory");
  EXPECT_EQ(cuGetErrorString(CUDA_SUCCESS, &text), CUDA_SUCCESS);
  EXPECT_STREQ(text, "no error");
  EXPECT_EQ(cuGetErrorName(CUDA_ERROR_UNKNOWN, &text), CUDA_SUCCESS);
  EXPECT_EQ(cuGetErrorName(static_cast<CUresult>(unknown), &text), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(text, nullptr);
}

}  // namespace
}  // namespace lanescope::driver
