#include "caches/address_map.h"

#include <gtest/gtest.h>

namespace lanescope::caches {
namespace {

TEST(AddressMap, puts_large_buffers_at_multiples_of_two_mebibytes_and_small_ones_side_by_side) {
  const AddressMap map({{.name = "a", .size_bytes = 100},
                        {.name = "b", .size_bytes = 600},
                        {.name = "c", .size_bytes = uint64_t{1} << 20}});
  const uint64_t start = map.global(trace::global_address(0, 0));
  EXPECT_EQ(map.global(trace::global_address(0, 99)), start + 99);
  EXPECT_EQ(map.global(trace::global_address(1, 0)), start + 512);
  EXPECT_EQ(map.global(trace::global_address(2, 8)), start + (2 << 20) + 8);
  EXPECT_EQ(map.local_start(), start + (4 << 20));
}

}  // namespace
}  // namespace lanescope::caches
