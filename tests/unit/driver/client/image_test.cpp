// How long an image is: nothing is read behind what it says itself. Each lies at the end of a page, behind
// which there is none.

#include "unit/driver/client/fake_server.h"
#include "unit/driver/client/program.h"

#include <cstring>

#include <cuda.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

namespace lanescope::driver {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// The bytes at the very end of readable memory.
const void* at_the_end(const std::string& bytes) {
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE)), size = (bytes.size() / page + 1) * page;
  char* memory = static_cast<char*>(
      mmap(nullptr, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  EXPECT_EQ(mprotect(memory + size, page, PROT_NONE), 0);
  std::memcpy(memory + size - bytes.size(), bytes.data(), bytes.size());
  return memory + size - bytes.size();
}

/// A fat binary's header, and what its parts say they have.
std::string fat_binary(uint16_t header_size, uint64_t parts_size) {
  std::string bytes("\x50\xed\x55\xba\x01\x00", 6);
  bytes.append(reinterpret_cast<const char*>(&header_size), 2);
  bytes.append(reinterpret_cast<const char*>(&parts_size), 8);
  return bytes;
}

CUresult load(const void* image) {
  CUmodule module = nullptr;
  return cuModuleLoadData(&module, image);
}

TEST(DriverImage, a_text_ends_at_its_zero_byte) {
  FakeServer server;
  in_program(server.path(), [] {
    start_program();
    EXPECT_EQ(load(at_the_end(std::string(".version 8.0\n") + '\0')), CUDA_SUCCESS);
    EXPECT_EQ(load(at_the_end(std::string("x") + '\0')), CUDA_SUCCESS);
    EXPECT_EQ(load(at_the_end(std::string("\x50\xed\x55") + '\0')), CUDA_SUCCESS);  // most of a magic number
    EXPECT_EQ(load(at_the_end(std::string(1, '\0'))), CUDA_ERROR_INVALID_IMAGE);
    EXPECT_EQ(load(nullptr), CUDA_ERROR_INVALID_VALUE);
  });
  EXPECT_THAT(server.record().modules, ElementsAre(".version 8.0\n", "x", "\x50\xed\x55"));
}

TEST(DriverImage, a_fat_binary_is_as_long_as_its_header_says) {
  FakeServer server;
  in_program(server.path(), [] {
    start_program();
    EXPECT_EQ(load(at_the_end(fat_binary(16, 5) + "parts")), CUDA_SUCCESS);
    struct {
      uint32_t magic, version;
      const void *data, *reserved;
    } const wrapper{0x466243b1, 1, at_the_end(fat_binary(16, 3) + "PTX"), nullptr};
    EXPECT_EQ(load(at_the_end({reinterpret_cast<const char*>(&wrapper), sizeof wrapper})), CUDA_SUCCESS);
  });
  EXPECT_THAT(server.record().modules, ElementsAre(fat_binary(16, 5) + "parts", fat_binary(16, 3) + "PTX"));
}

TEST(DriverImage, a_header_that_cannot_be_is_refused) {
  FakeServer server;
  in_program(server.path(), [] {
    start_program();
    EXPECT_EQ(load(at_the_end(fat_binary(15, 0))), CUDA_ERROR_INVALID_IMAGE);
    EXPECT_EQ(load(at_the_end(fat_binary(16, uint64_t{1} << 40))), CUDA_ERROR_INVALID_IMAGE);
    EXPECT_EQ(load(at_the_end(fat_binary(0xffff, ~uint64_t{0}))), CUDA_ERROR_INVALID_IMAGE);
    struct {
      uint32_t magic, version;
      const void *data, *reserved;
    } wrapper{0x466243b1, 1, nullptr, nullptr};
    EXPECT_EQ(load(&wrapper), CUDA_ERROR_INVALID_IMAGE);
    wrapper.data = at_the_end("no");
    EXPECT_EQ(load(&wrapper), CUDA_ERROR_INVALID_IMAGE);
  });
  EXPECT_TRUE(server.record().modules.empty());
}

TEST(DriverImage, fat_binaries_of_relocatable_device_code_are_sent_together) {
  FakeServer server;
  const Outcome outcome = in_program(server.path(), [] {
    start_program();
    const void* each[] = {at_the_end(fat_binary(16, 3) + "one"), at_the_end(fat_binary(16, 3) + "two"),
                          nullptr};
    const struct {
      uint32_t magic, version;
      const void *data, *fat_binaries;
    } wrapper{0x466243b1, 2, at_the_end(fat_binary(16, 0)), each};
    EXPECT_EQ(load(&wrapper), CUDA_SUCCESS);
    each[1] = at_the_end("\177ELF");
    EXPECT_EQ(load(&wrapper), CUDA_ERROR_INVALID_IMAGE);
  });
  EXPECT_THAT(server.record().modules, ElementsAre(fat_binary(16, 3) + "one" + fat_binary(16, 3) + "two"));
  EXPECT_THAT(outcome.errors, HasSubstr("a part of the linked device code is no fat binary"));
}

TEST(DriverImage, machine_code_alone_says_how_to_build_to_ptx) {
  FakeServer server;
  const Outcome outcome = in_program(server.path(), [] {
    start_program();
    EXPECT_EQ(load(at_the_end("\177ELF")), CUDA_ERROR_NO_BINARY_FOR_GPU);
  });
  EXPECT_THAT(outcome.errors, HasSubstr("-gencode arch=compute_80,code=compute_80"));
  EXPECT_THAT(server.record().notes, ElementsAre(HasSubstr("is machine code of one GPU (a cubin)")));
}

TEST(DriverImage, a_file_is_measured_before_it_is_sent) {
  FakeServer server;
  in_program(server.path(), [] {
    start_program();
    tests::TemporaryFolder folder("image");
    const auto load_file = [&](const std::string& bytes) {
      std::ofstream(folder / "image", std::ios::binary) << bytes;
      CUmodule module = nullptr;
      return cuModuleLoad(&module, (folder / "image").c_str());
    };
    EXPECT_EQ(load_file(".version 8.0"), CUDA_SUCCESS);
    EXPECT_EQ(load_file(fat_binary(16, 5) + "parts"), CUDA_SUCCESS);
    EXPECT_EQ(load_file(fat_binary(16, 5) + "part"), CUDA_ERROR_INVALID_IMAGE);
    EXPECT_EQ(load_file(fat_binary(16, 5).substr(0, 7)), CUDA_ERROR_INVALID_IMAGE);
    EXPECT_EQ(load_file(std::string("\xb1\x43\x62\x46\x01\0\0\0AAAAAAAABBBBBBBB", 24)),
              CUDA_ERROR_FILE_NOT_FOUND);
    CUmodule module = nullptr;
    EXPECT_EQ(cuModuleLoad(&module, "/nowhere/image"), CUDA_ERROR_FILE_NOT_FOUND);
    EXPECT_EQ(cuModuleLoad(&module, "/"), CUDA_ERROR_FILE_NOT_FOUND);
  });
  EXPECT_THAT(server.record().modules, ElementsAre(".version 8.0", fat_binary(16, 5) + "parts"));
}

}  // namespace
}  // namespace lanescope::driver
