// Bytes as the recorders leave them, laid out by hand.

#include "gpu/instrument/recorder_output.h"

#include "gpu/instrument/step_statistics.h"

#include <gtest/gtest.h>

namespace lanescope::gpu {
namespace {

std::vector<std::byte> bytes_of(const std::vector<uint32_t>& words) {
  const auto bytes = std::as_bytes(std::span(words));
  return {bytes.begin(), bytes.end()};
}

RecordedAccess whole_warp(uint32_t site) { return {.site = site, .mask = kAllLanes.bits}; }
RecordedAccess access_of(uint32_t site, uint32_t mask, uint32_t taken, uint32_t clock) {
  return {.site = site, .mask = mask, .taken = taken, .clock = clock};
}

std::vector<uint32_t> sites_of(const std::vector<RecordedAccess>& accesses) {
  std::vector<uint32_t> sites;
  for (const RecordedAccess& access : accesses) sites.push_back(access.site);
  return sites;
}

TEST(StepStatistics, expects_the_most_frequent_steps_of_whole_warps) {
  const auto stepping = [](int32_t stride, uint32_t mask) {
    return RecordedAccess{
        .site = 1, .mask = mask, .lanes = addresses_of({.mask = mask, .first = 4096, .stride = stride})};
  };
  StepStatistics statistics(kLanes);
  statistics.add(stepping(4, kAllLanes.bits));
  EXPECT_TRUE(statistics.expected(2)[1]->is_only);
  EXPECT_FALSE(statistics.expected(2)[0]);
  statistics.add(stepping(8, kAllLanes.bits));
  statistics.add(stepping(8, kAllLanes.bits));
  EXPECT_EQ(statistics.expected(2)[1]->stride, 8);
  EXPECT_FALSE(statistics.expected(2)[1]->is_only);
  StepStatistics parted(kLanes);
  parted.add(stepping(4, kAllLanes.bits));
  parted.add(stepping(4, 1));
  EXPECT_FALSE(parted.expected(2)[1]->is_only) << "some lanes alone were seen too";
}

/// The lanes of a block of 32 x 1 threads in two rows of 16: no steps, yet always the same distances.
TEST(StepStatistics, expects_distances_that_are_no_steps_if_most_accesses_have_them) {
  RecordedAccess rows{.site = 0, .mask = kAllLanes.bits};
  for (uint32_t lane = 0; lane < kLanes; ++lane) rows.lanes[lane] = 4096 + lane / 16 * 1024 + lane % 16 * 4;
  StepStatistics statistics(kLanes);
  statistics.add(rows);
  const auto expected = statistics.expected(1)[0];
  ASSERT_TRUE(expected && expected->distances);
  EXPECT_EQ((*expected->distances)[17], 1024 + 4);
  EXPECT_EQ(addresses_of(*expected, 4096, kLanes), rows.lanes);
  RecordedAccess scattered = rows;
  for (uint64_t n = 1; n < 3; ++n) {
    scattered.lanes[5] = 4 * n;
    statistics.add(scattered);
  }
  EXPECT_FALSE(statistics.expected(1)[0]) << "one of three";
}

TEST(LaneAddresses, rows_of_a_block_have_their_own_stride) {
  const LaneAddresses lanes = addresses_of(
      {.mask = kAllLanes.bits, .first = 0x700001000, .stride = 4, .row_stride = 256, .row_lanes = 16});
  EXPECT_EQ(lanes[0], 0x700001000u);
  EXPECT_EQ(lanes[15], 0x70000103cu);
  EXPECT_EQ(lanes[16], 0x700001100u);
  EXPECT_EQ(lanes[31], 0x70000113cu);
}

TEST(LaneAddresses, the_stride_of_a_partial_warp_is_that_of_its_first_two_lanes) {
  const LaneAddresses lanes = addresses_of({.mask = 0b10010001, .first = 1000, .stride = -32});
  EXPECT_EQ(lanes[0], 1000u);
  EXPECT_EQ(lanes[4], 968u);
  EXPECT_EQ(lanes[7], 944u);
}

TEST(LaneAddresses, strided_addresses_need_no_list) {
  LaneAddresses lanes{}, list{};
  for (size_t l = 0; l < lanes.size(); ++l) lanes[l] = 4096 - 8 * l;
  const trace::AddressRef found = reference_to(lanes, {0xff00}, list);
  ASSERT_TRUE(found.affine());
  EXPECT_EQ(found.base, 4096u);
  EXPECT_EQ(found.stride, -8);
  lanes[9] += 1;
  EXPECT_FALSE(reference_to(lanes, {0xff00}, list).affine());
  EXPECT_EQ(list[1], lanes[9]);
}

TEST(UnitReader, reads_a_whole_warp_some_lanes_and_a_list_and_stops_at_a_free_unit) {
  RecorderLayout plan;
  plan.block = {32, 1, 1};
  std::vector<uint32_t> list(RecorderLayout::kListBytes / 4);
  list[0] = 6;  // site 5
  list[1] = 0b101;
  list[4 + 0] = 111;      // lane 0, low half
  list[4 + 2 * 2] = 222;  // lane 2
  const auto lists = bytes_of(list);
  const auto units = bytes_of({0x1000, (3 << 18) | 0x7f,
                               4,      0,  // site 2, whole warp
                               0x2000, (4 << 18) | (1 << 16),
                               8,      0,
                               0xf0,   7,
                               55,     1,  // site 3, lanes 4 to 7
                               40,     (6 << 18) | (2 << 16),
                               0b101,  9,  // site 5, list 40
                               0,      0,
                               0,      0,
                               0x1000, 3 << 18,
                               4,      0});
  std::vector<RecordedAccess> found;
  UnitReader(plan, lists, 40).read(units, found);
  ASSERT_EQ(sites_of(found), (std::vector<uint32_t>{2, 3, 5}));
  EXPECT_EQ(found[0].lanes[31], 0x7f0000107cu);
  EXPECT_EQ(found[1].mask, 0xf0u);
  EXPECT_EQ(found[1].taken, 7u);
  EXPECT_EQ(found[1].clock, 55u);
  EXPECT_EQ(found[1].lanes[7], 0x2018u);
  EXPECT_EQ(found[2].lanes[2], 222u);
  EXPECT_EQ(found[2].taken, 9u);
}

TEST(InOrder, an_arm_that_the_first_lane_did_not_take_precedes_the_reconvergence) {
  std::vector<std::vector<RecordedAccess>> streams(kLanes);
  streams[0] = {whole_warp(1), access_of(2, 0x0000ffff, 1, 500), whole_warp(4)};
  streams[16] = {access_of(3, 0xffff0000, 1, 700)};
  EXPECT_EQ(sites_of(in_order(streams)), (std::vector<uint32_t>{1, 2, 3, 4}));
}

TEST(InOrder, accesses_of_a_lane_stay_ordered_under_changing_first_lanes) {
  std::vector<std::vector<RecordedAccess>> streams(kLanes);
  streams[1] = {access_of(7, 0b0110, 0, 0xfffffff0)};  // the clock wraps around
  streams[0] = {access_of(8, 0b0101, 0, 10)};
  EXPECT_EQ(sites_of(in_order(streams)), (std::vector<uint32_t>{7, 8}));
}

TEST(InOrder, inconsistent_counts_drop_no_access) {
  std::vector<std::vector<RecordedAccess>> streams(kLanes);
  streams[3] = {access_of(1, 0x8, 5, 1), access_of(2, 0x8, 9, 2)};
  EXPECT_EQ(sites_of(in_order(streams)), (std::vector<uint32_t>{1, 2}));
}

TEST(Patterns, a_claimed_but_unpublished_entry_is_absent) {
  const auto dictionary = bytes_of({4, 0, 0xffffffff, 0x80000000, 4, 0, 0xffffffff, 0xc0000020});
  EXPECT_FALSE(pattern_at(dictionary, 0, kLanes));
  const auto pattern = pattern_at(dictionary, 1, kLanes);
  ASSERT_TRUE(pattern);
  EXPECT_EQ(pattern->site, 0u);
  EXPECT_EQ(pattern->lanes[0] % 128, 32u);
  EXPECT_EQ(pattern->lanes[31] - pattern->lanes[0], 124u);
}

}  // namespace
}  // namespace lanescope::gpu
