// A padded transpose of 64 x 64 floats in the units of a GTX 280, by hand.

#include "model/device_counts.h"

#include "support/project.h"
#include "support/transpose_trace.h"

#include <gtest/gtest.h>

namespace lanescope::model {
namespace {

Device device(std::string_view name) {
  return find_device(tests::source_dir() / "assets/devices", name).value();
}

TEST(DeviceCounts, of_a_padded_transpose_are_half_warps_and_64_bytes_each) {
  const trace::Trace trace = tests::transpose_trace({.width = 64, .height = 64, .padding = 1});
  const DeviceCounts counts = count_for_device(trace, device("gt200"));
  // 128 rows of 32 floats in 4 tiles of 32 rows: 128 warp accesses each way, two half-warps of 64 bytes.
  EXPECT_EQ(counts.blocks, 4u);
  EXPECT_EQ(counts.global_load.requests, 256u);
  EXPECT_EQ(counts.global_load.transactions, 256u);
  EXPECT_EQ(counts.global_load.bytes_moved, 64u * 64 * 4);
  EXPECT_EQ(counts.global_store.transactions, 256u);
  EXPECT_DOUBLE_EQ(counts.global_store.efficiency(), 1);
  EXPECT_EQ(counts.shared_load.passes, 256u);
  EXPECT_EQ(counts.shared_store.passes, 256u);
}
TEST(DeviceCounts, of_an_unpadded_tile_conflict_16_ways_on_a_gtx_280_and_32_ways_on_a_m2090) {
  const trace::Trace trace = tests::transpose_trace({.width = 64, .height = 64, .padding = 0});
  EXPECT_EQ(count_for_device(trace, device("gt200")).shared_load.passes, 256u * 16);
  EXPECT_EQ(count_for_device(trace, device("gt200")).shared_load.ideal_passes, 256u);
  EXPECT_EQ(count_for_device(trace, device("fermi")).shared_load.passes, 128u * 32);
}
TEST(DeviceCounts, of_a_naive_store_are_32_transactions_of_32_bytes) {
  const trace::Trace trace =
      tests::transpose_trace({.width = 64, .height = 64, .variant = tests::Transpose::Naive});
  const DeviceCounts counts = count_for_device(trace, device("gt200"));
  EXPECT_EQ(counts.global_store.transactions, 64u * 64);
  EXPECT_DOUBLE_EQ(counts.global_store.efficiency(), 4.0 / 32);
}

TEST(DeviceCounts, of_an_asynchronous_copy_are_a_load_of_global_and_a_store_of_shared_memory) {
  trace::Trace trace = tests::transpose_trace({.width = 64, .height = 64, .padding = 1});
  const DeviceCounts plain = count_for_device(trace, device("gt200"));
  for (trace::Site& site : trace.sites) {
    const bool copies = site.operation.space == trace::Space::Global
                            ? site.operation.kind == trace::Kind::Load
                            : site.operation.kind == trace::Kind::Store;
    if (copies) site.operation.kind = trace::Kind::AsyncCopy;
  }
  const DeviceCounts copied = count_for_device(trace, device("gt200"));
  EXPECT_EQ(copied.global_load.transactions, plain.global_load.transactions);
  EXPECT_EQ(copied.shared_store.passes, plain.shared_store.passes);
  EXPECT_EQ(copied.shared_load.passes, plain.shared_load.passes);
}

}  // namespace
}  // namespace lanescope::model
