// The tree of diverged lanes on its own: masks, blocks and steps are computed by hand.

#include "emulator/schedule/lane_tree.h"

#include <algorithm>
#include <array>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::emulator {
namespace {

using testing::ElementsAre;
using Index = LaneTree::Index;
using Part = LaneTree::Part;

constexpr uint32_t kAll = 0xffffffff;
constexpr uint32_t kLow = 0x0000ffff;
constexpr uint32_t kHigh = 0xffff0000;

/// Ten basic blocks of ten steps each; function 1 begins at block 6.
ptx::Program ten_blocks() {
  ptx::Program program;
  for (uint32_t block = 0; block < 10; ++block)
    program.blocks.push_back({.first = 10 * block, .end = 10 * block + 10});
  program.functions.resize(2);
  program.functions[1].entry = 6;
  return program;
}

class LaneTrees : public testing::Test {
 protected:
  LaneTrees() { tree_.reset(0, 0, kAll); }

  void diverge(Index leaf, uint32_t meeting, std::vector<Part> parts) {
    tree_.part(leaf, meeting, parts, program_);
  }
  /// The leaf that holds exactly these lanes.
  Index leaf_of(uint32_t mask) const {
    for (const Index leaf : tree_.leaves())
      if (tree_[leaf].mask == mask) return leaf;
    ADD_FAILURE() << "no leaf has the lanes " << std::hex << mask;
    return LaneTree::kNone;
  }
  /// Masks of the leaves, in their order.
  std::vector<uint32_t> masks() const {
    std::vector<uint32_t> found;
    for (const Index leaf : tree_.leaves()) found.push_back(tree_[leaf].mask);
    return found;
  }

