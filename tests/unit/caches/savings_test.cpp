// What excess costs a launch, from counts made by hand.

#include "caches/savings.h"

#include "caches/line_accesses.h"
#include "support/trace_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::caches {
namespace {

using model::Level;
using testing::HasSubstr;

constexpr trace::Operation kWordLoad{trace::Space::Global, trace::Kind::Load, 4};
constexpr trace::Operation kWordStore{trace::Space::Global, trace::Kind::Store, 4};
constexpr trace::Operation kSharedLoad{trace::Space::Shared, trace::Kind::Load, 4};

/// Rates that make seconds round: a byte of DRAM 1/1000 s, an L2 sector 1/100 s, a line 1/50 s on the path to
/// the L2, a wavefront and a line of the L1 1/500 s.
model::Device simple_device() {
  model::Device device;
  device.title = "by hand";
  device.compute_capability = 90;
  device.multiprocessors = 10;
  device.blocks_per_multiprocessor = 32;
  device.warps_per_multiprocessor = 64;
  device.shared_bytes_per_multiprocessor = 233472;
  device.memory_bytes_per_second = 1000;
  device.bound = model::BoundParameters{.clock_hertz = 50,
                                        .start_seconds = 0.5,
                                        .memory_share = 1,
                                        .l2_bytes_per_second = 3200,
                                        .lines_per_second = 50,
                                        .latency_cycles = 0};
  return device;
}

/// Sites 0 load, 1 store, 2 shared load, on lines 10, 11 and 12.
trace::Trace launch(uint32_t blocks) {
  tests::TraceBuilder builder({blocks, 1, 1}, {32, 1, 1});
  builder.buffer("a", 1024, 1024);
  for (const trace::Operation& operation : {kWordLoad, kWordStore, kSharedLoad}) builder.site(operation);
  trace::Trace trace = builder.take();
  for (int n = 0; n < 3; ++n) trace.sites[static_cast<size_t>(n)].source = {"k.cu", 10 + n};
  trace.totals.assign(3, {});
  return trace;
}

/// Loads that bring 32 sectors of as many lines from the DRAM where 4 of one line would do.
struct Launch {
  trace::Trace trace;
  CacheReport report;

