// The order of basic blocks, and who can still come to where paths meet, on graphs small enough to draw.

#include "ptx/block_order.h"

#include <gtest/gtest.h>

namespace lanescope::ptx {
namespace {

using Blocks = std::vector<uint32_t>;
using Ranges = std::vector<PositionRange>;

TEST(BlockOrder, the_end_of_an_if_waits_for_both_arms) {
  //   0 -> 1, 2;  1, 2 -> 3
  const BlockOrder order = order_blocks({{1, 2}, {3}, {3}, {}});
  EXPECT_EQ(order.position, (Blocks{1, 2, 3, 4}));
  EXPECT_EQ(order.round_end, (Blocks{0, 0, 0, 0}));
  EXPECT_EQ(order.pending[3], (Ranges{{2, 4}})) << "not for lanes before the branch";
  EXPECT_TRUE(order.pending[1].empty());
}

TEST(BlockOrder, an_arm_that_returns_is_not_waited_for) {
  // 0 -> 1, 3; 1 -> 2 (returns), 3
  const BlockOrder order = order_blocks({{1, 3}, {2, 3}, {}, {}});
  EXPECT_EQ(order.position, (Blocks{1, 2, 3, 4}));
  EXPECT_EQ(order.pending[3], (Ranges{{2, 3}}));
}

TEST(BlockOrder, the_blocks_of_a_loop_follow_one_another) {
  // 0 -> 1; 1 (header) -> 2, 3 (exit); 2 -> 1; 3 ends
  const BlockOrder order = order_blocks({{1}, {3, 2}, {1}, {}});
  EXPECT_EQ(order.position, (Blocks{1, 2, 3, 5}));
  EXPECT_EQ(order.round_end, (Blocks{0, 4, 0, 0}));
  EXPECT_TRUE(order.pending[1].empty()) << "lanes enter the loop from one block";
  EXPECT_EQ(order.pending[3], (Ranges{{2, 5}})) << "header, body, and those that wait for the next round";
}

TEST(BlockOrder, a_break_out_of_an_if_does_not_move_the_end_of_the_if) {
  // 0 -> 1; 1 -> 2, 4; 2 -> 3, 5 (break); 3 -> 4; 4 -> 1, 5; 5 ends
  const BlockOrder order = order_blocks({{1}, {2, 4}, {3, 5}, {4}, {1, 5}, {}});
  EXPECT_EQ(order.position, (Blocks{1, 2, 3, 4, 5, 7}));
  EXPECT_EQ(order.round_end[1], 6u);
  EXPECT_EQ(order.pending[4], (Ranges{{3, 5}})) << "2 and 3, not those that broke";
  EXPECT_EQ(order.pending[5], (Ranges{{2, 7}}));
}

TEST(BlockOrder, continue_comes_to_the_next_round_after_the_rest_of_the_body) {
  // 0 -> 1; 1 -> 2, 3; 2 -> 1 (continue), 3; 3 -> 1, 4; 4 ends
  const BlockOrder order = order_blocks({{1}, {2, 3}, {1, 3}, {1, 4}, {}});
  EXPECT_EQ(order.position, (Blocks{1, 2, 3, 4, 6}));
  EXPECT_EQ(order.round_end[1], 5u);
  EXPECT_EQ(order.pending[3], (Ranges{{3, 4}}));
}

TEST(BlockOrder, both_ways_of_a_short_circuit_meet_at_the_else) {
  // if (a && b) 2 else 3: 0 -> 1, 3; 1 -> 2, 3; 2 -> 4; 3 -> 4
  const BlockOrder order = order_blocks({{1, 3}, {2, 3}, {4}, {4}, {}});
  EXPECT_EQ(order.pending[3], (Ranges{{2, 3}}));
  EXPECT_EQ(order.pending[4], (Ranges{{2, 5}}));
}

TEST(BlockOrder, loops_within_loops) {
  // 0 -> 1; 1 -> 2; 2 -> 2, 3; 3 -> 1, 4
  const BlockOrder order = order_blocks({{1}, {2}, {2, 3}, {1, 4}, {}});
  EXPECT_EQ(order.position, (Blocks{1, 2, 3, 5, 7}));
  EXPECT_EQ(order.round_end, (Blocks{0, 6, 4, 0, 0}));
  EXPECT_EQ(order.pending[3], (Ranges{{3, 5}})) << "after the inner loop: its block and its next round";
  EXPECT_EQ(order.pending[4], (Ranges{{2, 7}}));
}

TEST(BlockOrder, an_exit_out_of_two_loops_waits_for_all_of_both) {
  // 0 -> 1; 1 -> 2; 2 -> 3, 4 (out of both); 3 -> 2, 1
  const BlockOrder order = order_blocks({{1}, {2}, {3, 4}, {2, 1}, {}});
  EXPECT_EQ(order.position, (Blocks{1, 2, 3, 4, 7}));
  EXPECT_EQ(order.round_end, (Blocks{0, 6, 5, 0, 0}));
  EXPECT_EQ(order.pending[4], (Ranges{{2, 7}}));
}

TEST(BlockOrder, a_loop_that_nothing_leaves_has_an_order) {
  // Only a conditional return ends it: 0 -> 1; 1 -> 2; 2 -> 1, 3; 3 -> 1
  const BlockOrder order = order_blocks({{1}, {2}, {1, 3}, {1}});
  EXPECT_EQ(order.position, (Blocks{1, 2, 3, 4}));
  EXPECT_EQ(order.round_end[1], 5u);
  EXPECT_TRUE(order.pending[3].empty());
}

TEST(BlockOrder, an_irreducible_loop_is_entered_at_its_first_block) {
  // 0 -> 1, 2; 1 -> 2, 3; 2 -> 1, 3
  const BlockOrder order = order_blocks({{1, 2}, {2, 3}, {1, 3}, {}});
  EXPECT_EQ(order.position, (Blocks{1, 2, 3, 5}));
  EXPECT_EQ(order.round_end, (Blocks{0, 4, 0, 0}));
  EXPECT_EQ(order.pending[2], (Ranges{{2, 3}}));
  EXPECT_EQ(order.pending[3], (Ranges{{2, 5}}));
}

TEST(BlockOrder, what_precedes_a_break_runs_in_its_round) {
  // for (...) { 1; if (a) { 2; break; } 3; } 4; 5: 0 -> 1; 1 -> 2, 3; 2 -> 5; 3 -> 1, 4; 4 -> 5
  const BlockOrder order = order_blocks({{1}, {2, 3}, {5}, {1, 4}, {5}, {}});
  EXPECT_EQ(order.position, (Blocks{1, 2, 3, 4, 6, 7}));
  EXPECT_EQ(order.round_end[1], 5u);
  EXPECT_TRUE(order.pending[2].empty()) << "lanes there do not wait for later rounds";
  EXPECT_EQ(order.pending[4], (Ranges{{2, 3}, {4, 6}})) << "the rest of the loop, without block 2";
  EXPECT_EQ(order.pending[5], (Ranges{{2, 7}}));
  EXPECT_EQ(order.round_pending[1], (Ranges{{2, 3}, {4, 5}})) << "nor do others wait for it in the loop";
}

TEST(BlockOrder, a_loop_that_only_returns_runs_in_the_round_that_led_to_it) {
  // for (...) { 1; if (a) { 2: do { 2; if (b) return; 3 } } 4; } 5: 2 -> 6 (ends), 3; 3 -> 2
  const BlockOrder order = order_blocks({{1}, {2, 4}, {6, 3}, {2}, {1, 5}, {}, {}});
  EXPECT_LT(order.position[3], order.round_end[1]);
  EXPECT_LT(order.position[3], order.round_end[2]);
  EXPECT_LT(order.round_end[2], order.round_end[1]);
  EXPECT_TRUE(order.pending[2].empty());
  EXPECT_GT(order.position[5], order.round_end[1]);
}

TEST(BlockOrder, functions_are_apart) {
  // 0 -> 1; a function: 2 -> 3, 4; 3 -> 4
  const BlockOrder order = order_blocks({{1}, {}, {3, 4}, {4}, {}});
  EXPECT_EQ(order.pending[4], (Ranges{{4, 5}}));
  EXPECT_TRUE(order.pending[1].empty());
}

/// `count` loops, each within the one before; each also leads to an end of its own.
Successors nested_loops(uint32_t count) {
  Successors graph(2 * count + 1);
  for (uint32_t n = 0; n < count; ++n) {
    graph[n] = {n + 1, count + 1 + n};
    graph[count].push_back(n);
  }
  return graph;
}

TEST(BlockOrder, very_deep_nesting_ends) {
  const BlockOrder order = order_blocks(nested_loops(3000));
  EXPECT_EQ(order.position[0], 1u);
  for (uint32_t n = 0; n < 3000; ++n) ASSERT_GT(order.position[3001 + n], order.position[n]) << n;
}

}  // namespace
}  // namespace lanescope::ptx
