// Timelines of blocks whose columns are known by hand.

#include "model/block_timeline.h"

#include "support/trace_builder.h"

#include <gtest/gtest.h>

namespace lanescope::model {
namespace {

using trace::Wait;

/// A block of `warps` warps; warp w makes accesses[w] accesses.
trace::Trace with_accesses(const std::vector<int>& accesses) {
  tests::TraceBuilder builder({1, 1, 1}, {static_cast<uint32_t>(32 * accesses.size()), 1, 1});
  const uint32_t in = builder.buffer("in", 1024, 0);
  const SiteId site = builder.site({.space = trace::Space::Global}, 7);
  builder.block({0});
  for (uint32_t warp = 0; warp < accesses.size(); ++warp)
    for (int n = 0; n < accesses[warp]; ++n) builder.affine(site, {warp}, trace::global_address(in, 0), 4);
  trace::Trace trace = builder.take();
  trace.blocks[0].knows_waits = true;
  return trace;
}

Wait barrier(uint32_t warp, uint32_t step, uint32_t meeting) {
  return {.warp = {warp}, .step = step, .meeting = meeting, .lanes = kAllLanes, .line = 5};
}

std::vector<uint32_t> columns(const BlockTimeline& timeline, size_t warp) {
  std::vector<uint32_t> all;
  for (const BlockTimeline::Event& event : timeline.events[warp]) all.push_back(event.column);
  return all;
}
using Columns = std::vector<uint32_t>;

TEST(BlockTimeline, warps_meet_in_the_first_column_that_all_can_reach) {
  trace::Trace trace = with_accesses({3, 1, 2});
  // Before the barrier: warp 0 makes 2 accesses, warp 1 none, warp 2 one; after it 1, 1, 1.
  trace.blocks[0].waits = {barrier(0, 2, 0), barrier(1, 0, 0), barrier(2, 1, 0)};
  const BlockTimeline timeline = block_timeline(trace, trace.blocks[0]);
  EXPECT_EQ(columns(timeline, 0), (Columns{0, 1, 2, 3}));
  EXPECT_EQ(columns(timeline, 1), (Columns{2, 3}));
  EXPECT_EQ(columns(timeline, 2), (Columns{0, 2, 3}));
  EXPECT_EQ(timeline.columns, 4u);
  EXPECT_EQ(timeline.meetings, 1u);
  EXPECT_EQ(timeline.events[1][0].wait, Wait::Kind::Barrier);
  EXPECT_EQ(timeline.events[1][0].line, 5);
  EXPECT_FALSE(timeline.events[1][1].wait.has_value());
  EXPECT_EQ(timeline.events[0][3].access, 2u);
}

TEST(BlockTimeline, warps_that_do_not_meet_go_on) {
  trace::Trace trace = with_accesses({2, 2, 5});
  // Warps 0 and 1 meet, warp 2 does not: its accesses are in the first columns.
  trace.blocks[0].waits = {barrier(0, 1, 0), barrier(1, 2, 0)};
  const BlockTimeline timeline = block_timeline(trace, trace.blocks[0]);
  EXPECT_EQ(columns(timeline, 0), (Columns{0, 2, 3}));
  EXPECT_EQ(columns(timeline, 1), (Columns{0, 1, 2}));
  EXPECT_EQ(columns(timeline, 2), (Columns{0, 1, 2, 3, 4}));
  EXPECT_EQ(timeline.columns, 5u);
}

TEST(BlockTimeline, a_later_meeting_waits_for_an_earlier_one) {
  // Warps 0 and 1 meet, then 1 and 2: what warp 2 does is moved behind both.
  trace::Trace trace = with_accesses({1, 0, 1});
  trace.blocks[0].waits = {barrier(0, 1, 0), barrier(1, 0, 0), barrier(1, 0, 1), barrier(2, 0, 1)};
  const BlockTimeline timeline = block_timeline(trace, trace.blocks[0]);
  EXPECT_EQ(columns(timeline, 0), (Columns{0, 1}));
  EXPECT_EQ(columns(timeline, 1), (Columns{1, 2}));
  EXPECT_EQ(columns(timeline, 2), (Columns{2, 3}));
}

TEST(BlockTimeline, lanes_that_reach_one_barrier_one_after_the_other_wait_once) {
  trace::Trace trace = with_accesses({1});
  trace.blocks[0].waits = {barrier(0, 1, 0), barrier(0, 1, 0)};
  trace.blocks[0].waits[0].lanes = {0xff};
  trace.blocks[0].waits[1].lanes = {0xff00};
  const BlockTimeline timeline = block_timeline(trace, trace.blocks[0]);
  ASSERT_EQ(timeline.events[0].size(), 2u);
  EXPECT_EQ(timeline.events[0][1].lanes, LaneMask{0xffff});
}

TEST(BlockTimeline, a_warp_without_events_has_an_empty_row) {
  const trace::Trace trace = with_accesses({0, 1});
  const BlockTimeline timeline = block_timeline(trace, trace.blocks[0]);
  EXPECT_TRUE(timeline.events[0].empty());
  EXPECT_EQ(timeline.columns, 1u);
}

}  // namespace
}  // namespace lanescope::model
