// Partition camping by width, against counts computed from the index formulas.

#include "model/partitions.h"

#include "model/residency.h"
#include "model/sectors.h"
#include "support/project.h"
#include "support/trace_builder.h"
#include "support/transpose_trace.h"
#include "support/warp_pattern.h"

#include <algorithm>
#include <numeric>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::model {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using tests::TraceBuilder;
using tests::Transpose;
using tests::transpose_trace;
using trace::global_address;
using trace::Kind;
using trace::Space;

Device device(std::string_view name) {
  return find_device(tests::source_dir() / "assets/devices", name).value();
}

struct Spread {
  int partitions = 0;
  double busiest = 0;
};

/// Partitions of the first `blocks` rows, and the share of the busiest one.
Spread spread_of(const std::vector<uint32_t>& bytes, uint32_t partitions, size_t blocks) {
  std::vector<uint64_t> sum(partitions);
  for (size_t n = 0; n < blocks * partitions; ++n) sum[n % partitions] += bytes[n];
  Spread spread;
  for (const uint64_t part : sum) spread.partitions += part != 0;
  const auto total = static_cast<double>(std::accumulate(sum.begin(), sum.end(), uint64_t{0}));
  spread.busiest = static_cast<double>(std::ranges::max(sum)) / total;
  return spread;
}

/// Writes of the blocks of the first wave in a transpose of a square matrix of this width.
Spread written_spread(std::string_view name, uint32_t width, Transpose order = Transpose::Tiled) {
  const PartitionReport report = map_partitions(
      transpose_trace({.width = width, .height = width, .padding = 1, .variant = order, .first_blocks = 120}),
      device(name));
  return spread_of(report.written_bytes, report.partitions, report.blocks_in_flight);
}

TEST(Partitions, of_an_address_on_a_gtx_280) {
  const PartitionMap map = device("gt200").partitions;
  EXPECT_EQ(partition_of(global_address(0, 0), map), 0u);
  EXPECT_EQ(partition_of(global_address(0, 255), map), 0u);
  EXPECT_EQ(partition_of(global_address(0, 256), map), 1u);
  EXPECT_EQ(partition_of(global_address(0, 2047), map), 7u);
  EXPECT_EQ(partition_of(global_address(3, 2048), map), 0u);
}

TEST(Partitions, six_of_them_on_a_g80) {
  const PartitionMap map = device("g80").partitions;
  EXPECT_EQ(partition_of(global_address(0, 5 * 256), map), 5u);
  EXPECT_EQ(partition_of(global_address(0, 6 * 256), map), 0u);
}

TEST(Partitions, the_first_wave_of_a_gtx_280_is_90_blocks_with_a_tile_and_120_without) {
  trace::Trace trace = transpose_trace({.width = 32, .height = 32, .padding = 1});
  EXPECT_EQ(residency_of(trace, device("gt200")).in_flight, 90u);
  trace.shared_bytes = 4096;
  EXPECT_EQ(residency_of(trace, device("gt200")).in_flight, 90u);
  trace.shared_bytes = 0;
  EXPECT_EQ(residency_of(trace, device("gt200")).in_flight, 120u);
}

TEST(Partitions, small_blocks_are_limited_by_their_number) {
  trace::Trace trace = transpose_trace({.width = 32, .height = 32, .padding = 1});
  trace.shared_bytes = 0;
  trace.block = {1, 1, 1};
  EXPECT_EQ(residency_of(trace, device("gt200")).in_flight, 240u);
}

TEST(Partitions, a_block_that_does_not_fit_counts_as_one_per_multiprocessor) {
  trace::Trace trace = transpose_trace({.width = 32, .height = 32, .padding = 1});
  trace.shared_bytes = 200000;
  EXPECT_EQ(residency_of(trace, device("gt200")).in_flight, 30u);
}

TEST(Partitions, writes_of_the_first_90_tiles_camp_by_the_width_of_the_matrix) {
  const auto expect = [](uint32_t width, int partitions, double busiest) {
    const Spread spread = written_spread("gt200", width);
    EXPECT_EQ(spread.partitions, partitions) << width;
    EXPECT_NEAR(spread.busiest, busiest, 0.01) << width;
  };
  expect(2048, 1, 1.00);
  expect(2080, 8, 0.12);
  expect(2112, 8, 0.12);
  expect(1920, 4, 0.25);
  expect(1536, 1, 1.00);
  expect(1024, 2, 0.71);
}

