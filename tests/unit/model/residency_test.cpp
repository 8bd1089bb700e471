// How many blocks fit on a multiprocessor, by each limit, and the resulting waves.

#include "model/residency.h"

#include "support/project.h"
#include "support/trace_builder.h"
#include "support/transpose_trace.h"

#include <gtest/gtest.h>

namespace lanescope::model {
namespace {

Device device(std::string_view name) {
  return find_device(tests::source_dir() / "assets/devices", name).value();
}

/// A trace with only its launch.
trace::Trace launch(Dim3 block, uint32_t shared_bytes, uint32_t registers = 0) {
  trace::Trace trace;
  trace.block = block;
  trace.shared_bytes = shared_bytes;
  trace.registers_per_thread = registers;
  return trace;
}

TEST(Residency, names_the_limit_that_is_reached_first) {
  const Device h200 = device("h200");
  EXPECT_EQ(residency_of(launch({32, 1, 1}, 0), h200).limit, ResidencyLimit::Blocks);
  EXPECT_EQ(residency_of(launch({32, 1, 1}, 0), h200).per_multiprocessor, 32u);
  const Residency warps = residency_of(launch({256, 1, 1}, 0), h200);
  EXPECT_EQ(warps.limit, ResidencyLimit::Warps);
  EXPECT_EQ(warps.per_multiprocessor, 8u);  // 64 warps, 8 in a block
  EXPECT_EQ(warps.in_flight, 8u * 132);
  // 228 KB: two blocks of 100 KB, each with a kilobyte reserved by the system.
  const Residency shared = residency_of(launch({256, 1, 1}, 100 << 10), h200);
  EXPECT_EQ(shared.limit, ResidencyLimit::SharedMemory);
  EXPECT_EQ(shared.per_multiprocessor, 2u);
  EXPECT_EQ(shared.by_warps, 8u);
}

TEST(Residency, registers_limit_residency_from_compute_capability_2_0) {
  // 64 K registers: 256 threads of 128 each leave room for two blocks.
  const Residency h200 = residency_of(launch({256, 1, 1}, 0, 128), device("h200"));
  EXPECT_EQ(h200.limit, ResidencyLimit::Registers);
  EXPECT_EQ(h200.per_multiprocessor, 2u);
  // The estimate is of code for 64-bit pointers, which no GTX 280 has.
  const Residency gt200 = residency_of(launch({256, 1, 1}, 0, 128), device("gt200"));
  EXPECT_EQ(gt200.limit, ResidencyLimit::Warps);
  EXPECT_FALSE(gt200.by_registers);
}

/// As the driver of an H100 counts them.
TEST(Residency, registers_and_shared_memory_are_given_in_pieces) {
  const Device h200 = device("h200");
  struct Case {
    uint32_t registers, threads, blocks;
  };
  // 34 registers are 5 pieces of 256 for a warp: 12 warps in each quarter, 48 in all.
  for (const Case& one : {Case{34, 64, 24},
                          {34, 96, 16},
                          {34, 160, 9},
                          {34, 544, 2},
                          {34, 800, 1},
                          {32, 64, 32},
                          {40, 256, 6},
                          {248, 256, 1},
                          {255, 32, 8}})
    EXPECT_EQ(residency_of(launch({one.threads, 1, 1}, 0, one.registers), h200).per_multiprocessor,
              one.blocks)
        << one.registers << " registers, " << one.threads << " threads";
  // 228 KB are 1824 pieces of 128 bytes. 6,272 bytes and 1,024 of the system are 57 pieces: 32 blocks; one
  // byte more takes another piece.
  EXPECT_EQ(residency_of(launch({64, 1, 1}, 6272, 24), h200).per_multiprocessor, 32u);
  EXPECT_EQ(residency_of(launch({64, 1, 1}, 6273, 24), h200).per_multiprocessor, 31u);
}

TEST(Residency, a_block_that_does_not_fit_is_one_per_multiprocessor) {
  EXPECT_EQ(residency_of(launch({1024, 1, 1}, 1 << 20), device("h200")).per_multiprocessor, 1u);
}

TEST(Waves, cover_the_grid_without_overlap) {
  EXPECT_EQ(wave_count(4096, 90), 46u);  // 45 * 90 = 4050
  uint32_t next = 0;
  for (uint32_t n = 0; n < 46; ++n) {
    const Wave wave = wave_of(4096, 90, n);
    EXPECT_EQ(wave.number, n);
    EXPECT_EQ(wave.first, next);
    next = wave.end;
  }
  EXPECT_EQ(next, 4096u);
  EXPECT_EQ(wave_of(4096, 90, 1000).number, 45u);
  EXPECT_EQ(wave_count(0, 90), 0u);
  EXPECT_EQ(wave_count(10, 0), 0u);
}

TEST(Waves, of_a_camped_transpose_write_one_partition_each_or_two_at_a_boundary) {
  // 2048 floats a row: 64 tiles in a column of tiles, two columns to a partition; 90 blocks a wave.
  const PartitionReport report = map_partitions(
      tests::transpose_trace({.width = 2048, .height = 2048, .padding = 1, .first_blocks = 270}),
      device("gt200"));
  const WaveTraffic first = traffic_of(report, wave_of(4096, 90, 0));
  EXPECT_DOUBLE_EQ(first.written_effective, 1);
  EXPECT_DOUBLE_EQ(first.written_busiest, 1);
  EXPECT_GT(first.read_effective, 7.5);
  // Blocks 90 to 179 write tile columns 1 (38 tiles of partition 0) and 2 (52 tiles of partition 1).
  const WaveTraffic second = traffic_of(report, wave_of(4096, 90, 1));
  EXPECT_NEAR(second.written_busiest, 52.0 / 90, 1e-9);
  EXPECT_EQ(second.written_bytes[1], 52u * 32 * 128);
  EXPECT_EQ(second.written_bytes[2], 0u);
}

TEST(Waves, transfer_the_sum_of_their_blocks) {
  const PartitionReport report =
      map_partitions(tests::transpose_trace({.width = 512, .height = 512, .padding = 1}), device("gt200"));
  uint64_t written = 0;
  for (uint32_t n = 0; n < wave_count(256, 90); ++n)
    for (const uint64_t bytes : traffic_of(report, wave_of(256, 90, n)).written_bytes) written += bytes;
  EXPECT_EQ(written, 512u * 512 * 4);
}

TEST(Waves, without_a_map_have_no_traffic) {
  EXPECT_TRUE(traffic_of({}, {.number = 0, .first = 0, .end = 5}).read_bytes.empty());
}

}  // namespace
}  // namespace lanescope::model
