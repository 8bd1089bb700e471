// Contents of the L2 from one launch to the next, and of one of another size.

#include "caches/l2_memory.h"

#include <gtest/gtest.h>

namespace lanescope::caches {
namespace {

constexpr uint64_t kLinesOfL2 = 4096;

Rules without_halves() {
  Rules rules;
  rules.halves = false;
  return rules;
}

void read_lines(L2Cache& l2, uint64_t first, uint64_t end) {
  for (uint64_t line = first; line < end; ++line) l2.read(0, line, kAllSectors, 0);
}

constexpr model::CacheParameters kSmall{
    .l1_bytes = 256 << 10, .l2_bytes = kLinesOfL2 * kLineBytes, .l2_partitions = 1};

void read_lines(L2Memory& l2, uint64_t first, uint64_t end) {
  for (uint64_t line = first; line < end; ++line) l2.read(0, line, kAllSectors, 0);
}

TEST(L2Memory, next_launch_finds_what_was_read_and_counts_anew) {
  L2Memory memory(kSmall, {});
  memory.begin_launch(100 * kLineBytes);
  read_lines(memory, 0, 100);
  EXPECT_EQ(memory.exact().counts().dram_read, 400u);
  memory.begin_launch(110 * kLineBytes);
  EXPECT_EQ(memory.exact().counts().read, 0u);
  EXPECT_EQ(memory.exact().counts().lines_held, 100u);
  read_lines(memory, 0, 110);
  EXPECT_EQ(memory.exact().counts().read, 440u);
  EXPECT_EQ(memory.exact().counts().dram_read, 40u);
  memory.clear();
  memory.begin_launch(0);
  EXPECT_EQ(memory.exact().counts().lines_held, 0u);
}

TEST(L2Memory, band_begins_with_the_launch_that_can_fill_half_of_the_l2) {
  L2Memory memory(kSmall, {});
  memory.begin_launch(2000 * kLineBytes);
  read_lines(memory, 0, 2000);
  EXPECT_FALSE(memory.dram_reads());
  // 3,600 lines fit into the L2, and not into 0.8 times its size, 3,276 lines.
  memory.begin_launch(3600 * kLineBytes);
  for (int round = 0; round < 2; ++round) read_lines(memory, 0, 3600);
  ASSERT_TRUE(memory.dram_reads());
  EXPECT_EQ(memory.exact().counts().dram_read, 1600u * 4);
  EXPECT_EQ(memory.dram_reads()->low, 1600u * 4);
  EXPECT_GT(memory.dram_reads()->high, 3600u * 4);
}

TEST(L2Memory, one_partition_of_a_device_is_found_by_all_multiprocessors) {
  L2Memory one(kSmall, {});
  model::CacheParameters device = kSmall;
  device.l2_partitions = 2;
  L2Memory two(device, {});
  for (L2Memory* memory : {&one, &two}) {
    memory->begin_launch(0);
    read_lines(*memory, 0, 100);
    for (uint64_t line = 0; line < 100; ++line) memory->read(1, line, kAllSectors, 0);
  }
  EXPECT_EQ(one.exact().counts().read_hits, 400u);
  EXPECT_LT(two.exact().counts().read_hits, 400u);  // lines that are at home in partition 1 alone
  EXPECT_EQ(two.exact().counts().dram_read, 400u);
}

/// Sectors of 800 lines that a launch reads from the DRAM after they were copied, in an L2 of 4096 lines that
/// is full.
uint64_t reads_after(const L2Memory::Copy& copy) {
  constexpr uint64_t kLines = 800;
  L2Memory memory(kSmall, {});
  memory.begin_launch(0);
  read_lines(memory, 10'000, 20'000);
  L2Memory::Copy all = copy;
  all.bytes = kLines * kLineBytes;
  memory.copy(all);
  memory.begin_launch(0);
  read_lines(memory, 0, kLines);
  return memory.exact().counts().dram_read;
}

TEST(L2Memory, copy_within_the_device_and_fill_leave_what_they_use) {
  EXPECT_EQ(reads_after({.is_written = true}), 0u);
  EXPECT_EQ(reads_after({.is_written = false}), 0u);
}

TEST(L2Memory, copy_from_or_to_the_host_pushes_out_itself) {
  // A line of each of 256 sets stays.
  EXPECT_GT(reads_after({.is_written = true, .is_of_host = true}), 4 * 400u);
  EXPECT_GT(reads_after({.is_written = false, .is_of_host = true}), 4 * 400u);
  L2Memory memory(kSmall, {});
  memory.begin_launch(0);
  read_lines(memory, 10'000, 20'000);
  memory.copy({.bytes = 64 << 10, .is_written = true, .is_of_host = true});
  memory.begin_launch(0);
  read_lines(memory, 0, 512);
  EXPECT_EQ(memory.exact().counts().dram_read, 0u) << "64 KiB";
}

TEST(L2Memory, copy_from_the_host_stays_in_an_l2_with_room) {
  L2Memory memory(kSmall, {});
  memory.copy({.first = 64, .bytes = 1000 * kLineBytes, .is_written = true, .is_of_host = true});
  memory.begin_launch(0);
  EXPECT_EQ(memory.exact().counts().lines_held, 1001u);
  read_lines(memory, 0, 1001);
  EXPECT_EQ(memory.exact().counts().dram_read, 0u);
  memory.copy({.bytes = uint64_t{1} << 45});  // the end of it alone is looked at
  EXPECT_GT(memory.exact().counts().lines_held, kLinesOfL2 * 9 / 10);
}

TEST(L2Memory, smaller_one_keeps_the_lines_that_were_used_last) {
  L2Cache l2(kLinesOfL2 / 2 * kLineBytes, without_halves());
  read_lines(l2, 0, 2000);
  L2Cache smaller = l2.resized(kLinesOfL2 / 8 * kLineBytes);  // 1024 lines
  read_lines(smaller, 1500, 2000);
  EXPECT_EQ(smaller.counts().dram_read, 0u);
  read_lines(smaller, 0, 100);
  EXPECT_EQ(smaller.counts().dram_read, 400u);
  L2Cache larger = l2.resized(kLinesOfL2 * kLineBytes);
  read_lines(larger, 0, 2000);
  EXPECT_EQ(larger.counts().dram_read, 0u);
}

TEST(L2Memory, what_a_launch_had_too_much_of_is_written_once) {
  // 24 MiB of stores: 22.5 MB stay in the L2, the rest is written when the kernel ends.
  L2Cache l2(uint64_t{32} << 20, without_halves());
  constexpr uint64_t kBytes = uint64_t{24} << 20;
  constexpr uint32_t kAll = ~uint32_t{0};
  for (uint64_t line = 0; line < kBytes / kLineBytes; ++line) l2.write(line, {kAll, kAll, kAll, kAll});
  const uint64_t written = l2.counts().dram_written;
  EXPECT_EQ(written, kBytes / 32 - 22'500'000 / 32);
  l2.begin_launch();
  EXPECT_EQ(l2.counts().dram_written, 0u);
}

}  // namespace
}  // namespace lanescope::caches