  explicit Launch(uint32_t blocks = 10) : trace(launch(blocks)) {
    trace.totals[0] = {
        .requests = 1, .lanes = 32, .bytes = 128, .sectors = 32, .ideal_sectors = 4, .lines = 32};
    report.multiprocessors = report.all_multiprocessors = 10;
    report.sites.resize(3);
    report.sites[0] = {.l1 = {.requests = 1, .tag_cycles = 8, .data_cycles = 32, .sectors = 32},
                       .from_dram = 32,
                       .packets_from_l2 = 32};
    report.global_loads = report.sites[0].l1;
    report.l2_to_l1 = 32;
    report.l2.dram_read = 32;
  }
};

TEST(Savings, bound_is_of_what_the_caches_transfer) {
  const Launch launch;
  const model::Work work = demand_of(launch.trace, launch.report, simple_device());
  EXPECT_EQ(work.memory_bytes, 32 * 32);
  EXPECT_EQ(work.l2_bytes, 2048) << "32 packets of 64 bytes";
  EXPECT_EQ(work.path_lines, 0);
  EXPECT_EQ(work.l1_tags, 8);
  EXPECT_EQ(work.l1_wavefronts, 32);
  const Savings savings = savings_of(launch.trace, launch.report, simple_device()).value();
  EXPECT_EQ(savings.bound.limit, Level::Memory);
  EXPECT_DOUBLE_EQ(savings.bound.seconds(), 0.5 + 1.024);
}

TEST(Savings, load_without_excess_brings_its_ideal_sectors) {
  // 4 sectors of one line: 128 bytes of DRAM 0.128 s, the longest.
  const Launch launch;
  const Savings savings = savings_of(launch.trace, launch.report, simple_device()).value();
  ASSERT_EQ(savings.lines.size(), 1u);
  EXPECT_EQ(savings.lines[0].site->source.line, 10);
  EXPECT_DOUBLE_EQ(savings.lines[0].without.seconds(), 0.5 + 0.128);
  EXPECT_DOUBLE_EQ(savings.lines[0].factor(savings.bound), 1.524 / 0.628);
  EXPECT_FALSE(savings.all);
  EXPECT_FALSE(savings.with_all_multiprocessors);
}

TEST(Savings, sectors_that_the_l1_serves_cost_its_lines_alone) {
  // The 32 requests of a line that was loaded before: nothing comes from the L2 or the DRAM.
  Launch launch;
  launch.report.sites[0].l1.hits = 32;
  launch.report.sites[0].from_dram = launch.report.sites[0].packets_from_l2 = 0;
  launch.report.l2_to_l1 = launch.report.l2.dram_read = 0;
  const Savings savings = savings_of(launch.trace, launch.report, simple_device()).value();
  EXPECT_EQ(savings.bound.limit, Level::L1);
  EXPECT_DOUBLE_EQ(savings.bound.seconds(), 0.5 + 32.0 / 500);
  EXPECT_DOUBLE_EQ(savings.lines[0].without.seconds(), 0.5 + 1.0 / 500);
}

TEST(Savings, loads_that_warps_wait_for_decide_where_few_are_under_way) {
  // A warp of one block on each of 10 multiprocessors: a multiprocessor holds 32 blocks of a warp. 10 warps
  // wait 200 cycles each, 4 s at 50 Hz, in which 320 bytes are under way for 650 cycles: 320 x 650 / 200
  // / 10.
  Launch launch;
  launch.report.warp_cycles = 2000;
  launch.report.longest_warp_cycles = 200;
  launch.report.byte_cycles = 320 * 650;
  const Savings savings = savings_of(launch.trace, launch.report, simple_device()).value();
  EXPECT_EQ(savings.bound.limit, Level::Latency);
  EXPECT_DOUBLE_EQ(savings.bound.seconds(), 0.5 + 4);
  ASSERT_TRUE(savings.under_way);
  EXPECT_DOUBLE_EQ(savings.under_way->bytes, 104);
  EXPECT_DOUBLE_EQ(savings.under_way->needed, 1000.0 / 50 * 650 / 10);
  EXPECT_DOUBLE_EQ(savings.under_way->enough.factor(savings.bound), 4.5 / 1.524);
  EXPECT_EQ(savings.under_way->enough.without.limit, Level::Memory);
  EXPECT_FALSE(savings.lines[0].is_gain(savings.bound));
  model::Device slow_to_start = simple_device();
  slow_to_start.bound->start_seconds = 5;
  EXPECT_FALSE(savings_of(launch.trace, launch.report, slow_to_start).value().under_way);
}

TEST(Savings, warps_wait_side_by_side) {
  // 640 warps, 64 a multiprocessor: 32 blocks of one are resident. 640 x 20 cycles / (10 x 32) = 40: 0.8 s,
  // below the DRAM's.
  Launch launch(640);
  launch.report.warp_cycles = 640 * 20;
  launch.report.longest_warp_cycles = 20;
  const Savings savings = savings_of(launch.trace, launch.report, simple_device()).value();
  EXPECT_EQ(savings.bound.limit, Level::Memory);
  EXPECT_DOUBLE_EQ(savings.bound.level_seconds[static_cast<size_t>(Level::Latency)], 0.8);
  EXPECT_FALSE(savings.under_way);
}

TEST(Savings, conflicts_that_another_level_hides_cost_nothing) {
  Launch launch;
  launch.trace.totals[2] = {.requests = 1, .lanes = 32, .wavefronts = 32, .ideal_wavefronts = 1};
  const Savings savings = savings_of(launch.trace, launch.report, simple_device()).value();
  ASSERT_EQ(savings.lines.size(), 2u);
  EXPECT_EQ(savings.lines[0].site->source.line, 10);
  EXPECT_EQ(savings.lines[1].site->source.line, 12);
  EXPECT_DOUBLE_EQ(savings.lines[1].factor(savings.bound), 1);
  EXPECT_EQ(savings.lines[1].without.limit, Level::Memory);
  ASSERT_TRUE(savings.all);
  EXPECT_DOUBLE_EQ(savings.all->without.seconds(), 0.5 + 0.128);
}

TEST(Savings, conflicts_that_decide_are_worth_their_time) {
  // 1000 wavefronts and the 32 cycles of the loads at the same stage 2.064 s; with 100 wavefronts 0.264 s,
  // and the DRAM's 1.024 s decide.
  Launch launch;
  launch.trace.totals[2] = {.requests = 100, .lanes = 3200, .wavefronts = 1000, .ideal_wavefronts = 100};
  const Savings savings = savings_of(launch.trace, launch.report, simple_device()).value();
  EXPECT_DOUBLE_EQ(savings.bound.seconds(), 2.564);
  EXPECT_EQ(savings.lines[0].site->source.line, 12);
  EXPECT_DOUBLE_EQ(savings.lines[0].without.seconds(), 0.5 + 1.024);
  EXPECT_EQ(savings.lines[0].without.limit, Level::Memory);
}

TEST(Savings, store_without_excess_sends_its_ideal_sectors) {
  // 32 sectors and lines are 64 packets, as many as 32 lines of a sector: 0.64 s; ideally 4 sectors of one
  // whole line, 4 packets.
  Launch launch;
  launch.trace.totals[0] = {};
  launch.report.sites[0] = {};
  launch.trace.totals[1] = {
      .requests = 1, .lanes = 32, .bytes = 128, .sectors = 32, .ideal_sectors = 4, .lines = 32};
  launch.report.sites[1] = {.l1 = {.requests = 1, .tag_cycles = 8, .data_cycles = 32, .sectors = 32},
                            .packets_to_l2 = 64};
  launch.report.l2_to_l1 = launch.report.l2.dram_read = 0;
  launch.report.l1_to_l2 = 32;
  const Savings savings = savings_of(launch.trace, launch.report, simple_device()).value();
  EXPECT_EQ(savings.bound.limit, Level::Lines);
  EXPECT_DOUBLE_EQ(savings.bound.seconds(), 0.5 + 32.0 / 50);
  EXPECT_DOUBLE_EQ(savings.lines[0].without.seconds(), 0.5 + 2.0 / 50);
}

TEST(Savings, accesses_of_a_line_that_do_the_same_are_one) {
  Launch launch;
  launch.trace.sites[1] = launch.trace.sites[0];
  launch.trace.sites[1].id = SiteId{1};
  launch.trace.totals[1] = launch.trace.totals[0];
  launch.report.sites[1] = launch.report.sites[0];
  const auto lines = line_accesses(launch.trace, launch.report);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].totals.sectors, 64u);
  EXPECT_EQ(lines[0].caches.from_dram, 64u);
}

