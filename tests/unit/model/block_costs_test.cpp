// Costs of blocks, added up by hand.

#include "model/block_costs.h"

#include "support/trace_builder.h"

#include <gtest/gtest.h>

namespace lanescope::model {
namespace {

TEST(BlockCosts, each_block_has_the_costs_of_its_accesses) {
  tests::TraceBuilder builder({3, 1, 1}, {32, 1, 1}, 4096);
  const uint32_t in = builder.buffer("in", 4096, 0);
  const SiteId load = builder.site({.space = trace::Space::Global});
  const SiteId shared = builder.site({.space = trace::Space::Shared, .kind = trace::Kind::Store});
  // Block 0: 32 floats beside each other are 4 sectors; a column of a tile of 32 x 32 is 32 wavefronts.
  builder.block({0});
  builder.affine(load, {0}, trace::global_address(in, 0), 4);
  builder.affine(shared, {0}, 0, 128);
  // Block 2: every eighth float is a sector of its own, 32 in all, for 4 that would do.
  builder.block({2});
  builder.affine(load, {0}, trace::global_address(in, 0), 32);
  const BlockCosts costs = block_costs(builder.take());
  ASSERT_EQ(costs.blocks.size(), 2u);
  EXPECT_EQ(costs.units, CostUnits::Sectors);
  EXPECT_EQ(costs.blocks[0], (BlockCost{.cta = {0},
                                        .requests = 2,
                                        .sectors = 4,
                                        .ideal_sectors = 4,
                                        .wavefronts = 32,
                                        .ideal_wavefronts = 1}));
  EXPECT_EQ(costs.blocks[1], (BlockCost{.cta = {2}, .requests = 1, .sectors = 32, .ideal_sectors = 4}));
}

TEST(BlockCosts, an_older_device_counts_transactions) {
  tests::TraceBuilder builder({1, 1, 1}, {32, 1, 1});
  const uint32_t in = builder.buffer("in", 4096, 0);
  const SiteId load = builder.site({.space = trace::Space::Global});
  builder.block({0});
  builder.affine(load, {0}, trace::global_address(in, 0), 4);
  const BlockCosts costs = block_costs(builder.take(), 13);
  EXPECT_EQ(costs.units, CostUnits::Transactions);
  // Compute capability 1.3 serves half-warps: two transactions of 64 bytes.
  EXPECT_EQ(costs.blocks[0].sectors, 2u);
}

}  // namespace
}  // namespace lanescope::model