  const ptx::Program program_ = ten_blocks();
  LaneTree tree_;
};

TEST_F(LaneTrees, begins_with_one_leaf_of_all_lanes) {
  EXPECT_THAT(masks(), ElementsAre(kAll));
  EXPECT_EQ(tree_.alive(), kAll);
  EXPECT_EQ(tree_.depth(tree_.leaves()[0]), 0u);
  tree_.reset(3, 31, 0);
  EXPECT_TRUE(tree_.empty()) << "no lane, no leaf";
}

TEST_F(LaneTrees, lanes_that_diverge_become_leaves_at_their_blocks) {
  diverge(tree_.leaves()[0], 3, {{1, kLow}, {2, kHigh}});
  EXPECT_THAT(masks(), ElementsAre(kLow, kHigh)) << "the last part is the last leaf";
  const LaneTree::Node& low = tree_[leaf_of(kLow)];
  EXPECT_EQ(low.block, 1u);
  EXPECT_EQ(low.step, 10u);
  EXPECT_EQ(low.reconvergence, 3u);
  EXPECT_EQ(tree_[leaf_of(kHigh)].step, 20u);
  EXPECT_EQ(tree_[low.parent].mask, kAll);
  EXPECT_EQ(tree_[low.parent].below, 2u);
  EXPECT_EQ(tree_.waiting_at(low.parent), 0u) << "no lane has reached block 3 yet";
}

TEST_F(LaneTrees, the_last_to_reach_the_reconvergence_point_takes_all_on) {
  diverge(tree_.leaves()[0], 3, {{1, kLow}, {2, kHigh}});
  const Index parent = tree_[leaf_of(kLow)].parent;
  tree_.meet(leaf_of(kHigh));
  EXPECT_THAT(masks(), ElementsAre(kLow));
  EXPECT_EQ(tree_.waiting_at(parent), kHigh);
  tree_.meet(leaf_of(kLow));
  EXPECT_THAT(masks(), ElementsAre(kAll));
  const LaneTree::Node& all = tree_[tree_.leaves()[0]];
  EXPECT_EQ(all.block, 3u);
  EXPECT_EQ(all.step, 30u);
  EXPECT_EQ(all.reconvergence, ptx::BasicBlock::kNever);
}

TEST_F(LaneTrees, a_part_that_branches_to_the_reconvergence_point_waits_there_at_once) {
  diverge(tree_.leaves()[0], 3, {{1, kLow}, {3, kHigh}});
  EXPECT_THAT(masks(), ElementsAre(kLow));
  EXPECT_EQ(tree_.waiting_at(tree_[leaf_of(kLow)].parent), kHigh);
  tree_.meet(leaf_of(kLow));
  EXPECT_THAT(masks(), ElementsAre(kAll));
}

TEST_F(LaneTrees, an_inner_branch_reconverges_before_the_outer_one) {
  diverge(tree_.leaves()[0], 9, {{1, kLow}, {2, kHigh}});
  diverge(leaf_of(kLow), 5, {{3, 0x00ff}, {4, 0xff00}});
  EXPECT_THAT(masks(), ElementsAre(kHigh, 0x00ff, 0xff00));
  tree_.meet(leaf_of(0xff00));
  tree_.meet(leaf_of(0x00ff));
  EXPECT_THAT(masks(), ElementsAre(kHigh, kLow));
  const LaneTree::Node& low = tree_[leaf_of(kLow)];
  EXPECT_EQ(low.block, 5u);
  EXPECT_EQ(low.reconvergence, 9u) << "it is still awaited by the outer branch";
  tree_.meet(leaf_of(kLow));
  tree_.meet(leaf_of(kHigh));
  EXPECT_THAT(masks(), ElementsAre(kAll));
  EXPECT_EQ(tree_[tree_.leaves()[0]].step, 90u);
}

TEST_F(LaneTrees, an_inner_branch_with_the_same_reconvergence_point_adds_no_level) {
  diverge(tree_.leaves()[0], 9, {{1, kLow}, {2, kHigh}});
  const Index outer = tree_[leaf_of(kLow)].parent;
  diverge(leaf_of(kLow), 9, {{3, 0x00ff}, {4, 0xff00}});
  EXPECT_EQ(tree_[leaf_of(0x00ff)].parent, outer);
  EXPECT_EQ(tree_[leaf_of(0xff00)].parent, outer);
  EXPECT_EQ(tree_[outer].below, 3u);
}

TEST_F(LaneTrees, parts_without_a_reconvergence_point_stay_apart) {
  diverge(tree_.leaves()[0], ptx::BasicBlock::kNever, {{1, kLow}, {2, kHigh}});
  EXPECT_THAT(masks(), ElementsAre(kLow, kHigh));
  EXPECT_EQ(tree_[leaf_of(kLow)].parent, LaneTree::kNone);
  EXPECT_EQ(tree_[leaf_of(kHigh)].reconvergence, ptx::BasicBlock::kNever);
}

TEST_F(LaneTrees, a_side_that_exits_is_not_waited_for) {
  diverge(tree_.leaves()[0], 3, {{1, kLow}, {2, kHigh}});
  tree_.meet(leaf_of(kLow));
  tree_.exit(kHigh);
  EXPECT_EQ(tree_.alive(), kLow);
  EXPECT_THAT(masks(), ElementsAre(kLow));
  EXPECT_EQ(tree_[leaf_of(kLow)].block, 3u);
}

TEST_F(LaneTrees, lanes_that_exit_while_waiting_are_gone_at_the_reconvergence_point) {
  diverge(tree_.leaves()[0], 3, {{1, kLow}, {3, kHigh}});
  tree_.exit(0xff000000);
  tree_.meet(leaf_of(kLow));
  EXPECT_THAT(masks(), ElementsAre(0x00ffffffu));
}

TEST_F(LaneTrees, is_empty_when_all_lanes_have_exited) {
  diverge(tree_.leaves()[0], 3, {{1, kLow}, {2, kHigh}});
  tree_.exit(kLow);
  EXPECT_FALSE(tree_.empty());
  tree_.exit(kHigh);
  EXPECT_TRUE(tree_.empty());
  EXPECT_EQ(tree_.alive(), 0u);
}

TEST_F(LaneTrees, a_call_waits_at_its_return_block) {
  const Index caller = tree_.leaves()[0];
  const Index callee = tree_.call(caller, 4, 1, kAll, program_);
  EXPECT_THAT(tree_.leaves(), ElementsAre(callee));
  EXPECT_EQ(tree_[callee].block, 6u) << "the function's entry";
  EXPECT_EQ(tree_[callee].step, 60u);
  EXPECT_EQ(tree_.depth(callee), 1u);
  EXPECT_THAT(tree_.calls_of(callee), ElementsAre(caller));
  EXPECT_TRUE(tree_[caller].is_call);
  tree_.leave_function(callee, kAll);
  EXPECT_THAT(tree_.leaves(), ElementsAre(caller));
  EXPECT_EQ(tree_[caller].block, 4u);
  EXPECT_EQ(tree_[caller].step, 40u);
  EXPECT_FALSE(tree_[caller].is_call);
}

TEST_F(LaneTrees, lanes_that_do_not_call_wait_for_those_that_do) {
  const Index caller = tree_.leaves()[0];
  const Index callee = tree_.call(caller, 4, 1, kLow, program_);
  EXPECT_EQ(tree_.waiting_at(caller), kHigh);
  tree_.leave_function(callee, 0x00ff);
  EXPECT_THAT(masks(), ElementsAre(0xff00u)) << "the others are still in the function";
  EXPECT_EQ(tree_.waiting_at(caller), kHigh | 0x00ff);
  tree_.leave_function(callee, 0xff00);
  EXPECT_THAT(masks(), ElementsAre(kAll));
}

TEST_F(LaneTrees, calls_within_calls_are_listed_from_the_outermost) {
  const Index outer = tree_.leaves()[0];
  const Index inner = tree_.call(outer, 4, 1, kAll, program_);
  const Index callee = tree_.call(inner, 7, 1, kAll, program_);
  EXPECT_THAT(tree_.calls_of(callee), ElementsAre(outer, inner));
  EXPECT_EQ(tree_.depth(callee), 2u);
}

TEST_F(LaneTrees, registers_of_a_call_are_kept_until_the_last_lane_returns) {
  const Index caller = tree_.leaves()[0];
  const Index callee = tree_.call(caller, 4, 1, kAll, program_);
  tree_.keep(caller, std::vector<std::byte>(12, std::byte{7}));
  EXPECT_EQ(tree_.kept_bytes(), 12u);
  EXPECT_EQ(tree_.kept(caller).size(), 12u);
  tree_.leave_function(callee, kLow);
  EXPECT_EQ(tree_.kept_bytes(), 12u);
  tree_.leave_function(callee, kHigh);
  EXPECT_EQ(tree_.kept_bytes(), 0u);
}

TEST_F(LaneTrees, leaves_at_the_same_step_below_one_parent_join) {
  diverge(tree_.leaves()[0], 9, {{1, kLow}, {2, kHigh}});
  const Index low = leaf_of(kLow), high = leaf_of(kHigh);
  EXPECT_FALSE(tree_.join(low, high)) << "they are at different blocks";
  tree_[high].block = 1;
  tree_[high].step = 10;
  EXPECT_TRUE(tree_.join(low, high));
  EXPECT_THAT(masks(), ElementsAre(kAll));
  EXPECT_EQ(tree_[low].block, 1u);
  EXPECT_EQ(tree_[low].reconvergence, 9u);
}

TEST_F(LaneTrees, lanes_that_wait_for_a_spinning_one_can_be_released) {
  diverge(tree_.leaves()[0], 3, {{1, kLow}, {3, kHigh}});
  const Index spinning = leaf_of(kLow);
  EXPECT_TRUE(tree_.release(spinning, program_));
  EXPECT_THAT(masks(), ElementsAre(kLow, kHigh));
  EXPECT_EQ(tree_[leaf_of(kHigh)].block, 3u);
  EXPECT_EQ(tree_[leaf_of(kHigh)].step, 30u);
  EXPECT_FALSE(tree_.release(spinning, program_)) << "no lane waits any more";
}

TEST_F(LaneTrees, the_first_leaf_can_be_chosen) {
  diverge(tree_.leaves()[0], 9, {{1, 0xff}, {2, 0xff00}, {3, kHigh}});
  tree_.make_first(leaf_of(kHigh));
  EXPECT_THAT(masks(), ElementsAre(kHigh, 0xffu, 0xff00u));
}

TEST_F(LaneTrees, gathered_lanes_are_one_leaf_within_the_same_calls) {
  const Index callee = tree_.call(tree_.leaves()[0], 4, 1, kAll, program_);
  diverge(callee, 9, {{7, kLow}, {8, kHigh}});
  tree_.exit(0x80000000);
  tree_.gather(leaf_of(kLow));
  EXPECT_THAT(masks(), ElementsAre(0x7fffffffu));
  const Index leaf = tree_.leaves()[0];
  EXPECT_EQ(tree_[leaf].block, 7u);
  EXPECT_EQ(tree_.depth(leaf), 1u);
  EXPECT_EQ(tree_[leaf].reconvergence, ptx::BasicBlock::kNever);
  tree_.leave_function(leaf, 0x7fffffff);
  EXPECT_EQ(tree_[tree_.leaves()[0]].block, 4u) << "the call still has its return address";
}

}  // namespace
}  // namespace lanescope::emulator
