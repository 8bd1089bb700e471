// The bytes of large buffers: their contents, and the memory that they take.

#include "launch/bytes.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <new>

#include <gtest/gtest.h>

namespace lanescope::launch {
namespace {

constexpr size_t kMegabyte = size_t{1} << 20;

/// Resident bytes of this process.
uint64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  uint64_t all = 0;
  uint64_t resident = 0;
  file >> all >> resident;
  return resident * 4096;
}

bool are_all(const Bytes& bytes, std::byte value) {
  return std::ranges::all_of(bytes, [value](std::byte byte) { return byte == value; });
}

TEST(Bytes, new_ones_are_zeros) {
  for (const size_t size : {size_t{0}, size_t{1}, size_t{4097}, 2 * kMegabyte, 32 * kMegabyte + 5}) {
    // What was there before must not be seen.
    {
      const Bytes before(size, std::byte{1});
    }
    const Bytes made(size);
    EXPECT_EQ(made.size(), size);
    EXPECT_TRUE(are_all(made, std::byte{0})) << size;
  }
}

TEST(Bytes, new_ones_take_no_memory) {
  const uint64_t before = resident_bytes();
  const Bytes made(256 * kMegabyte);
  EXPECT_LT(resident_bytes(), before + 64 * kMegabyte);
}

TEST(Bytes, memory_that_is_freed_is_taken_no_more) {
  const uint64_t before = resident_bytes();
  {
    const Bytes made(64 * kMegabyte, std::byte{1});
  }
  EXPECT_LT(resident_bytes(), before + 32 * kMegabyte);
}

TEST(Bytes, large_ones_begin_at_a_large_page) {
  for (const size_t size : {2 * kMegabyte, 3 * kMegabyte + 1, 5 * kMegabyte}) {
    const Bytes made(size);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(made.data()) % (2 * kMegabyte), 0u) << size;
  }
}

TEST(Bytes, copies_and_values) {
  const Bytes ones(3 * kMegabyte, std::byte{1});
  Bytes copy = ones;
  EXPECT_EQ(copy, ones);
  copy.resize(4 * kMegabyte, std::byte{1});
  EXPECT_TRUE(are_all(copy, std::byte{1}));
  copy.assign(5, std::byte{2});
  EXPECT_EQ(copy.size(), 5u);
  EXPECT_TRUE(are_all(copy, std::byte{2}));
}

TEST(Bytes, too_many_are_refused) { EXPECT_THROW(Bytes(size_t{1} << 62), std::bad_alloc); }

}  // namespace
}  // namespace lanescope::launch
