// Costs by the rules of a device: the guide's figures, and the reports against the counts.

#include "model/device_cost.h"

#include "model/bank_rules.h"
#include "model/cost.h"
#include "model/transactions.h"
#include "support/warp_pattern.h"

#include <random>
#include <set>

#include <gtest/gtest.h>

namespace lanescope::model {
namespace {

using tests::affine_access;
using tests::global_load;
using tests::global_store;
using tests::shared_load;
using tests::WarpPattern;

constexpr int kCapabilities[] = {10, 13, 20, 35, 52, 90};

// CUDA C Programming Guide 4.2, F.3.2.2: a half-warp of 4-byte words is one segment of 64 bytes.
TEST(DeviceCost, a_coalesced_load_is_a_transaction_for_each_half_warp_of_a_gt200) {
  const trace::Cost cost = device_cost(affine_access(global_load(4), uint64_t{1} << 40, 4), 13);
  EXPECT_EQ(cost.sectors, 2);
  EXPECT_EQ(cost.ideal_sectors, 2);
}

TEST(DeviceCost, a_column_is_a_transaction_for_each_lane_and_ideally_two) {
  const trace::Cost cost = device_cost(affine_access(global_store(4), uint64_t{1} << 40, 4096), 13);
  EXPECT_EQ(cost.sectors, 32);
  EXPECT_EQ(cost.ideal_sectors, 2);
}

TEST(DeviceCost, since_maxwell_it_is_the_cost_in_sectors_and_wavefronts) {
  const trace::WarpAccess access = affine_access(global_load(4), uint64_t{1} << 40, 8);
  EXPECT_EQ(device_cost(access, 90), cost_of(access));
  EXPECT_EQ(units_of(90), CostUnits::Sectors);
  EXPECT_EQ(units_of(35), CostUnits::Transactions);
}

// F.3.3: 16 banks, a request for each half-warp.
TEST(DeviceBanks, the_column_of_a_tile_fills_one_bank_of_16_in_32_passes) {
  const BankReport report = device_banks(affine_access(shared_load(4), 0, 32 * 4), 13);
  EXPECT_EQ(report.banks, 16);
  EXPECT_EQ(report.wavefronts, 32);
  EXPECT_EQ(report.ideal, 2);
  ASSERT_EQ(report.words.size(), 32u);
  for (size_t n = 0; n < report.words.size(); ++n) {
    EXPECT_EQ(report.words[n].wavefront, n);
    EXPECT_EQ(report.words[n].bank, 0);
    EXPECT_EQ(report.words[n].lanes, LaneMask{1u << n}) << "the first half-warp comes first";
  }
}

TEST(DeviceBanks, every_active_lane_is_served_once_within_the_counted_passes) {
  std::mt19937 random(7);
  for (const int capability : kCapabilities)
    for (int round = 0; round < 200; ++round) {
      const LaneMask active{static_cast<uint32_t>(random()) | 1u};
      const WarpPattern pattern(
          shared_load(4), [&](int) { return static_cast<int>(random() % 256) * 4; }, active);
      const BankReport report = device_banks(pattern.access(), capability);
      EXPECT_EQ(report.wavefronts, count_shared_passes(pattern.access(), capability).passes);
      uint32_t served = 0;
      for (const BankWord& word : report.words) {
        EXPECT_LT(word.wavefront, report.wavefronts) << capability;
        EXPECT_LT(word.bank, report.banks) << capability;
        EXPECT_EQ(served & word.lanes.bits, 0u) << capability;
        served |= word.lanes.bits;
      }
      EXPECT_EQ(served, active.bits) << capability;
    }
}

TEST(DeviceSectors, what_is_transferred_is_what_the_transactions_cover) {
  std::mt19937 random(11);
  for (const int capability : {10, 13, 20, 35})
    for (int round = 0; round < 200; ++round) {
      const WarpPattern pattern(
          global_load(4), [&](int) { return static_cast<int>(random() % 512) * 4; },
          LaneMask{static_cast<uint32_t>(random()) | 1u});
      const SectorReport report = device_sectors(pattern.access(), capability);
      const auto all = transactions_of(pattern.access(), capability);
      ASSERT_EQ(report.segments.size(), all.all().size());
      EXPECT_EQ(report.sectors, all.all().size());
      std::set<uint64_t> covered;
      for (const Segment& segment : report.segments)
        for (uint64_t at = segment.address; at < segment.address + segment.bytes; at += kSectorBytes)
          covered.insert(at);
      std::set<uint64_t> used;
      uint32_t useful = 0;
      for (const SectorUse& use : report.used) {
        EXPECT_TRUE(used.empty() || *used.rbegin() < use.address) << "rising addresses";
        used.insert(use.address);
        useful += static_cast<uint32_t>(std::popcount(use.bytes));
      }
      EXPECT_EQ(used, covered);
      EXPECT_EQ(useful, report.bytes_wanted);
    }
}

}  // namespace
}  // namespace lanescope::model
