// Addresses of an access: what is packed into 64 bits comes out again, and each active lane has its own.

#include "trace/access.h"

#include <array>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::trace {
namespace {

using testing::ElementsAre;

using Visit = std::tuple<int, int, uint64_t>;  // n, lane, address
std::vector<Visit> visits(const WarpAccess& access) {
  std::vector<Visit> found;
  for_each_address(access, [&](int n, int lane, uint64_t address) { found.emplace_back(n, lane, address); });
  return found;
}

TEST(GlobalAddress, has_its_buffer_and_its_offset) {
  constexpr uint64_t kAddress = global_address(3, 0x1234);
  EXPECT_EQ(kAddress, 0x0000'0400'0000'1234u);
  EXPECT_TRUE(has_buffer(kAddress));
  EXPECT_EQ(buffer_of(kAddress), 3u);
  EXPECT_EQ(offset_of(kAddress), 0x1234u);
}

TEST(GlobalAddress, the_last_byte_of_a_buffer_is_not_in_the_next) {
  constexpr uint64_t kLast = (uint64_t{1} << 40) - 1;
  EXPECT_EQ(buffer_of(global_address(0, kLast)), 0u);
  EXPECT_EQ(offset_of(global_address(0, kLast)), kLast);
  EXPECT_EQ(global_address(0, kLast) + 1, global_address(1, 0));
}

TEST(GlobalAddress, below_the_first_buffer_is_none) {
  EXPECT_FALSE(has_buffer(0));
  EXPECT_FALSE(has_buffer((uint64_t{1} << 40) - 1));
  EXPECT_TRUE(has_buffer(global_address(0, 0)));
}

TEST(AddressRef, an_affine_one_is_base_and_lane_times_stride) {
  const AddressRef addresses{.base = 1000, .stride = -4};
  EXPECT_TRUE(addresses.affine());
  EXPECT_EQ(addresses.at(0, 0), 1000u);
  EXPECT_EQ(addresses.at(0, 31), 1000u - 124) << "the lane counts, not which of the active ones it is";
  const AddressRef same{.base = 64};
  EXPECT_EQ(same.at(5, 20), 64u) << "a broadcast";
}

TEST(AddressRef, a_listed_one_is_by_the_count_of_active_lanes) {
  constexpr std::array<uint64_t, 2> kList{500, 300};
  const AddressRef addresses{.list = kList.data()};
  EXPECT_FALSE(addresses.affine());
  EXPECT_EQ(addresses.at(0, 4), 500u);
  EXPECT_EQ(addresses.at(1, 30), 300u);
}

TEST(ForEachAddress, visits_active_lanes_alone_in_rising_order) {
  WarpAccess access;
  access.active = LaneMask{0x80000012};
  access.addresses = {.base = 8, .stride = 16};
  EXPECT_THAT(visits(access), ElementsAre(Visit{0, 1, 24u}, Visit{1, 4, 72u}, Visit{2, 31, 8u + 31 * 16}));
  constexpr std::array<uint64_t, 3> kList{7, 6, 5};
  access.addresses = {.list = kList.data()};
  EXPECT_THAT(visits(access), ElementsAre(Visit{0, 1, 7u}, Visit{1, 4, 6u}, Visit{2, 31, 5u}));
}

}  // namespace
}  // namespace lanescope::trace