TEST(Savings, blocks_on_all_multiprocessors_are_worth_their_share) {
  // 1000 wavefronts and 32 cycles of the loads: 20.64 s on the one multiprocessor that has the block, 2.064 s
  // on ten.
  Launch launch(1);
  launch.trace.totals[2] = {.requests = 1000, .lanes = 32000, .wavefronts = 1000, .ideal_wavefronts = 1000};
  const Savings savings = savings_of(launch.trace, launch.report, simple_device()).value();
  EXPECT_DOUBLE_EQ(savings.bound.seconds(), 21.14);
  ASSERT_TRUE(savings.with_all_multiprocessors);
  EXPECT_DOUBLE_EQ(savings.with_all_multiprocessors->without.seconds(), 2.564);
}

TEST(Savings, of_a_part_of_the_blocks_take_the_rest_to_be_like_it) {
  // A quarter of the requests were modelled: four times the sectors, lines and cycles, and the DRAM's reads
  // of the part alone, or four times as many.
  Launch launch;
  launch.report.multiprocessors = 4;
  launch.report.blocks = 5;
  launch.report.all_blocks = 18;  // the first have more to do
  launch.trace.totals[0].requests = 4;
  launch.report.warp_cycles = 100;
  launch.report.longest_warp_cycles = 10;
  const CacheReport whole = of_whole_launch(launch.trace, launch.report);
  EXPECT_EQ(whole.l2_to_l1, 4 * 32u);
  EXPECT_EQ(whole.l2.dram_read, 32u);
  EXPECT_EQ(whole.sites[0].l1.tag_cycles, 4 * 8u);
  EXPECT_EQ(whole.sites[0].packets_from_l2, 4 * 32u);
  EXPECT_EQ(whole.sites[0].from_l2, 3 * 32u);
  EXPECT_EQ(whole.sites[0].from_dram, 32u);
  EXPECT_EQ(whole.warp_cycles, 400);
  EXPECT_EQ(whole.longest_warp_cycles, 10);
  const Savings savings = savings_of(launch.trace, launch.report, simple_device()).value();
  EXPECT_DOUBLE_EQ(savings.bound.seconds(), 0.5 + 4 * 32.0 / 50) << "lines";
  ASSERT_TRUE(savings.without_sharing);
  EXPECT_DOUBLE_EQ(savings.without_sharing->seconds(), 0.5 + 4 * 1.024);
  EXPECT_EQ(savings.modelled_blocks, 5u);
  launch.report.blocks = 0;
  EXPECT_THAT(savings_of(launch.trace, launch.report, simple_device()).error().message,
              HasSubstr("--cache-memory"));
  launch.report.blocks = 5;
  launch.report.multiprocessors = 10;
  EXPECT_FALSE(savings_of(launch.trace, launch.report, simple_device()).value().without_sharing);
  launch.report.ends_early = true;  // the first blocks of all multiprocessors
  EXPECT_TRUE(savings_of(launch.trace, launch.report, simple_device()).value().without_sharing);
}

TEST(Savings, bound_is_of_the_kernel_alone_where_that_was_measured) {
  model::Device device = simple_device();
  device.bound->kernel_start_seconds = 0.25;
  device.bound->most_lines_per_second = 100;
  device.bound->most_l2_bytes_per_second = 6400;
  const Launch launch;
  const Savings savings = savings_of(launch.trace, launch.report, device).value();
  EXPECT_DOUBLE_EQ(savings.bound.seconds(), 0.25 + 1.024);
  EXPECT_DOUBLE_EQ(savings.bound.level_seconds[static_cast<size_t>(Level::L2)], 0.32);
}

}  // namespace
}  // namespace lanescope::caches