TEST(Partitions, on_a_g80_other_widths_camp) {
  const auto expect = [](uint32_t width, int partitions, double busiest) {
    const Spread spread = written_spread("g80", width);
    EXPECT_EQ(spread.partitions, partitions) << width;
    EXPECT_NEAR(spread.busiest, busiest, 0.01) << width;
  };
  expect(2048, 3, 0.33);
  expect(2080, 6, 0.17);
  expect(2112, 2, 0.50);
  expect(1920, 1, 1.00);
  expect(1536, 1, 1.00);
  expect(1024, 3, 0.33);
}

TEST(Partitions, diagonal_order_spreads_camped_writes) {
  const Spread spread = written_spread("gt200", 2048, Transpose::Diagonal);
  EXPECT_EQ(spread.partitions, 8);
  EXPECT_LT(spread.busiest, 0.15);
}

TEST(Partitions, effective_partitions_are_one_when_camped_and_all_when_spread) {
  const auto report = [](Transpose order) {
    return map_partitions(
        transpose_trace({.width = 2048, .height = 2048, .padding = 1, .variant = order, .first_blocks = 90}),
        device("gt200"));
  };
  const PartitionReport camped = report(Transpose::Tiled);
  EXPECT_DOUBLE_EQ(camped.written_effective, 1.0);
  EXPECT_GT(camped.read_effective, 7.5);
  EXPECT_GT(report(Transpose::Diagonal).written_effective, 7.5);
  EXPECT_GT(report(Transpose::Diagonal).read_effective, 7.5);
  EXPECT_EQ(camped.blocks_missing, 4096u - 90u);
}

TEST(Partitions, every_byte_of_every_sector_is_counted_once) {
  const PartitionReport report =
      map_partitions(transpose_trace({.width = 100, .height = 72, .padding = 1}), device("gt200"));
  // Rows of 400 bytes start within a sector every other time, so the sum is taken from each access.
  const trace::Trace trace = transpose_trace({.width = 100, .height = 72, .padding = 1});
  uint64_t read = 0;
  uint64_t written = 0;
  for (const trace::StoredBlock& block : trace.blocks) {
    for (const trace::StoredAccess& stored : block.accesses) {
      const trace::WarpAccess access = view(trace, block, stored);
      const uint64_t bytes = uint64_t{32} * count_sectors(access).sectors;
      (access.operation.kind == Kind::Load ? read : written) += bytes;
    }
  }
  EXPECT_EQ(std::accumulate(report.read_bytes.begin(), report.read_bytes.end(), uint64_t{0}), read);
  EXPECT_EQ(std::accumulate(report.written_bytes.begin(), report.written_bytes.end(), uint64_t{0}), written);
}

TEST(Partitions, rows_of_the_report_are_blocks_in_launch_order) {
  const PartitionReport report =
      map_partitions(transpose_trace({.width = 64, .height = 64, .padding = 1}), device("gt200"));
  EXPECT_THAT(report.blocks, ElementsAre(CtaId{0}, CtaId{1}, CtaId{2}, CtaId{3}));
  // Block 1 reads columns 32 to 63 of rows of 256 bytes: a row is in one partition, and 128 bytes of it are
  // read.
  ASSERT_EQ(report.read_bytes.size(), 4u * 8);
  for (size_t partition = 0; partition < 8; ++partition)
    EXPECT_EQ(report.read_bytes[8 + partition], 4u * 128);
}

TEST(Partitions, parts_one_after_the_other_make_the_report_of_the_whole) {
  const trace::Trace whole = transpose_trace({.width = 96, .height = 64, .padding = 1});
  trace::Trace first = whole, later = whole;
  first.blocks.resize(2);
  later.blocks.erase(later.blocks.begin(), later.blocks.begin() + 2);
  PartitionReport report = map_partitions(first, device("gt200"));
  EXPECT_EQ(report.blocks_missing, 4u);
  append(report, map_partitions(later, device("gt200")));
  const PartitionReport wanted = map_partitions(whole, device("gt200"));
  EXPECT_EQ(report.blocks, wanted.blocks);
  EXPECT_EQ(report.read_bytes, wanted.read_bytes);
  EXPECT_EQ(report.written_bytes, wanted.written_bytes);
  EXPECT_EQ(report.blocks_missing, 0u);
  EXPECT_EQ(report.read_effective, wanted.read_effective);
  EXPECT_EQ(report.written_effective, wanted.written_effective);
}

