#include "base/memory_size.h"

#include <cstdint>
#include <limits>
#include <new>

#include <gtest/gtest.h>

namespace lanescope {
namespace {

TEST(MemorySize, more_than_a_container_can_hold_is_refused) {
  constexpr uint64_t kMost = std::numeric_limits<ptrdiff_t>::max();
  EXPECT_EQ(memory_size(kMost), kMost);
  EXPECT_THROW((void)memory_size(kMost + 1), std::bad_alloc);
  EXPECT_THROW((void)memory_size(std::numeric_limits<uint64_t>::max()), std::bad_alloc);
}

}  // namespace
}  // namespace lanescope
