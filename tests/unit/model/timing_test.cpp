// The timing model on hand-written transposes, 512 x 512: properties that hold for any parameters. The
// published figures are checked on the real kernels: tests/cli/model_test.cpp.

#include "model/timing.h"

#include "support/project.h"
#include "support/transpose_trace.h"

#include <numeric>

#include <gtest/gtest.h>

namespace lanescope::model {
namespace {

using tests::Transpose;

Device device(std::string_view name) {
  return find_device(tests::source_dir() / "assets/devices", name).value();
}

trace::Trace transpose(Transpose variant, uint32_t n = 512) {
  trace::Trace trace = tests::transpose_trace({.width = n, .height = n, .padding = 1, .variant = variant});
  trace.warp_instructions = volume(trace.grid) * 8 * 60;
  return trace;
}

TimingReport timed(const trace::Trace& trace, const TimingOptions& options = {}) {
  return time_memory(trace, device("gt200"), options).value();
}
TimingReport timed_without(const trace::Trace& trace, Assumption assumption) {
  TimingOptions options;
  options.assumptions.switch_off(assumption);
  return timed(trace, options);
}

TEST(Timing, every_byte_is_served_once_at_its_partition) {
  for (const auto variant : {Transpose::Copy, Transpose::Naive, Transpose::Tiled, Transpose::Diagonal}) {
    const TimingReport report = timed(transpose(variant));
    // 512 x 512 floats; a row of 512 floats is a round of the partitions, so each has an eighth. The naive
    // store moves 32 bytes for each float.
    const uint64_t bytes = 512 * 512 * 4;
    for (const PartitionTiming& partition : report.partitions) {
      EXPECT_EQ(partition.read_bytes, bytes / 8);
      EXPECT_EQ(partition.written_bytes, variant == Transpose::Naive ? bytes : bytes / 8);
    }
    EXPECT_EQ(report.useful_bytes, 2 * bytes);
    EXPECT_EQ(report.blocks, 256u);
    EXPECT_EQ(report.blocks_missing, 0u);
  }
}
TEST(Timing, windows_add_up_to_the_partitions) {
  const TimingReport report = timed(transpose(Transpose::Tiled));
  for (size_t n = 0; n < report.partitions.size(); ++n) {
    uint64_t read = 0, written = 0;
    for (size_t at = n; at < report.windows.size(); at += report.partitions.size()) {
      read += report.windows[at].read_bytes;
      written += report.windows[at].written_bytes;
    }
    EXPECT_EQ(read, report.partitions[n].read_bytes);
    EXPECT_EQ(written, report.partitions[n].written_bytes);
  }
}
TEST(Timing, no_bus_is_busy_more_than_all_the_time) {
  for (const auto variant : {Transpose::Copy, Transpose::Naive, Transpose::Diagonal}) {
    for (const PartitionTiming& partition : timed(transpose(variant)).partitions) {
      EXPECT_GT(partition.busy_share, 0);
      EXPECT_LE(partition.busy_share, 1);
    }
  }
}
TEST(Timing, the_same_run_takes_the_same_time) {
  const trace::Trace trace = transpose(Transpose::Tiled);
  EXPECT_EQ(timed(trace).seconds, timed(trace).seconds);
  TimingOptions jitter{.jitter_seed = 5};
  EXPECT_EQ(timed(trace, jitter).seconds, timed(trace, jitter).seconds);
  EXPECT_NE(timed(trace, jitter).seconds, timed(trace, {.jitter_seed = 6}).seconds);
}
TEST(Timing, camping_is_slow_and_diagonal_order_cures_it) {
  const double copy = timed(transpose(Transpose::Copy)).seconds;
  EXPECT_GT(timed(transpose(Transpose::Tiled)).seconds, 3 * copy);
  EXPECT_LT(timed(transpose(Transpose::Diagonal)).seconds, 2 * copy);
}
TEST(Timing, camped_partitions_are_few_at_a_time) {
  EXPECT_LT(timed(transpose(Transpose::Tiled, 1024)).imbalance(Traffic::Both).effective, 5);
  EXPECT_GT(timed(transpose(Transpose::Diagonal, 1024)).imbalance(Traffic::Both).effective, 7);
}
TEST(Timing, a_hashed_map_does_not_camp) {
  const trace::Trace camped = transpose(Transpose::Tiled);
  EXPECT_LT(timed_without(camped, Assumption::LinearMap).seconds, timed(camped).seconds / 2);
}
TEST(Timing, the_write_port_limits_a_camped_partition) {
  const trace::Trace camped = transpose(Transpose::Tiled);
  EXPECT_LT(timed_without(camped, Assumption::WritePort).seconds, 0.9 * timed(camped).seconds);
}
TEST(Timing, every_assumption_can_be_switched_off_and_the_bytes_stay_equal) {
  const trace::Trace trace = transpose(Transpose::Diagonal);
  const TimingReport all = timed(trace);
  for (const AssumptionText& text : assumption_texts()) {
    const TimingReport report = timed_without(trace, text.assumption);
    EXPECT_EQ(report.bytes_moved, all.bytes_moved) << text.name;
    EXPECT_GT(report.seconds, 0) << text.name;
    EXPECT_EQ(find_assumption(text.name), text.assumption);
  }
  EXPECT_FALSE(find_assumption("gravity").has_value());
}
TimingOptions with_gaps(const trace::Trace& trace, Gap first, Gap next, Gap last) {
  TimingOptions options;
  options.gaps = {.first = std::vector(trace.sites.size(), first),
                  .next = std::vector(trace.sites.size(), next),
                  .last = last};
  return options;
}
TEST(Timing, divisions_take_time_by_their_cost) {
  const trace::Trace trace = transpose(Transpose::Diagonal);
  TimingOptions options = with_gaps(trace, {1, 4}, {1, 0}, {1, 0});
  const double once = timed(trace, options).seconds;
  EXPECT_GT(once, 1.2 * timed(trace).seconds);
  options.division_cost = 2;
  EXPECT_GT(timed(trace, options).seconds, 1.2 * once);
  options.assumptions.switch_off(Assumption::Divisions);
  EXPECT_EQ(timed(trace, options).seconds, timed(trace).seconds);
}
TEST(Timing, gaps_only_distribute_the_executed_instructions) {
  const trace::Trace trace = transpose(Transpose::Diagonal);
  EXPECT_EQ(timed(trace, with_gaps(trace, {3, 0}, {3, 0}, {3, 0})).seconds, timed(trace).seconds);
  TimingOptions fewer_sites = with_gaps(trace, {9, 4}, {1, 0}, {1, 0});
  fewer_sites.gaps.first.pop_back();
  EXPECT_EQ(timed(trace, fewer_sites).seconds, timed(trace).seconds) << "they belong to another trace";
}
/// The block is alone with the instructions before its first load; later ones run while others load.
TEST(Timing, instructions_before_the_first_load_delay_the_block) {
  const trace::Trace trace = transpose(Transpose::Diagonal);
  EXPECT_GT(timed(trace, with_gaps(trace, {45, 0}, {1, 0}, {0, 0})).seconds,
            1.03 * timed(trace, with_gaps(trace, {1, 0}, {4, 0}, {0, 0})).seconds);
}
TEST(Timing, a_block_without_accesses_ends) {
  trace::Trace trace = transpose(Transpose::Copy);
  trace.blocks[3].accesses.clear();
  EXPECT_EQ(timed(trace).blocks, 256u);
}
TEST(Timing, a_partly_stored_grid_reports_the_missing_blocks) {
  trace::Trace trace = transpose(Transpose::Copy);
  trace.blocks.resize(100);
  EXPECT_EQ(timed(trace).blocks_missing, 156u);
}
TEST(Timing, an_error_says_why_a_trace_cannot_be_timed) {
  const trace::Trace trace = transpose(Transpose::Copy, 32);
  EXPECT_EQ(time_memory(trace, device("h200"), {}).error().kind, ErrorKind::Unsupported);
  EXPECT_EQ(time_memory({}, device("gt200"), {}).error().kind, ErrorKind::Usage);
}
TEST(Timing, a_stop_request_ends_it) {
  std::stop_source source;
  source.request_stop();
  EXPECT_EQ(time_memory(transpose(Transpose::Naive), device("gt200"), {}, source.get_token()).error().kind,
            ErrorKind::Cancelled);
}

}  // namespace
}  // namespace lanescope::model
