// libcudart.so: what nvcc's host code registers and launches, and the common functions, as a program calls
// them. The old versions of the runtime are opened by name, since their functions have the same names.

#include "unit/driver/client/fake_server.h"

#include <cstddef>
#include <cstring>
#include <thread>

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

// As crt/host_runtime.h declares them for nvcc's host code.
extern "C" {
void** __cudaRegisterFatBinary(void* image);
void __cudaRegisterFatBinaryEnd(void** handle);
void __cudaUnregisterFatBinary(void** handle);
void __cudaRegisterFunction(void** handle, const char* host, char* device, const char* name, int limit,
                            uint3* thread, uint3* block, dim3* block_size, dim3* grid_size, int* warp_size);
void __cudaRegisterVar(void** handle, char* host, char* device, const char* name, int is_external,
                       size_t size, int is_constant, int is_global);
void __cudaRegisterManagedVar(void** handle, void** host, char* device, const char* name, int is_external,
                              size_t size, int is_constant, int is_global);
char __cudaInitModule(void** handle);
unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t stream);
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes, void* stream);
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** values, size_t shared_bytes,
                               cudaStream_t stream);
}

namespace lanescope::driver {
namespace {

using testing::ElementsAre;

// The host's counterparts of the kernels and variables: their addresses are what counts.
char add, fails, none, missing, table, wrong_table;
void* managed = nullptr;

struct {
  unsigned char header[16];
  char parts[4];
} const fat_binary{{0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0, 4, 0, 0, 0, 0, 0, 0, 0}, {'P', 'T', 'X', '.'}};

struct {
  int magic, version;
  const void *data, *reserved;
} wrapper{0x466243b1, 1, &fat_binary, nullptr};

/// What the code before main() does.
void** register_program() {
  void** handle = __cudaRegisterFatBinary(&wrapper);
  const auto kernel = [&](const char* host, const char* name) {
    __cudaRegisterFunction(handle, host, nullptr, name, -1, nullptr, nullptr, nullptr, nullptr, nullptr);
  };
  kernel(&add, "add");
  kernel(&fails, "fails");
  kernel(&none, "none");
  kernel(&missing, "missing");
  __cudaRegisterVar(handle, &table, nullptr, "table", 0, 64, 0, 0);
  __cudaRegisterVar(handle, &wrong_table, nullptr, "wrong_table", 0, 64, 0, 0);
  __cudaRegisterFatBinaryEnd(handle);
  return handle;
}

TEST(DriverRuntime, a_registered_kernel_is_launched_as_nvccs_code_does) {
  FakeServer server;
  in_program(server.path(), [] {
    register_program();
    float* device = nullptr;
    const float host[4] = {1, 2, 3, 4};
    float back[4] = {};
    EXPECT_EQ(cudaMalloc(reinterpret_cast<void**>(&device), sizeof host), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice), cudaSuccess);
    int count = 4;
    void* values[] = {&device, &device, &device, &count};

    // add<<<dim3(2, 3), 32, 8>>>(...)
    EXPECT_EQ(__cudaPushCallConfiguration({2, 3, 1}, {32, 1, 1}, 8, nullptr), 0u);
    dim3 grid{}, block{};
    size_t shared_bytes = 0;
    cudaStream_t stream = nullptr;
    cudaKernel_t kernel = nullptr;
    EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared_bytes, &stream), cudaSuccess);
    EXPECT_EQ(__cudaGetKernel(&kernel, &add), cudaSuccess);
    EXPECT_EQ(__cudaLaunchKernel(kernel, grid, block, values, shared_bytes, stream), cudaSuccess);
    EXPECT_EQ(cudaLaunchKernel(&add, grid, block, values, shared_bytes, stream), cudaSuccess);
    EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared_bytes, &stream),
              cudaErrorMissingConfiguration);

    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(back, device, sizeof host, cudaMemcpyDefault), cudaSuccess);
    EXPECT_THAT(back, ElementsAre(1, 2, 3, 4));
    EXPECT_EQ(cudaFree(device), cudaSuccess);
    EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
  });
  const FakeRecord record = server.record();
  EXPECT_THAT(record.modules, ElementsAre(std::string(reinterpret_cast<const char*>(&fat_binary), 20)));
  ASSERT_EQ(record.launches.size(), 2u);
  for (const FakeLaunch& each : record.launches) {
    EXPECT_EQ(each.kernel, "add");
    EXPECT_THAT(each.shape.grid, ElementsAre(2, 3, 1));
    EXPECT_THAT(each.shape.block, ElementsAre(32, 1, 1));
    EXPECT_EQ(each.shape.dynamic_shared_bytes, 8u);
    EXPECT_EQ(each.parameters.substr(24), std::string("\4\0\0\0", 4));
  }
}

