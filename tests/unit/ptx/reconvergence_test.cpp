// Immediate post-dominators of graphs small enough to draw.

#include "ptx/reconvergence.h"

#include <gtest/gtest.h>

namespace lanescope::ptx {
namespace {

using Blocks = std::vector<uint32_t>;

TEST(Reconvergence, both_arms_of_a_branch_reconverge_after_it) {
  //   0 -> 1, 2;  1, 2 -> 3
  const Successors graph{{1, 2}, {3}, {3}, {}};
  EXPECT_EQ(immediate_post_dominators(graph), (Blocks{3, 3, 3, kExit}));
}

TEST(Reconvergence, a_branch_without_else_reconverges_at_its_target) {
  const Successors graph{{1, 2}, {2}, {}};
  EXPECT_EQ(immediate_post_dominators(graph), (Blocks{2, 2, kExit}));
}

TEST(Reconvergence, a_loop_reconverges_at_its_exit) {
  // 0 -> 1 (head), 1 -> 1, 2
  const Successors graph{{1}, {1, 2}, {}};
  EXPECT_EQ(immediate_post_dominators(graph), (Blocks{1, 2, kExit}));
}

TEST(Reconvergence, a_break_reconverges_after_the_loop) {
  // 0 -> 1; 1 -> 2, 4 (break); 2 -> 3; 3 -> 1, 4; 4 ends
  const Successors graph{{1}, {2, 4}, {3}, {1, 4}, {}};
  EXPECT_EQ(immediate_post_dominators(graph), (Blocks{1, 4, 3, 4, kExit}));
}

TEST(Reconvergence, arms_that_both_exit_never_reconverge) {
  const Successors graph{{1, 2}, {}, {}};
  EXPECT_EQ(immediate_post_dominators(graph), (Blocks{kExit, kExit, kExit}));
}

TEST(Reconvergence, an_inner_branch_reconverges_before_the_outer_one) {
  // 0 -> 1, 5; 1 -> 2, 3; 2 -> 4; 3 -> 4; 4 -> 5; 5 ends
  const Successors graph{{1, 5}, {2, 3}, {4}, {4}, {5}, {}};
  EXPECT_EQ(immediate_post_dominators(graph), (Blocks{5, 4, 4, 4, 5, kExit}));
}

TEST(Reconvergence, an_endless_loop_has_an_answer) {
  // 0 -> 1, 3; 1 -> 2; 2 -> 1; 3 ends
  const Successors graph{{1, 3}, {2}, {1}, {}};
  const Blocks found = immediate_post_dominators(graph);
  EXPECT_EQ(found[0], kExit);
  EXPECT_EQ(found[3], kExit);
}

TEST(Reconvergence, an_irreducible_loop_has_an_answer) {
  // 0 -> 1, 2; 1 -> 2, 3; 2 -> 1, 3: two entries
  const Successors graph{{1, 2}, {2, 3}, {1, 3}, {}};
  EXPECT_EQ(immediate_post_dominators(graph), (Blocks{3, 3, 3, kExit}));
}

}  // namespace
}  // namespace lanescope::ptx
