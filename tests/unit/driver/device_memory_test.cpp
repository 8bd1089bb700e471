// Allocations: their numbers, their memory, what there is no room for.

#include "driver/server/device_memory.h"

#include "trace/access.h"

#include <cstring>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lanescope::driver {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

TEST(DeviceMemory, an_allocation_is_zeros_that_both_sides_map) {
  DeviceMemory memory(kMiB);
  const auto number = memory.allocate(100, Visibility::Device);
  ASSERT_TRUE(number);
  const Allocation& allocation = memory.allocation(*number);
  EXPECT_EQ(allocation.region.size_bytes, 100u);
  EXPECT_EQ(allocation.region.data[99], std::byte{0});
  void* other = mmap(nullptr, 100, PROT_READ | PROT_WRITE, MAP_SHARED, allocation.descriptor, 0);
  ASSERT_NE(other, MAP_FAILED);
  std::memset(other, 7, 100);
  EXPECT_EQ(allocation.region.data[99], std::byte{7});
  munmap(other, 100);
}

TEST(DeviceMemory, the_program_cannot_shrink_what_is_mapped_here) {
  DeviceMemory memory(kMiB);
  const auto number = memory.allocate(8192, Visibility::Device);
  ASSERT_TRUE(number);
  EXPECT_NE(ftruncate(memory.allocation(*number).descriptor, 0), 0);
}

TEST(DeviceMemory, memory_for_the_host_lies_below_where_programs_are_placed) {
  DeviceMemory memory(kMiB);
  const auto device = memory.allocate(1, Visibility::Device), shared = memory.allocate(1, Visibility::Shared);
  ASSERT_TRUE(device && shared);
  EXPECT_LT(trace::global_address(*shared, 0), 0x5555'5555'4000u);
  EXPECT_NE(*device, *shared);
  for (int n = 1; n < 83; ++n) ASSERT_TRUE(memory.allocate(1, Visibility::Shared)) << n;
  EXPECT_FALSE(memory.allocate(1, Visibility::Shared));
  EXPECT_TRUE(memory.allocate(1, Visibility::Device));
}

TEST(DeviceMemory, what_is_freed_makes_room_and_its_number_is_used_again) {
  DeviceMemory memory(1000);
  const auto first = memory.allocate(600, Visibility::Device);
  ASSERT_TRUE(first);
  const auto second = memory.allocate(600, Visibility::Device);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, ErrorKind::Limit);
  ASSERT_TRUE(memory.free(trace::global_address(*first, 0)));
  EXPECT_EQ(memory.used_bytes(), 0u);
  EXPECT_EQ(memory.regions()[*first].size_bytes, 0u);
  EXPECT_EQ(memory.freed().at(*first).size_bytes, 600u);
  EXPECT_EQ(memory.allocate(600, Visibility::Device), *first);
  EXPECT_TRUE(memory.freed().empty());
}

TEST(DeviceMemory, wrong_addresses_and_sizes_are_refused) {
  DeviceMemory memory(kMiB);
  const auto number = memory.allocate(16, Visibility::Device);
  ASSERT_TRUE(number);
  const uint64_t address = trace::global_address(*number, 0);
  for (const uint64_t wrong : {uint64_t{0}, uint64_t{5}, address + 4, trace::global_address(*number + 1, 0),
                               trace::global_address(0, 0), ~uint64_t{0}})
    EXPECT_FALSE(memory.free(wrong)) << wrong;
  EXPECT_TRUE(memory.free(address));
  EXPECT_FALSE(memory.free(address));
  EXPECT_FALSE(memory.allocate(0, Visibility::Device));
  EXPECT_FALSE(memory.allocate(uint64_t{200} << 30, Visibility::Device));
  EXPECT_FALSE(memory.allocate(~uint64_t{0}, Visibility::Shared));
}

}  // namespace
}  // namespace lanescope::driver
