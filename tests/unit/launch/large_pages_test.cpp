// Large buffers: their contents, and the memory that zeros take.

#include "launch/large_pages.h"

#include <algorithm>
#include <fstream>

#include <gtest/gtest.h>

namespace lanescope::launch {
namespace {

/// Resident bytes of this process.
uint64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  uint64_t all = 0;
  uint64_t resident = 0;
  file >> all >> resident;
  return resident * 4096;
}

TEST(LargePages, room_is_empty_and_large_enough) {
  for (const uint64_t size : {uint64_t{0}, uint64_t{100}, uint64_t{20} << 20}) {
    const auto room = room_for(size);
    EXPECT_TRUE(room.empty());
    EXPECT_GE(room.capacity(), size);
  }
}

TEST(LargePages, zeros_are_zeros_of_any_size) {
  for (const uint64_t size : {uint64_t{0}, uint64_t{1}, uint64_t{4097}, (uint64_t{32} << 20) + 5}) {
    const auto made = zeros(size);
    EXPECT_EQ(made->size(), size);
    EXPECT_TRUE(std::ranges::all_of(*made, [](std::byte byte) { return byte == std::byte{0}; })) << size;
  }
}

TEST(LargePages, zeros_take_no_memory) {
  const uint64_t before = resident_bytes();
  const auto made = zeros(uint64_t{256} << 20);
  const uint64_t after = resident_bytes();
  EXPECT_LT(after, before + (uint64_t{64} << 20));
}

}  // namespace
}  // namespace lanescope::launch