/// The report of one access in a grid of one block, on a GTX 280.
PartitionReport report_of(const tests::WarpPattern& warp) {
  TraceBuilder builder({1, 1, 1}, {32, 1, 1});
  builder.buffer("a", 1 << 20, 0);
  const trace::WarpAccess access = warp.access();
  const SiteId site = builder.site(access.operation);
  builder.block(CtaId{0});
  std::vector<uint64_t> by_lane(kLanes);
  trace::for_each_address(
      access, [&](int, int lane, uint64_t address) { by_lane[static_cast<size_t>(lane)] = address; });
  builder.listed(
      site, WarpId{0}, [&](int lane) { return by_lane[static_cast<size_t>(lane)]; }, access.active);
  return map_partitions(builder.take(), device("gt200"));
}

TEST(Partitions, an_atomic_reads_and_writes) {
  const trace::Operation atomic{Space::Global, Kind::Atomic, 4};
  const PartitionReport report = report_of({atomic, [](int) { return global_address(0, 512); }});
  EXPECT_THAT(report.read_bytes, ElementsAre(0, 0, 32, 0, 0, 0, 0, 0));
  EXPECT_THAT(report.written_bytes, ElementsAre(0, 0, 32, 0, 0, 0, 0, 0));
}

TEST(Partitions, shared_and_local_memory_do_not_count) {
  for (const trace::Operation operation : {tests::shared_load(4), tests::local_load(4)}) {
    const PartitionReport report = report_of({operation, [](int lane) { return 4 * lane; }});
    EXPECT_THAT(report.read_bytes, Each(0u));
  }
}

TEST(Partitions, an_access_across_a_boundary_counts_on_both_sides) {
  const PartitionReport report =
      report_of({tests::global_load(4), [](int lane) { return global_address(0, 192 + 4 * lane); }});
  EXPECT_THAT(report.read_bytes, ElementsAre(64, 64, 0, 0, 0, 0, 0, 0));
}

TEST(Partitions, random_accesses_count_as_their_sectors_do) {
  const uint32_t seed = std::random_device{}();
  std::mt19937 generator(seed);
  for (int round = 0; round < 300; ++round) {
    const uint64_t range = 1 + generator() % 20000;
    const bool sorted = generator() % 2 == 0;
    std::vector<uint64_t> offsets(kLanes);
    for (uint64_t& offset : offsets) offset = generator() % range;
    if (sorted) std::ranges::sort(offsets);
    const auto bytes = static_cast<int>(1 + generator() % 16);
    const tests::WarpPattern warp(
        tests::global_load(bytes),
        [&](int lane) { return global_address(0, offsets[static_cast<size_t>(lane)]); },
        {static_cast<uint32_t>(generator() | 1u)});
    std::vector<uint32_t> expected(8);
    for (const SectorUse& sector : count_sectors(warp.access()).used) {
      expected[trace::offset_of(sector.address) / 256 % 8] += 32;
    }
    ASSERT_EQ(report_of(warp).read_bytes, expected) << "seed " << seed;
  }
}

TEST(Partitions, affine_accesses_count_as_listed_ones_do) {
  for (int64_t stride = -5000; stride <= 5000; stride += 36) {
    for (const uint32_t mask : {0xffffffffu, 0x00fff000u, 0xf0f0f0f0u}) {
      TraceBuilder builder({1, 1, 1}, {32, 1, 1});
      builder.buffer("a", 1 << 20, 0);
      const SiteId site = builder.site(tests::global_load(4));
      builder.block(CtaId{0});
      builder.affine(site, WarpId{0}, global_address(0, 200000), stride, {mask});
      const tests::WarpPattern listed(
          tests::global_load(4),
          [&](int lane) { return global_address(0, static_cast<uint64_t>(200000 + stride * lane)); }, {mask});
      ASSERT_EQ(map_partitions(builder.take(), device("gt200")).read_bytes, report_of(listed).read_bytes)
          << stride;
    }
  }
}

TEST(Partitions, a_device_whose_map_is_not_known_gives_blocks_but_no_bytes) {
  const PartitionReport report = map_partitions(transpose_trace({.padding = 1}), device("h200"));
  EXPECT_FALSE(report.known());
  EXPECT_EQ(report.blocks.size(), 16u);
  EXPECT_THAT(report.read_bytes, IsEmpty());
  EXPECT_EQ(report.blocks_in_flight, 132u * 8);  // 64 warps hold 8 blocks of 8 warps
  EXPECT_EQ(partition_of(global_address(0, 256), device("h200").partitions), 0u);
}

}  // namespace
}  // namespace lanescope::model
