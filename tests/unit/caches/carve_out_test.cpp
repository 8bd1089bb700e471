// The carve-out against what an H200's driver chose: tests/data/caches/carve_out.txt.

#include "caches/carve_out.h"

#include "model/device.h"
#include "support/project.h"

#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace lanescope::caches {
namespace {

model::Device device(const char* name) {
  auto device = model::find_device(tests::source_dir() / "assets/devices", name);
  EXPECT_TRUE(device) << device.error().message;
  return *std::move(device);
}

uint32_t on_h100(const model::BlockNeeds& needs) {
  static const model::Device h100 = device("h100");
  return carve_out_kib(needs, h100);
}

TEST(CarveOut, without_shared_memory_goes_by_the_threads) {
  EXPECT_EQ(on_h100({.threads = 256}), 32u);
  EXPECT_EQ(on_h100({.threads = 480}), 32u);
  EXPECT_EQ(on_h100({.threads = 512}), 16u);
  EXPECT_EQ(on_h100({.threads = 704}), 16u);
  EXPECT_EQ(on_h100({.threads = 736}), 8u);
  EXPECT_EQ(on_h100({.threads = 1024}), 8u);
}

TEST(CarveOut, of_registers_that_leave_room_for_one_block_is_the_smallest) {
  // 256 threads x 168 registers = 43,008 of 65,536.
  EXPECT_EQ(on_h100({.threads = 256, .shared_bytes = 0, .registers_per_thread = 168}), 8u);
}

TEST(CarveOut, leaves_these_lines) {
  const model::CacheParameters h100 = *device("h100").caches;
  EXPECT_EQ(lines_beside(8, h100), 1928u);
  EXPECT_EQ(lines_beside(100, h100), 1192u);
  EXPECT_EQ(lines_beside(228, h100), 168u);
}

TEST(CarveOut, of_other_devices_is_one_of_their_sizes) {
  // 256 threads without shared memory: 32 KiB of an H100. Eight blocks of 8 KiB: 64 KiB and more.
  EXPECT_EQ(carve_out_kib({.threads = 256}, device("turing")), 32u);
  EXPECT_EQ(carve_out_kib({.threads = 1024}, device("turing")), 32u);  // 8 KiB of an H100
  EXPECT_EQ(carve_out_kib({.threads = 256, .shared_bytes = 8192}, device("turing")), 64u);
  EXPECT_EQ(carve_out_kib({.threads = 256, .shared_bytes = 40000}, device("volta")), 96u);
  EXPECT_EQ(carve_out_kib({.threads = 256, .shared_bytes = 60000}, device("ampere")), 132u);
  EXPECT_EQ(carve_out_kib({.threads = 256, .shared_bytes = 60000}, device("ada")), 64u);
  // 96 KiB less 32 KiB, of which an H100's L1 takes 7: 57 KiB.
  EXPECT_EQ(lines_beside(32, *device("turing").caches), 456u);
}

TEST(CarveOut, is_what_the_driver_chose_for_each_amount_of_shared_memory) {
  // A line for each size of a block: "cfg T 32: 0:32 1:64 1152:100" says that 1 to 1,151 bytes gave 64 KiB.
  std::ifstream file(tests::source_dir() / "tests/data/caches/carve_out.txt");
  ASSERT_TRUE(file);
  int compared = 0;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string word;
    uint32_t threads = 0;
    char colon = 0;
    if (!(words >> word) || word != "cfg") continue;
    ASSERT_TRUE(words >> word >> threads >> colon);
    uint32_t before = 0;
    uint64_t shared_bytes = 0;
    uint32_t kib = 0;
    while (words >> shared_bytes >> colon >> kib) {
      EXPECT_EQ(on_h100({.threads = threads, .shared_bytes = shared_bytes}), kib)
          << threads << " threads, " << shared_bytes << " bytes";
      const uint64_t step = shared_bytes <= 65536 ? 128 : 1024;  // between the amounts that were tried
      if (shared_bytes > 1) {
        EXPECT_EQ(on_h100({.threads = threads, .shared_bytes = shared_bytes - step}), before)
            << threads << " threads, " << shared_bytes - step << " bytes";
      }
      before = kib;
      ++compared;
    }
  }
  EXPECT_GT(compared, 300);
}

}  // namespace
}  // namespace lanescope::caches
