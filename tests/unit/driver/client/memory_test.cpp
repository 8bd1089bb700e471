// Memory as a program of the driver's API sees it: where it is, what may be copied, what is said of a wrong
// pointer.

#include "unit/driver/client/fake_server.h"
#include "unit/driver/client/program.h"

#include <cstring>
#include <numeric>

#include <cuda.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

namespace lanescope::driver {
namespace {

using testing::HasSubstr;

constexpr CUresult kWrong = CUDA_ERROR_INVALID_VALUE;

TEST(DriverMemory, what_is_copied_to_the_device_is_in_the_servers_memory) {
  FakeServer server;
  in_program(server.path(), [] {
    start_program();
    const CUdeviceptr device = allocate(12);
    EXPECT_EQ(device, kFirstAddress);  // the server's address, not one of this process
    EXPECT_EQ(cuMemcpyHtoD(device, "hello world", 12), CUDA_SUCCESS);
    EXPECT_EQ(cuMemcpyDtoD(device + 6, device, 5), CUDA_SUCCESS);
    char back[12] = "";
    EXPECT_EQ(cuMemcpyDtoH(back, device, 12), CUDA_SUCCESS);
    EXPECT_STREQ(back, "hello hello");
  });
  EXPECT_EQ(server.memory(kFirstAddress), std::string("hello hello\0", 12));
}

TEST(DriverMemory, a_copy_that_leaves_its_allocation_is_refused_with_a_sentence) {
  FakeServer server;
  const Outcome outcome = in_program(server.path(), [] {
    start_program();
    const CUdeviceptr device = allocate(16);
    char host[32] = "";
    EXPECT_EQ(cuMemcpyHtoD(device, host, 17), kWrong);
    EXPECT_EQ(cuMemcpyHtoD(device + 8, host, 9), kWrong);
    EXPECT_EQ(cuMemcpyHtoD(device + 16, host, 1), kWrong);
    EXPECT_EQ(cuMemcpyDtoH(host, device, ~size_t{0}), kWrong);
    EXPECT_EQ(cuMemcpyHtoD(reinterpret_cast<CUdeviceptr>(host), host, 1), kWrong);
    EXPECT_EQ(cuMemcpyDtoH(reinterpret_cast<void*>(device), device, 1), kWrong);
    EXPECT_EQ(cuMemcpyDtoH(nullptr, device, 1), kWrong);
    EXPECT_EQ(cuMemcpyHtoD(device + 16, host, 0), CUDA_SUCCESS);
    EXPECT_EQ(cuMemcpyHtoD(device, host, 16), CUDA_SUCCESS);
  });
  EXPECT_THAT(outcome.errors,
              HasSubstr("lanescope: cuMemcpyHtoD: the destination, 9 bytes from 0x140000000008, ends 1 bytes "
                        "behind its allocation of 16 bytes at 0x140000000000"));
  EXPECT_THAT(outcome.errors,
              HasSubstr("cuMemcpyDtoH: the destination 0x140000000000 is an address of the device"));
}

TEST(DriverMemory, rectangles_are_copied_row_by_row_within_their_bounds) {
  FakeServer server;
  in_program(server.path(), [] {
    start_program();
    CUdeviceptr device = 0;
    size_t pitch = 0;
    EXPECT_EQ(cuMemAllocPitch(&device, &pitch, 20, 3, 4), CUDA_SUCCESS);
    EXPECT_EQ(pitch, 512u);
    char host[3 * 20], back[2 * 10] = "";
    std::iota(host, host + sizeof host, '\0');
    CUDA_MEMCPY2D copy{};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = host;
    copy.srcPitch = 20;
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = device;
    copy.dstPitch = pitch;
    copy.WidthInBytes = 20;
    copy.Height = 3;
    EXPECT_EQ(cuMemcpy2D(&copy), CUDA_SUCCESS);
    copy.Height = 4;  // a row more than there are
    EXPECT_EQ(cuMemcpy2D(&copy), kWrong);
    copy.Height = ~size_t{0};
    EXPECT_EQ(cuMemcpy2D(&copy), kWrong);
    copy.Height = 3;
    copy.dstPitch = 19;  // shorter than a row
    EXPECT_EQ(cuMemcpy2D(&copy), kWrong);

    CUDA_MEMCPY2D part{};
    part.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    part.srcDevice = device;
    part.srcPitch = pitch;
    part.srcXInBytes = 5;
    part.srcY = 1;
    part.dstMemoryType = CU_MEMORYTYPE_HOST;
    part.dstHost = back;
    part.dstPitch = 10;
    part.WidthInBytes = 10;
    part.Height = 2;
    EXPECT_EQ(cuMemcpy2DUnaligned(&part), CUDA_SUCCESS);
    EXPECT_EQ(back[0], 25);
    EXPECT_EQ(back[19], 54);
    part.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    EXPECT_EQ(cuMemcpy2D(&part), kWrong);  // there is no array
  });
}

TEST(DriverMemory, boxes_are_copied_slice_by_slice_within_their_bounds) {
  FakeServer server;
  in_program(server.path(), [] {
    start_program();
    const CUdeviceptr device = allocate(4 * 3 * 2);
    unsigned char host[24], back[4] = {};
    std::iota(host, host + 24, '\0');
    CUDA_MEMCPY3D copy{};
    copy.srcMemoryType = CU_MEMORYTYPE_UNIFIED;
    copy.srcDevice = reinterpret_cast<CUdeviceptr>(host);
    copy.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
    copy.dstDevice = device;
    copy.srcPitch = copy.dstPitch = copy.WidthInBytes = 4;
    copy.srcHeight = copy.dstHeight = copy.Height = 3;
    copy.Depth = 2;
    EXPECT_EQ(cuMemcpy3D(&copy), CUDA_SUCCESS);
    copy.Depth = 3;
    EXPECT_EQ(cuMemcpy3D(&copy), kWrong);
    copy.Depth = 2;
    copy.dstHeight = 2;  // fewer rows than are copied
    EXPECT_EQ(cuMemcpy3D(&copy), kWrong);

    CUDA_MEMCPY3D part{};
    part.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    part.srcDevice = device;
    part.srcPitch = 4;
    part.srcHeight = 3;
    part.srcXInBytes = 2;
    part.srcY = 1;
    part.dstMemoryType = CU_MEMORYTYPE_HOST;
    part.dstHost = back;
    part.dstPitch = 2;
    part.dstHeight = 1;
    part.WidthInBytes = 2;
    part.Height = 1;
    part.Depth = 2;
    EXPECT_EQ(cuMemcpy3D(&part), CUDA_SUCCESS);
    EXPECT_EQ(back[0], 6);
    EXPECT_EQ(back[3], 19);
  });
}

TEST(DriverMemory, fills_write_what_was_asked_for_and_nothing_else) {
  FakeServer server;
  in_program(server.path(), [] {
    start_program();
    const CUdeviceptr device = allocate(64);
    std::vector<uint8_t> bytes(64);
    EXPECT_EQ(cuMemsetD8(device, 0xee, 64), CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD32(device + 4, 0x01020304, 2), CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD2D16(device + 32, 16, 0xabcd, 3, 2), CUDA_SUCCESS);
    EXPECT_EQ(cuMemcpyDtoH(bytes.data(), device, 64), CUDA_SUCCESS);
    std::vector<uint8_t> expected(64, 0xee);
    for (int n = 0; n < 8; ++n) expected[4 + n] = static_cast<uint8_t>(4 - n % 4);
    for (int row = 0; row < 2; ++row)
      for (int n = 0; n < 6; ++n) expected[32 + 16 * row + n] = n % 2 ? 0xab : 0xcd;
    EXPECT_EQ(bytes, expected);
    EXPECT_EQ(cuMemsetD32(device + 2, 0, 1), kWrong);  // not aligned
    EXPECT_EQ(cuMemsetD8(device, 0, 65), kWrong);
    EXPECT_EQ(cuMemsetD2D8(device, 32, 0, 32, 3), kWrong);
    EXPECT_EQ(cuMemsetD2D8(device, 8, 0, 9, 2), kWrong);
    EXPECT_EQ(cuMemsetD32(device, 0, ~size_t{0} / 2), kWrong);
  });
}

TEST(DriverMemory, pinned_and_managed_memory_have_one_address_on_both_sides) {
  FakeServer server;
  in_program(server.path(), [] {
    start_program();
    void* pinned = nullptr;
    CUdeviceptr managed = 0, device = 0;
    EXPECT_EQ(cuMemHostAlloc(&pinned, 4096, CU_MEMHOSTALLOC_DEVICEMAP), CUDA_SUCCESS);
    EXPECT_EQ(reinterpret_cast<uint64_t>(pinned), kFirstAddress);
    EXPECT_EQ(cuMemHostGetDevicePointer(&device, pinned, 0), CUDA_SUCCESS);
    EXPECT_EQ(device, kFirstAddress);
    std::memset(pinned, 7, 4096);
    EXPECT_EQ(cuMemAllocManaged(&managed, 4096, CU_MEM_ATTACH_GLOBAL), CUDA_SUCCESS);
    EXPECT_EQ(cuMemcpy(managed, device, 4096), CUDA_SUCCESS);
    EXPECT_EQ(*reinterpret_cast<char*>(managed + 4095), 7);
    EXPECT_EQ(cuMemFree(device), kWrong);  // it is the host's: cuMemFreeHost
    EXPECT_EQ(cuMemFreeHost(pinned), CUDA_SUCCESS);
    EXPECT_EQ(cuMemFreeHost(pinned), kWrong);
    EXPECT_EQ(cuMemFree(managed), CUDA_SUCCESS);
  });
  EXPECT_EQ(server.record().freed, 2u);
}

TEST(DriverMemory, an_address_that_the_process_uses_already_is_no_crash) {
  FakeServer server;
  const Outcome outcome = in_program(server.path(), [] {
    start_program();
    void* const wanted = reinterpret_cast<void*>(kFirstAddress);
    ASSERT_EQ(mmap(wanted, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0),
              wanted);
    *static_cast<int*>(wanted) = 42;
    void* pinned = nullptr;
    EXPECT_EQ(cuMemAllocHost(&pinned, 4096), CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(*static_cast<int*>(wanted), 42);
  });
  EXPECT_THAT(outcome.errors, HasSubstr("4096 bytes could not be mapped at their device address"));
  EXPECT_EQ(server.record().freed, 1u);
}

TEST(DriverMemory, a_pointer_says_what_it_is) {
  FakeServer server;
  in_program(server.path(), [] {
    const CUcontext context = start_program();
    const CUdeviceptr device = allocate(1000);
    unsigned int type = 0;
    CUdeviceptr begin = 0;
    size_t size = 0;
    int is_managed = -1;
    CUpointer_attribute asked[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
                                   CU_POINTER_ATTRIBUTE_RANGE_SIZE, CU_POINTER_ATTRIBUTE_IS_MANAGED};
    void* answers[] = {&type, &begin, &size, &is_managed};
    EXPECT_EQ(cuPointerGetAttributes(4, asked, answers, device + 999), CUDA_SUCCESS);
    EXPECT_EQ(type, static_cast<unsigned int>(CU_MEMORYTYPE_DEVICE));
    EXPECT_EQ(begin, device);
    EXPECT_EQ(size, 1000u);
    EXPECT_EQ(is_managed, 0);
    CUcontext owner = nullptr;
    EXPECT_EQ(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, device), CUDA_SUCCESS);
    EXPECT_EQ(owner, context);
    void* host = nullptr;
    EXPECT_EQ(cuPointerGetAttribute(&host, CU_POINTER_ATTRIBUTE_HOST_POINTER, device), kWrong);
    EXPECT_EQ(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, device + 1000), kWrong);
    EXPECT_EQ(cuMemGetAddressRange(&begin, &size, device + 1000), CUDA_ERROR_NOT_FOUND);
    EXPECT_EQ(cuPointerGetAttributes(4, asked, answers, reinterpret_cast<CUdeviceptr>(&type)), CUDA_SUCCESS);
    EXPECT_EQ(type, 0u);
    EXPECT_EQ(size, 0u);
  });
}

TEST(DriverMemory, registered_memory_has_no_device_address) {
  FakeServer server;
  const Outcome outcome = in_program(server.path(), [] {
    start_program();
    static char memory[4096];
    CUdeviceptr device = 0;
    EXPECT_EQ(cuMemHostRegister(memory, sizeof memory, CU_MEMHOSTREGISTER_DEVICEMAP), CUDA_SUCCESS);
    EXPECT_EQ(cuMemHostRegister(memory + 100, 1, 0), CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
    EXPECT_EQ(cuMemHostGetDevicePointer(&device, memory, 0), CUDA_ERROR_NOT_SUPPORTED);
    EXPECT_EQ(cuMemHostUnregister(memory), CUDA_SUCCESS);
    EXPECT_EQ(cuMemHostUnregister(memory), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
    EXPECT_EQ(cuMemHostGetDevicePointer(&device, memory, 0), kWrong);
    void* pinned = nullptr;  // what the driver allocated cannot be registered, as on an H200
    EXPECT_EQ(cuMemAllocHost(&pinned, 4096), CUDA_SUCCESS);
    EXPECT_EQ(cuMemHostRegister(pinned, 4096, 0), CUDA_ERROR_INVALID_VALUE);
  });
  EXPECT_THAT(outcome.errors, HasSubstr("allocate it with cuMemHostAlloc (cudaHostAlloc) instead"));
}

TEST(DriverMemory, more_than_the_device_has_is_out_of_memory) {
  FakeServer server;
  const Outcome outcome = in_program(server.path(), [] {
    start_program();
    CUdeviceptr device = 0;
    EXPECT_EQ(cuMemAlloc(&device, size_t{200} << 30), CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(cuMemAlloc(&device, 0), kWrong);
    size_t free_bytes = 0, total = 0;
    allocate(1 << 20);
    EXPECT_EQ(cuMemGetInfo(&free_bytes, &total), CUDA_SUCCESS);
    EXPECT_EQ(total, size_t{8} << 30);
    EXPECT_EQ(free_bytes, total - (1 << 20));
  });
  EXPECT_THAT(outcome.errors, HasSubstr("lanescope: cuMemAlloc: the device has 8 GiB"));
}

TEST(DriverMemory, what_a_pool_uses_is_counted) {
  FakeServer server;
  in_program(server.path(), [] {
    start_program();
    CUmemoryPool pool = nullptr;
    CUdeviceptr first = 0, second = 0;
    cuuint64_t used = 0;
    EXPECT_EQ(cuDeviceGetMemPool(&pool, 0), CUDA_SUCCESS);
    EXPECT_EQ(cuMemAllocAsync(&first, 100, nullptr), CUDA_SUCCESS);
    EXPECT_EQ(cuMemAllocFromPoolAsync(&second, 50, pool, nullptr), CUDA_SUCCESS);
    EXPECT_EQ(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used), CUDA_SUCCESS);
    EXPECT_EQ(used, 150u);
    EXPECT_EQ(cuMemFreeAsync(first, nullptr), CUDA_SUCCESS);
    EXPECT_EQ(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used), CUDA_SUCCESS);
    EXPECT_EQ(used, 50u);
    EXPECT_EQ(
        cuMemPoolGetAttribute(reinterpret_cast<CUmemoryPool>(&used), CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used),
        kWrong);
  });
}

TEST(DriverMemory, a_variable_of_a_module_is_copied_to_as_any_memory) {
  FakeServer server;
  in_program(server.path(), [] {
    start_program();
    const CUmodule module = load_module();
    CUdeviceptr table = 0;
    size_t size = 0;
    EXPECT_EQ(cuModuleGetGlobal(&table, &size, module, "table"), CUDA_SUCCESS);
    EXPECT_EQ(size, 64u);
    EXPECT_EQ(cuMemcpyHtoD(table + 60, "abcd", 4), CUDA_SUCCESS);
    EXPECT_EQ(cuMemcpyHtoD(table + 60, "abcde", 5), kWrong);
    EXPECT_EQ(cuMemFree(table), kWrong);
    EXPECT_EQ(cuModuleGetGlobal(&table, &size, module, "missing"), CUDA_ERROR_NOT_FOUND);
    EXPECT_EQ(cuModuleUnload(module), CUDA_SUCCESS);
    EXPECT_EQ(cuMemcpyHtoD(kTableAddress, "abcd", 4), kWrong);
  });
  EXPECT_EQ(server.memory(kTableAddress).substr(60), "abcd");
}

}  // namespace
}  // namespace lanescope::driver
