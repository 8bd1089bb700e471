// Resident warps, and what they would be otherwise, by hand.

#include "model/occupancy.h"

#include "support/project.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace lanescope::model {
namespace {

Device h200() { return find_device(tests::source_dir() / "assets/devices", "h200").value(); }

trace::Trace launch(uint32_t threads, uint32_t shared_bytes, uint32_t registers) {
  trace::Trace trace;
  trace.block = {threads, 1, 1};
  trace.shared_bytes = shared_bytes;
  trace.registers_per_thread = registers;
  return trace;
}

uint32_t warps_at(const OccupancyCurve& curve, uint64_t value) {
  const auto found = std::ranges::find(curve.at, value);
  return found == curve.at.end() ? ~0u : curve.warps[static_cast<size_t>(found - curve.at.begin())];
}

TEST(Occupancy, fewer_registers_let_more_blocks_in) {
  // 65,536 registers: 256 threads of 64 each take 16,384, so 4 blocks fit; of 48, 12,288, so 5; of 56, 4.
  const Occupancy occupancy = occupancy_of(launch(256, 0, 64), h200());
  EXPECT_EQ(occupancy.residency.limit, ResidencyLimit::Registers);
  EXPECT_EQ(occupancy.warps, 32u);
  EXPECT_EQ(occupancy.most_warps, 64u);
  ASSERT_TRUE(occupancy.fewer_registers);
  EXPECT_EQ(occupancy.fewer_registers->value, 48u);
  EXPECT_EQ(occupancy.fewer_registers->blocks, 5u);
  EXPECT_EQ(occupancy.fewer_registers->warps, 40u);
  EXPECT_FALSE(occupancy.less_shared);
  EXPECT_EQ(warps_at(occupancy.by_registers, 64), 32u);
  EXPECT_EQ(warps_at(occupancy.by_registers, 32), 64u);
  EXPECT_EQ(warps_at(occupancy.by_registers, 255), 8u);
}

TEST(Occupancy, less_shared_memory_lets_more_blocks_in) {
  // 228 KiB: two blocks of 100 KiB and the kilobyte of the system; three of 75 KiB with theirs.
  const Occupancy occupancy = occupancy_of(launch(256, 100 << 10, 32), h200());
  EXPECT_EQ(occupancy.residency.limit, ResidencyLimit::SharedMemory);
  EXPECT_EQ(occupancy.warps, 16u);
  ASSERT_TRUE(occupancy.less_shared);
  EXPECT_EQ(occupancy.less_shared->value, 75u << 10);
  EXPECT_EQ(occupancy.less_shared->warps, 24u);
  EXPECT_FALSE(occupancy.fewer_registers);
  // Two blocks of 1024 threads hold 64 warps with the shared memory of 256 threads.
  ASSERT_TRUE(occupancy.other_threads);
  EXPECT_EQ(occupancy.other_threads->value, 1024u);
  EXPECT_EQ(occupancy.other_threads->warps, 64u);
}

TEST(Occupancy, nearest_size_of_the_block_is_named) {
  // 20 warps: 3 blocks hold 60 of 64; 512 threads and 1024 hold 64, 512 is nearer.
  const Occupancy occupancy = occupancy_of(launch(640, 0, 16), h200());
  EXPECT_EQ(occupancy.warps, 60u);
  ASSERT_TRUE(occupancy.other_threads);
  EXPECT_EQ(occupancy.other_threads->value, 512u);
  EXPECT_EQ(occupancy.other_threads->blocks, 4u);
  EXPECT_EQ(warps_at(occupancy.by_threads, 32), 32u);
}

TEST(Occupancy, full_multiprocessor_has_no_what_if) {
  const Occupancy occupancy = occupancy_of(launch(256, 0, 32), h200());
  EXPECT_EQ(occupancy.warps, 64u);
  EXPECT_FALSE(occupancy.fewer_registers || occupancy.less_shared || occupancy.other_threads);
}

TEST(Occupancy, block_that_does_not_fit_has_no_warps) {
  const Occupancy occupancy = occupancy_of(launch(1024, 0, 32), h200());
  EXPECT_EQ(warps_at(occupancy.by_registers, 64), 32u);
  EXPECT_EQ(warps_at(occupancy.by_registers, 65), 0u);  // 72 by pieces: 73,728 registers
}

TEST(Occupancy, unknown_registers_have_no_curve) {
  const Occupancy occupancy = occupancy_of(launch(256, 0, 0), h200());
  EXPECT_TRUE(occupancy.by_registers.at.empty());
  EXPECT_FALSE(occupancy.fewer_registers);
}

}  // namespace
}  // namespace lanescope::model
