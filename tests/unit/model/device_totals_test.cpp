// Totals of a grid by the rules of a GTX 280, counted from the stored accesses.

#include "model/device_totals.h"

#include "support/transpose_trace.h"

#include <gtest/gtest.h>

namespace lanescope::model {
namespace {

using tests::Transpose;
using tests::transpose_trace;

/// Of the site with this space and kind, per request.
double wavefronts_of(const trace::Trace& trace, const std::vector<trace::Totals>& totals, trace::Space space,
                     trace::Kind kind) {
  for (const trace::Site& site : trace.sites)
    if (site.operation.space == space && site.operation.kind == kind)
      return static_cast<double>(totals[site.id.value].wavefronts) /
             static_cast<double>(totals[site.id.value].requests);
  return -1;
}

/// 16 banks serve each half-warp by itself: a column of 32 words without padding is 2 x 16 passes, with it 2
/// x 1.
TEST(DeviceTotals, a_gtx_280_counts_passes_of_half_warps) {
  using enum trace::Kind;
  const trace::Trace tiled = transpose_trace({.width = 256, .height = 256});
  const auto totals = device_totals(tiled, 13);
  ASSERT_TRUE(totals);
  EXPECT_EQ(wavefronts_of(tiled, *totals, trace::Space::Shared, Load), 32);
  EXPECT_EQ(wavefronts_of(tiled, *totals, trace::Space::Shared, Store), 2);
  const trace::Trace padded = transpose_trace({.width = 256, .height = 256, .padding = 1});
  EXPECT_EQ(wavefronts_of(padded, *device_totals(padded, 13), trace::Space::Shared, Load), 2);
}

TEST(DeviceTotals, they_are_the_sums_of_what_each_access_costs) {
  for (const Transpose variant : {Transpose::Naive, Transpose::Tiled}) {
    const trace::Trace trace = transpose_trace({.width = 128, .height = 96, .variant = variant});
    for (const int capability : {10, 13, 20, 35}) {
      std::vector<trace::Totals> wanted(trace.totals.size());
      for (const trace::StoredBlock& block : trace.blocks)
        for (const trace::StoredAccess& stored : block.accesses) {
          const trace::WarpAccess access = view(trace, block, stored);
          wanted[stored.site.value].add(access, device_cost(access, capability));
        }
      const auto totals = device_totals(trace, capability);
      ASSERT_TRUE(totals);
      EXPECT_EQ(*totals, wanted) << capability;
    }
  }
}

TEST(DeviceTotals, gpus_since_2014_and_incomplete_traces_have_those_of_the_trace_alone) {
  trace::Trace trace = transpose_trace({.width = 128, .height = 128});
  EXPECT_FALSE(device_totals(trace, 90));
  trace.blocks.pop_back();
  EXPECT_FALSE(device_totals(trace, 13)) << "a sum of some blocks is no total";
}

}  // namespace
}  // namespace lanescope::model
