// The bound of later devices, term by term on counts computed by hand.

#include "model/bound.h"

#include "model/device.h"
#include "support/project.h"
#include "support/transpose_trace.h"

#include <gtest/gtest.h>

namespace lanescope::model {
namespace {

using tests::Transpose;

Device device(std::string_view name) {
  return find_device(tests::source_dir() / "assets/devices", name).value();
}

Device simple_device() {
  Device device;
  device.multiprocessors = 10;
  device.memory_bytes_per_second = 1000;
  device.bound = BoundParameters{.clock_hertz = 50,
                                 .start_seconds = 0.25,
                                 .memory_share = 0.5,
                                 .l2_bytes_per_second = 3200,
                                 .lines_per_second = 20,
                                 .latency_cycles = 100};
  return device;
}

double seconds_of(const BoundTerms& terms, Level level) {
  return terms.level_seconds[static_cast<size_t>(level)];
}

TEST(Bound, is_the_start_and_the_slowest_level) {
  const Work work{.memory_bytes = 1000,
                  .l2_bytes = 3200,
                  .path_lines = 50,
                  .wavefronts = 600,
                  .blocks = 21,
                  .blocks_in_flight = 20};
  const BoundTerms terms = bound_of(work, simple_device()).value();
  EXPECT_DOUBLE_EQ(seconds_of(terms, Level::Memory), 2);          // 1000 / (1000 * 0.5)
  EXPECT_DOUBLE_EQ(seconds_of(terms, Level::L2), 1);              // 3200 / 3200
  EXPECT_DOUBLE_EQ(seconds_of(terms, Level::Lines), 2.5);         // 50 / 20
  EXPECT_DOUBLE_EQ(seconds_of(terms, Level::SharedMemory), 1.2);  // 600 / 10 / 50
  EXPECT_DOUBLE_EQ(seconds_of(terms, Level::Latency), 4);         // two waves of 100 / 50
  EXPECT_EQ(terms.limit, Level::Latency);
  EXPECT_DOUBLE_EQ(terms.seconds(), 4.25);
}

TEST(Bound, arithmetic_takes_the_pipe_of_its_type) {
  Device device = simple_device();
  device.bound->fp32_per_cycle = 4;
  device.bound->tensor_per_cycle = 16;
  device.bound->tensor8_per_cycle = 32;
  // 10 multiprocessors at 50 Hz: 6000 / 4 / 500 = 3 s of FP32; 3200 / 16 / 500 + 1600 / 32 / 500 = 0.5 s.
  const Work work{.fp32 = 6000, .tensor = 3200, .tensor8 = 1600};
  const BoundTerms terms = bound_of(work, device).value();
  EXPECT_DOUBLE_EQ(seconds_of(terms, Level::Arithmetic), 3);
  EXPECT_EQ(terms.limit, Level::Arithmetic);
  const Work products{.fp64 = 1000, .tensor = 3200, .tensor8 = 1600};
  EXPECT_DOUBLE_EQ(seconds_of(bound_of(products, device).value(), Level::Arithmetic), 0.5)
      << "a rate that is not known is no limit";
}

TEST(Bound, multiprocessors_without_a_block_do_not_help) {
  // 4 of 10: 600 / 4 / 50 of the wavefronts, while the L2 and the memory are those of the device.
  const Work work{.memory_bytes = 1000, .wavefronts = 600, .blocks = 4, .blocks_in_flight = 20};
  const BoundTerms terms = bound_of(work, simple_device()).value();
  EXPECT_DOUBLE_EQ(seconds_of(terms, Level::SharedMemory), 3);
  EXPECT_DOUBLE_EQ(seconds_of(terms, Level::Memory), 2);
}

TEST(Bound, the_stages_of_the_l1_work_side_by_side) {
  // 10 multiprocessors at 50 Hz.
  EXPECT_DOUBLE_EQ(
      seconds_of(bound_of({.l1_tags = 2000, .l1_wavefronts = 500}, simple_device()).value(), Level::L1), 4);
  EXPECT_DOUBLE_EQ(
      seconds_of(bound_of({.l1_tags = 500, .l1_wavefronts = 2000}, simple_device()).value(), Level::L1), 4);
}

TEST(Bound, shared_memory_and_the_l1_have_one_data_stage) {
  // 3000 cycles in all, of the one that needs more of them; 10 multiprocessors at 50 Hz.
  const BoundTerms loads = bound_of({.l1_wavefronts = 2000, .wavefronts = 1000}, simple_device()).value();
  EXPECT_DOUBLE_EQ(seconds_of(loads, Level::L1), 6);
  EXPECT_DOUBLE_EQ(seconds_of(loads, Level::SharedMemory), 2);
  EXPECT_EQ(loads.limit, Level::L1);
  const BoundTerms tiles = bound_of({.l1_wavefronts = 1000, .wavefronts = 2000}, simple_device()).value();
  EXPECT_DOUBLE_EQ(seconds_of(tiles, Level::L1), 2);
  EXPECT_DOUBLE_EQ(seconds_of(tiles, Level::SharedMemory), 6);
  EXPECT_EQ(tiles.limit, Level::SharedMemory);
}

TEST(Bound, grows_with_the_number_of_blocks) {
  const Work work{
      .memory_bytes = 8, .l2_bytes = 1, .path_lines = 2, .wavefronts = 3, .blocks = 4, .blocks_in_flight = 7};
  const Work more = work.times(4);
  EXPECT_EQ(more, (Work{.memory_bytes = 32,
                        .l2_bytes = 4,
                        .path_lines = 8,
                        .wavefronts = 12,
                        .blocks = 16,
                        .blocks_in_flight = 7}));
}

TEST(Bound, counts_the_work_of_a_padded_transpose) {
  trace::Trace trace = tests::transpose_trace({.width = 256, .height = 256, .padding = 1});
  const Work work = work_of(trace, device("h200"));
  // 256 x 256 floats in and out; a request of 32 floats is 4 sectors, a line, and a wavefront on its way in
  // and one on its way out of the tile.
  constexpr double kRequests = 256 * 256 / 32;
  EXPECT_DOUBLE_EQ(work.memory_bytes, 2 * 256 * 256 * 4);
  EXPECT_DOUBLE_EQ(work.l2_bytes, 2 * 128 * kRequests);
  EXPECT_DOUBLE_EQ(work.path_lines, 2 * kRequests);
  EXPECT_DOUBLE_EQ(work.wavefronts, 2 * kRequests);
  EXPECT_DOUBLE_EQ(work.blocks, 64);
  EXPECT_EQ(work.blocks_in_flight, 8u * 132);  // 64 warps, 8 in a block
}

TEST(Bound, of_a_larger_square_is_a_multiple_of_the_smaller_one) {
  const Device h200 = device("h200");
  const Work small = work_of(tests::transpose_trace({.width = 128, .height = 128, .padding = 1}), h200);
  EXPECT_EQ(small.times(16),
            work_of(tests::transpose_trace({.width = 512, .height = 512, .padding = 1}), h200));
}

TEST(Bound, without_parameters_is_the_transferred_bytes_over_the_peak) {
  const trace::Trace trace =
      tests::transpose_trace({.width = 512, .height = 512, .variant = Transpose::Naive});
  const TimingReport report = bound_memory(trace, device("ampere"), work_of(trace, device("ampere"))).value();
  const double bytes = 512 * 512 * 4;
  EXPECT_EQ(report.bytes_moved, static_cast<uint64_t>(bytes + 8 * bytes));
  EXPECT_DOUBLE_EQ(report.seconds, 9 * bytes / 1555e9);
  EXPECT_EQ(bound_of(work_of(trace, device("ampere")), device("ampere")).error().kind,
            ErrorKind::Unsupported);
}

}  // namespace
}  // namespace lanescope::model