TEST(DriverRuntime, the_failure_of_a_kernel_is_every_later_calls_and_every_threads) {
  FakeServer server;
  in_program(server.path(), [] {
    register_program();
    void* memory = nullptr;
    EXPECT_EQ(cudaLaunchKernel(&fails, {1, 1, 1}, {1, 1, 1}, nullptr, 0, nullptr), cudaErrorIllegalAddress);
    for (int again = 0; again < 2; ++again) {
      EXPECT_EQ(cudaPeekAtLastError(), cudaErrorIllegalAddress);
      EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
      EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
      EXPECT_EQ(cudaMalloc(&memory, 4), cudaErrorIllegalAddress);
      EXPECT_EQ(cudaMemset(&memory, 0, 1), cudaErrorIllegalAddress);
      EXPECT_EQ(cudaLaunchKernel(&none, {1, 1, 1}, {1, 1, 1}, nullptr, 0, nullptr), cudaErrorIllegalAddress);
    }
    std::thread([] { EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress); }).join();
  });
  EXPECT_EQ(server.record().launches.size(), 1u);
}

TEST(DriverRuntime, an_error_is_kept_for_its_thread_until_it_is_asked_for) {
  FakeServer server;
  in_program(server.path(), [] {
    register_program();
    void* memory = nullptr;
    EXPECT_EQ(cudaMalloc(&memory, 0), cudaSuccess);
    EXPECT_EQ(cudaMemset(&memory, 0, 1), cudaErrorInvalidValue);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);  // it does not clear it
    std::thread([] { EXPECT_EQ(cudaGetLastError(), cudaSuccess); }).join();
    EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    EXPECT_EQ(cudaLaunchKernel(&none, {1, 1, 1}, {2048, 1, 1}, nullptr, 0, nullptr),
              cudaErrorInvalidValue);  // CUDA 13's runtime, as on an H200
    EXPECT_EQ(cudaLaunchKernel(&none, {0, 1, 1}, {1, 1, 1}, nullptr, 0, nullptr), cudaErrorInvalidValue);
    EXPECT_EQ(cudaLaunchKernel(&missing, {1, 1, 1}, {1, 1, 1}, nullptr, 0, nullptr),
              cudaErrorInvalidDeviceFunction);
    EXPECT_EQ(cudaLaunchKernel(&table, {1, 1, 1}, {1, 1, 1}, nullptr, 0, nullptr),
              cudaErrorInvalidDeviceFunction);
    EXPECT_STREQ(cudaGetErrorName(cudaErrorInvalidConfiguration), "cudaErrorInvalidConfiguration");
    EXPECT_STREQ(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory");
    EXPECT_STREQ(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument");
    EXPECT_STREQ(cudaGetErrorString(cudaErrorIllegalAddress), "an illegal memory access was encountered");
    EXPECT_STREQ(cudaGetErrorString(cudaErrorInvalidConfiguration), "invalid configuration argument");
    EXPECT_STREQ(cudaGetErrorString(cudaSuccess), "no error");
  });
}

TEST(DriverRuntime, the_error_of_a_kernel_that_was_not_got_outlives_its_launch) {
  FakeServer server;
  in_program(server.path(), [] {
    register_program();
    cudaKernel_t kernel = nullptr;
    EXPECT_EQ(__cudaGetKernel(&kernel, &missing), cudaErrorInvalidDeviceFunction);
    EXPECT_EQ(cudaMalloc(reinterpret_cast<void**>(&kernel), ~size_t{0}), cudaErrorMemoryAllocation);
    kernel = nullptr;
    EXPECT_EQ(__cudaLaunchKernel(kernel, {1, 1, 1}, {1, 1, 1}, nullptr, 0, nullptr),
              cudaErrorMemoryAllocation);
    EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
    EXPECT_EQ(__cudaLaunchKernel(kernel, {1, 1, 1}, {1, 1, 1}, nullptr, 0, nullptr),
              cudaErrorInvalidDeviceFunction);
  });
}

TEST(DriverRuntime, a_variable_is_found_by_its_host_counterpart) {
  FakeServer server;
  in_program(server.path(), [] {
    register_program();
    size_t size = 0;
    char back[4] = "";
    EXPECT_EQ(cudaGetSymbolSize(&size, &table), cudaSuccess);
    EXPECT_EQ(size, 64u);
    EXPECT_EQ(cudaMemcpyToSymbol(&table, "abcd", 4, 60, cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_EQ(cudaMemcpyToSymbol(&table, "abcd", 4, 61, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpyFromSymbolAsync(back, &table, 3, 61, cudaMemcpyDeviceToHost, nullptr), cudaSuccess);
    EXPECT_STREQ(back, "bcd");
    EXPECT_EQ(cudaMemcpyToSymbol(&table, "abcd", 4, 0, cudaMemcpyDeviceToHost),
              cudaErrorInvalidMemcpyDirection);
    EXPECT_EQ(cudaGetSymbolSize(&size, &wrong_table), cudaErrorInvalidSymbol);
    EXPECT_EQ(cudaGetSymbolSize(&size, &add), cudaErrorInvalidSymbol);
  });
}

TEST(DriverRuntime, an_address_in_a_variable_that_was_never_named_is_known) {
  FakeServer server;
  in_program(server.path(), [] {
    register_program();
    CUdeviceptr base = 0;
    size_t size = 0;
    char byte = 1;
    EXPECT_EQ(cudaLaunchKernel(&none, {1, 1, 1}, {1, 1, 1}, nullptr, 0, nullptr), cudaSuccess);
    EXPECT_EQ(cuMemGetAddressRange(&base, &size, kTableAddress + 20), CUDA_SUCCESS);
    EXPECT_EQ(base, kTableAddress);
    EXPECT_EQ(size, 64u);
    EXPECT_EQ(cuMemcpyDtoH(&byte, kTableAddress + 63, 1), CUDA_SUCCESS);
    EXPECT_EQ(byte, 0);
    EXPECT_EQ(cuMemGetAddressRange(&base, &size, kTableAddress + 64), CUDA_ERROR_NOT_FOUND);
  });
}

TEST(DriverRuntime, a_managed_variable_is_memory_of_the_host_too) {
  FakeServer server;
  in_program(server.path(), [] {
    void** handle = register_program();
    __cudaRegisterManagedVar(handle, &managed, nullptr, "table", 0, 64, 0, 0);
    EXPECT_EQ(managed, nullptr);
    EXPECT_TRUE(__cudaInitModule(handle));
    ASSERT_NE(managed, nullptr);
    std::memcpy(managed, "written by the host", 20);
  });
  EXPECT_EQ(server.memory(kTableAddress).substr(0, 19), "written by the host");
}

TEST(DriverRuntime, a_reset_loads_modules_anew_and_gives_memory_back) {
  FakeServer server;
  in_program(server.path(), [] {
    void** handle = register_program();
    void* device = nullptr;
    EXPECT_EQ(cudaMalloc(&device, 16), cudaSuccess);
    EXPECT_EQ(cudaLaunchKernel(&none, {1, 1, 1}, {1, 1, 1}, nullptr, 0, nullptr), cudaSuccess);
    EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
    EXPECT_EQ(cudaMemset(device, 0, 16), cudaErrorInvalidValue);
    EXPECT_EQ(cudaLaunchKernel(&none, {1, 1, 1}, {1, 1, 1}, nullptr, 0, nullptr), cudaSuccess);
    __cudaUnregisterFatBinary(handle);
    EXPECT_EQ(cudaLaunchKernel(&none, {1, 1, 1}, {1, 1, 1}, nullptr, 0, nullptr),
              cudaErrorInvalidDeviceFunction);
  });
  EXPECT_EQ(server.record().modules.size(), 2u);
  EXPECT_EQ(server.record().unloaded, 2u);
  EXPECT_EQ(server.record().freed, 1u);
}

TEST(DriverRuntime, memory_says_what_it_is) {
  FakeServer server;
  in_program(server.path(), [] {
    void *device = nullptr, *pinned = nullptr, *shared = nullptr, *empty = &device;
    int local = 0;
    EXPECT_EQ(cudaMalloc(&device, 16), cudaSuccess);
    EXPECT_EQ(cudaMallocHost(&pinned, 16), cudaSuccess);
    EXPECT_EQ(cudaMallocManaged(&shared, 16, cudaMemAttachGlobal), cudaSuccess);
    EXPECT_EQ(cudaMalloc(&empty, 0), cudaSuccess);
    EXPECT_EQ(empty, nullptr);
    const auto type = [](const void* pointer) {
      cudaPointerAttributes attributes{};
      EXPECT_EQ(cudaPointerGetAttributes(&attributes, pointer), cudaSuccess);
      return attributes.type;
    };
    EXPECT_EQ(type(device), cudaMemoryTypeDevice);
    EXPECT_EQ(type(pinned), cudaMemoryTypeHost);
    EXPECT_EQ(type(shared), cudaMemoryTypeManaged);
    EXPECT_EQ(type(&local), cudaMemoryTypeUnregistered);
    EXPECT_EQ(cudaHostRegister(&local, sizeof local, 0), cudaSuccess);
    EXPECT_EQ(type(&local), cudaMemoryTypeHost);
    EXPECT_EQ(cudaMemcpy(pinned, "to the host", 12, cudaMemcpyHostToHost), cudaSuccess);
    EXPECT_STREQ(static_cast<char*>(pinned), "to the host");
    EXPECT_EQ(cudaMemcpy(device, pinned, 17, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  });
}

TEST(DriverRuntime, a_box_at_a_pitch_is_filled_and_copied) {
  FakeServer server;
  in_program(server.path(), [] {
    cudaPitchedPtr box{};
    const cudaExtent extent{5, 2, 3};
    EXPECT_EQ(cudaMalloc3D(&box, extent), cudaSuccess);
    EXPECT_EQ(box.pitch, 512u);
    EXPECT_EQ(cudaMemset3D(box, 9, extent), cudaSuccess);
    char back[31] = "";
    cudaMemcpy3DParms copy{};
    copy.srcPtr = box;
    copy.dstPtr = {back, 5, 5, 2};
    copy.extent = extent;
    copy.kind = cudaMemcpyDeviceToHost;
    EXPECT_EQ(cudaMemcpy3D(&copy), cudaSuccess);
    EXPECT_EQ(std::string(back, 31), std::string(30, '\t') + '\0');
    copy.extent.depth = 4;
    EXPECT_EQ(cudaMemcpy3D(&copy), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpy2D(back, 4, box.ptr, box.pitch, 5, 1, cudaMemcpyDeviceToHost),
              cudaErrorInvalidPitchValue);
  });
}

/// Opens an old version of the runtime, which lies in the same folder as the linked one.
void* open_runtime(const char* version) {
  Dl_info about{};
  EXPECT_NE(dladdr(reinterpret_cast<void*>(cudaMalloc), &about), 0);
  return dlopen((std::filesystem::path(about.dli_fname).parent_path() / version).c_str(),
                RTLD_NOW | RTLD_LOCAL);
}

TEST(DriverRuntime, properties_are_the_devices_in_the_struct_of_each_version) {
  FakeServer server;
  in_program(server.path(), [] {
    cudaDeviceProp properties{};
    EXPECT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
    EXPECT_STREQ(properties.name, "Fake device (sm_80)");
    EXPECT_EQ(properties.major, 8);
    EXPECT_EQ(properties.multiProcessorCount, 2);
    EXPECT_EQ(properties.sharedMemPerBlockOptin, 166912u);
    EXPECT_EQ(cudaGetDeviceProperties(&properties, 1), cudaErrorInvalidDevice);
  });
  for (const char* version : {"libcudart.so.11.0", "libcudart.so.12"})
    in_program(server.path(), [version] {
      void* library = open_runtime(version);
      ASSERT_NE(library, nullptr) << dlerror();
      const auto fill =
          reinterpret_cast<int (*)(char*, int)>(dlvsym(library, "cudaGetDeviceProperties", version));
      ASSERT_NE(fill, nullptr);
      std::string bytes(1032, '?');
      EXPECT_EQ(fill(bytes.data(), 0), 0);
      EXPECT_EQ(bytes.substr(728), std::string(1032 - 728, '?'));  // the struct of 11 ends there
      int major = 0;
      size_t reserved = 0;
      std::memcpy(&major, &bytes[360], sizeof major);
      std::memcpy(&reserved, &bytes[720], sizeof reserved);
      EXPECT_EQ(major, 8);
      EXPECT_EQ(reserved, 1024u);
    });
}

// As measured with libcudart.so.13 (13.0.96) and driver 13.0 on an H200.
TEST(DriverRuntime, a_function_of_the_driver_that_a_version_lacks_is_null_and_no_error) {
  void* found = &found;
  cudaDriverEntryPointQueryResult status{};
  EXPECT_EQ(cudaGetDriverEntryPointByVersion("cuInit", &found, 12000, 0, &status), cudaSuccess);
  EXPECT_EQ(status, cudaDriverEntryPointSuccess);
  EXPECT_EQ(found, reinterpret_cast<void*>(cuInit));
  EXPECT_EQ(cudaGetDriverEntryPointByVersion("cuInit", &found, 0, 0, &status), cudaSuccess);
  EXPECT_EQ(status, cudaDriverEntryPointVersionNotSufficent);
  EXPECT_EQ(found, nullptr);
  EXPECT_EQ(cudaGetDriverEntryPointByVersion("cuInit", &found, 0, 0, nullptr), cudaSuccess);
  EXPECT_EQ(cudaGetDriverEntryPointByVersion("cuMagic", &found, 12000, 0, nullptr), cudaSuccess);
  EXPECT_EQ(found, nullptr);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  status = cudaDriverEntryPointSymbolNotFound;
  EXPECT_EQ(cudaGetDriverEntryPointByVersion("cuInit", &found, 99990, 0, &status), cudaErrorInvalidValue);
  EXPECT_EQ(status, cudaDriverEntryPointSymbolNotFound) << "left as it was";
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

TEST(DriverRuntime, the_entry_point_of_cuda_11_has_no_status_to_write) {
  void* library = open_runtime("libcudart.so.11.0");
  ASSERT_NE(library, nullptr) << dlerror();
  using EntryPoint = int (*)(const char*, void**, unsigned long long, int* what_a_register_holds);
  const auto find =
      reinterpret_cast<EntryPoint>(dlvsym(library, "cudaGetDriverEntryPoint", "libcudart.so.11.0"));
  ASSERT_NE(find, nullptr);
  void* found = nullptr;
  int elsewhere = 77;
  EXPECT_EQ(find("cuInit", &found, 0, &elsewhere), 0);
  EXPECT_EQ(found, reinterpret_cast<void*>(cuInit));
  EXPECT_EQ(find("cuMagic", &found, 0, &elsewhere), cudaErrorSymbolNotFound);
  EXPECT_EQ(elsewhere, 77);
}

TEST(DriverRuntime, what_is_not_supported_is_counted) {
  FakeServer server;
  in_program(server.path(), [] {
    EXPECT_EQ(cudaDestroyExternalMemory(nullptr), cudaErrorNotSupported);
    EXPECT_EQ(cudaGetLastError(), cudaErrorNotSupported);
    // Of OpenGL's header, which needs OpenGL's.
    void* const runtime = dlopen("libcudart.so.13", RTLD_NOLOAD | RTLD_LAZY);
    const auto set_device = reinterpret_cast<cudaError_t (*)(int)>(dlsym(runtime, "cudaGLSetGLDevice"));
    ASSERT_NE(set_device, nullptr);
    EXPECT_EQ(set_device(0), cudaErrorNotSupported);
  });
  EXPECT_THAT(server.record().unsupported, ElementsAre(testing::Pair("cudaDestroyExternalMemory", 1),
                                                       testing::Pair("cudaGLSetGLDevice", 1)));
}

TEST(DriverRuntime, without_a_server_there_is_no_device) {
  in_program("", [] {
    int count = 7;
    EXPECT_EQ(cudaGetDeviceCount(&count), cudaErrorNoDevice);
    EXPECT_EQ(count, 0);
    void* device = nullptr;
    EXPECT_EQ(cudaMalloc(&device, 16), cudaErrorNoDevice);
  });
}

TEST(DriverRuntime, a_kernel_says_its_attributes_and_occupancy) {
  FakeServer server;
  in_program(server.path(), [] {
    register_program();
    cudaFuncAttributes attributes{};
    EXPECT_EQ(cudaFuncGetAttributes(&attributes, &add), cudaSuccess);
    EXPECT_EQ(attributes.sharedSizeBytes, 1024u);
    EXPECT_EQ(attributes.maxThreadsPerBlock, 1024);
    EXPECT_EQ(attributes.maxDynamicSharedSizeBytes, 49152 - 1024);
    int blocks = 0;
    EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &add, 512, 0), cudaSuccess);
    EXPECT_EQ(blocks, 4);
    EXPECT_EQ(cudaFuncSetAttribute(&add, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000), cudaSuccess);
    EXPECT_EQ(cudaFuncSetAttribute(&add, cudaFuncAttributeMaxDynamicSharedMemorySize, 200000),
              cudaErrorInvalidValue);
  });
}

}  // namespace
}  // namespace lanescope::driver
