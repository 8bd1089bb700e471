// The tree of diverged lanes on its own: masks, blocks and positions are computed by hand.

#include "emulator/schedule/lane_tree.h"

#include <algorithm>
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

/// Blocks of ten steps each, in the order that ptx::order_blocks() gives them.
ptx::Program program_of(const ptx::Successors& successors) {
  ptx::Program program;
  ptx::BlockOrder order = ptx::order_blocks(successors);
  for (uint32_t block = 0; block < successors.size(); ++block)
    program.blocks.push_back({.first = 10 * block,
                              .end = 10 * block + 10,
                              .position = order.position[block],
                              .round_end = order.round_end[block],
                              .pending = order.pending[block],
                              .round_pending = order.round_pending[block]});
  return program;
}

/// if (a) 1 else 2; 3 (which is a call); 4; and function 1: if (b) 6 else 7; 8, from block 5.
ptx::Program if_else() {
  ptx::Program program = program_of({{1, 2}, {3}, {3}, {4}, {}, {6, 7}, {8}, {8}, {}});
  program.functions.resize(2);
  program.functions[1].entry = 5;
  return program;
}

/// for (;;) { 1; if (a) { 2; if (b) break; 3; } 4; } 5
ptx::Program loop_with_break() { return program_of({{1}, {2, 4}, {3, 5}, {4}, {1}, {}}); }

class LaneTrees : public testing::Test {
 protected:
  LaneTrees() { tree_.reset(0, 0, kAll); }

  void diverge(Index leaf, std::vector<Part> parts) { tree_.diverge(leaf, parts, program_); }
  /// The leaf goes to a block; whether it is to run now.
  bool go(Index leaf, uint32_t block) {
    go_to(tree_[leaf], block, program_);
    return tree_.arrive(leaf, program_);
  }
  Index next(bool take_turns = false) const { return tree_.next(take_turns, program_); }
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

  ptx::Program program_ = if_else();
  LaneTree tree_;
};

TEST_F(LaneTrees, begins_with_one_leaf_of_all_lanes) {
  EXPECT_THAT(masks(), ElementsAre(kAll));
  EXPECT_EQ(tree_.alive(), kAll);
  EXPECT_EQ(tree_.depth(tree_.leaves()[0]), 0u);
  tree_.reset(3, 30, 0);
  EXPECT_TRUE(tree_.empty()) << "no lane, no leaf";
}

TEST_F(LaneTrees, lanes_that_diverge_become_leaves_at_their_blocks) {
  diverge(tree_.leaves()[0], {{2, kHigh}, {1, kLow}});
  EXPECT_THAT(masks(), ElementsAre(kHigh, kLow)) << "the lowest position is last";
  EXPECT_EQ(tree_[leaf_of(kLow)].block, 1u);
  EXPECT_EQ(tree_[leaf_of(kLow)].step, 10u);
  EXPECT_EQ(tree_[leaf_of(kHigh)].step, 20u);
  EXPECT_EQ(next(), leaf_of(kLow));
}

TEST_F(LaneTrees, lanes_reconverge_at_the_end_of_an_if) {
  diverge(tree_.leaves()[0], {{1, kLow}, {2, kHigh}});
  EXPECT_FALSE(go(leaf_of(kLow), 3)) << "the other arm comes first";
  EXPECT_TRUE(tree_.waits(leaf_of(kLow), program_));
  EXPECT_EQ(next(), leaf_of(kHigh));
  EXPECT_FALSE(go(leaf_of(kHigh), 3)) << "it joined";
  EXPECT_THAT(masks(), ElementsAre(kAll));
  const LaneTree::Node& all = tree_[next()];
  EXPECT_EQ(all.block, 3u);
  EXPECT_EQ(all.step, 30u);
}

TEST_F(LaneTrees, arms_do_not_wait_for_each_other) {
  diverge(tree_.leaves()[0], {{1, kLow}, {2, kHigh}});
  EXPECT_FALSE(tree_.waits(leaf_of(kHigh), program_));
  tree_.end_turn(leaf_of(kLow));
  EXPECT_EQ(next(true), leaf_of(kHigh));
  EXPECT_EQ(next(false), leaf_of(kLow)) << "in lockstep the lowest runs to the end of its arm";
  tree_.end_turn(leaf_of(kHigh));
  EXPECT_EQ(next(true), leaf_of(kLow));
}

TEST_F(LaneTrees, lanes_that_break_out_of_an_if_are_not_waited_for_at_its_end) {
  program_ = loop_with_break();
  diverge(tree_.leaves()[0], {{2, kLow}, {4, kHigh}});
  diverge(leaf_of(kLow), {{3, 0x00ff}, {5, 0xff00}});
  EXPECT_THAT(masks(), ElementsAre(0xff00u, kHigh, 0xffu));
  EXPECT_FALSE(go(leaf_of(0xff), 4)) << "it joined the lanes that skipped the if";
  EXPECT_THAT(masks(), ElementsAre(0xff00u, kHigh | 0xff));
  EXPECT_TRUE(tree_.waits(leaf_of(0xff00), program_)) << "after the loop, for the rest of it";
}

TEST_F(LaneTrees, lanes_of_a_loop_begin_its_next_round_together) {
  program_ = loop_with_break();
  diverge(tree_.leaves()[0], {{1, kLow}, {4, kHigh}});
  // The high lanes are ahead, at the end of the body; the low lanes at its start.
  tree_.end_turn(leaf_of(kLow));
  const Index ahead = next(true);
  EXPECT_EQ(ahead, leaf_of(kHigh)) << "0 leads to both here, so neither waits";
  EXPECT_FALSE(go(ahead, 1));
  EXPECT_TRUE(tree_.waits(ahead, program_)) << "for the others in the loop";
  EXPECT_EQ(tree_[ahead].position, program_.blocks[1].round_end);
  EXPECT_TRUE(go(leaf_of(kLow), 4));
  EXPECT_FALSE(go(leaf_of(kLow), 1)) << "it joined";
  EXPECT_THAT(masks(), ElementsAre(kAll));
}

TEST_F(LaneTrees, a_round_begins_without_lanes_that_left) {
  program_ = loop_with_break();
  diverge(tree_.leaves()[0], {{2, kLow}, {4, kHigh}});
  tree_.end_turn(leaf_of(kLow));
  EXPECT_FALSE(go(leaf_of(kHigh), 1));
  EXPECT_FALSE(go(leaf_of(kLow), 5)) << "the loop comes before what follows it";
  EXPECT_EQ(next(), leaf_of(kHigh));
  EXPECT_TRUE(tree_.arrive(leaf_of(kHigh), program_));
  EXPECT_EQ(tree_[leaf_of(kHigh)].position, program_.blocks[1].position) << "the next round has begun";
}

TEST_F(LaneTrees, a_side_that_exits_is_not_waited_for) {
  diverge(tree_.leaves()[0], {{1, kLow}, {2, kHigh}});
  EXPECT_FALSE(go(leaf_of(kLow), 3));
  tree_.exit(kHigh);
  EXPECT_EQ(tree_.alive(), kLow);
  EXPECT_THAT(masks(), ElementsAre(kLow));
  EXPECT_FALSE(tree_.waits(leaf_of(kLow), program_));
}

TEST_F(LaneTrees, lanes_that_exit_while_waiting_are_gone) {
  diverge(tree_.leaves()[0], {{1, kLow}, {3, kHigh}});
  tree_.exit(0xff000000);
  EXPECT_FALSE(go(leaf_of(kLow), 3));
  EXPECT_THAT(masks(), ElementsAre(0x00ffffffu));
}

TEST_F(LaneTrees, is_empty_when_all_lanes_have_exited) {
  diverge(tree_.leaves()[0], {{1, kLow}, {2, kHigh}});
  tree_.exit(kLow);
  EXPECT_FALSE(tree_.empty());
  tree_.exit(kHigh);
  EXPECT_TRUE(tree_.empty());
  EXPECT_EQ(tree_.alive(), 0u);
}

TEST_F(LaneTrees, lanes_that_exit_in_a_call_leave_it_too) {
  const Index callee = tree_.call(tree_.leaves()[0], 4, 1, kLow, program_);
  tree_.call(callee, 8, 1, kLow, program_);
  tree_.exit(kLow);
  EXPECT_THAT(masks(), ElementsAre(kHigh));
  EXPECT_EQ(tree_[tree_.leaves()[0]].block, 4u);
  tree_.exit(kHigh);
  EXPECT_TRUE(tree_.empty());
}

TEST_F(LaneTrees, a_call_waits_at_its_return_block) {
  const Index caller = tree_.leaves()[0];
  const Index callee = tree_.call(caller, 4, 1, kAll, program_);
  EXPECT_THAT(tree_.leaves(), ElementsAre(callee));
  EXPECT_EQ(tree_[callee].block, 5u) << "the function's entry";
  EXPECT_EQ(tree_[callee].step, 50u);
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
  EXPECT_EQ(tree_.returned(caller), kHigh);
  diverge(callee, {{6, 0x00ff}, {7, 0xff00}});
  tree_.leave_function(leaf_of(0x00ff), 0x00ff);
  EXPECT_THAT(masks(), ElementsAre(0xff00u)) << "the others are still in the function";
  EXPECT_EQ(tree_.returned(caller), kHigh | 0x00ff);
  tree_.leave_function(leaf_of(0xff00), 0xff00);
  EXPECT_THAT(masks(), ElementsAre(kAll));
}

TEST_F(LaneTrees, lanes_in_different_functions_reconverge_after_their_calls) {
  go_to(tree_[tree_.leaves()[0]], 3, program_);
  const std::vector<uint32_t> two{kLow, kHigh};
  const std::vector<Index> leaves = tree_.split(tree_.leaves()[0], two);
  const Index low = tree_.call(leaves[0], 4, 1, kLow, program_);
  const Index high = tree_.call(leaves[1], 4, 1, kHigh, program_);
  tree_.leave_function(low, kLow);
  EXPECT_FALSE(tree_.arrive(leaves[0], program_));
  EXPECT_TRUE(tree_.waits(leaves[0], program_)) << "for the other call, which returns to the same place";
  tree_.leave_function(high, kHigh);
  EXPECT_FALSE(tree_.arrive(leaves[1], program_));
  EXPECT_THAT(masks(), ElementsAre(kAll));
}

TEST_F(LaneTrees, calls_within_calls_are_listed_from_the_outermost) {
  const Index outer = tree_.leaves()[0];
  const Index inner = tree_.call(outer, 4, 1, kAll, program_);
  const Index callee = tree_.call(inner, 8, 1, kAll, program_);
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

TEST_F(LaneTrees, leaves_at_the_same_step_of_one_call_join) {
  diverge(tree_.leaves()[0], {{1, kLow}, {2, kHigh}});
  const Index low = leaf_of(kLow), high = leaf_of(kHigh);
  EXPECT_FALSE(tree_.join(low, high)) << "they are at different blocks";
  tree_[high] = tree_[low];
  tree_[high].mask = kHigh;
  EXPECT_TRUE(tree_.join(low, high));
  EXPECT_THAT(masks(), ElementsAre(kAll));
  EXPECT_EQ(tree_[low].block, 1u);
}

TEST_F(LaneTrees, lanes_that_wait_for_a_spinning_one_can_be_released) {
  diverge(tree_.leaves()[0], {{1, kLow}, {3, kHigh}});
  const Index spinning = leaf_of(kLow);
  EXPECT_EQ(tree_.waiting_for(spinning, program_).mask, kHigh);
  EXPECT_EQ(tree_.waiting_for(spinning, program_).block, 3u);
  EXPECT_TRUE(tree_.release(spinning, program_));
  EXPECT_FALSE(tree_.waits(leaf_of(kHigh), program_));
  EXPECT_FALSE(tree_.release(spinning, program_)) << "no lane waits any more";
  tree_.end_turn(spinning);
  EXPECT_EQ(next(true), leaf_of(kHigh));
}

TEST_F(LaneTrees, lanes_that_have_returned_can_be_released_too) {
  const Index caller = tree_.leaves()[0];
  const Index callee = tree_.call(caller, 4, 1, kAll, program_);
  tree_.leave_function(callee, kHigh);
  EXPECT_EQ(tree_.waiting_for(callee, program_).mask, kHigh);
  EXPECT_TRUE(tree_.release(callee, program_));
  EXPECT_THAT(masks(), ElementsAre(kHigh, kLow));
  EXPECT_EQ(tree_[leaf_of(kHigh)].block, 4u);
  EXPECT_EQ(tree_[leaf_of(kHigh)].step, 40u);
}

TEST_F(LaneTrees, a_lane_that_spins_holds_up_the_others_in_lockstep) {
  diverge(tree_.leaves()[0], {{1, kLow}, {2, kHigh}});
  tree_[leaf_of(kLow)].state = LaneTree::State::Spins;
  EXPECT_EQ(next(false), LaneTree::kNone);
  EXPECT_EQ(next(true), leaf_of(kHigh));
  tree_[leaf_of(kLow)].state = LaneTree::State::AtBarrier;
  EXPECT_EQ(next(false), leaf_of(kHigh)) << "the others are about to exit";
  program_.blocks[2].reaches_barrier = true;
  EXPECT_EQ(next(false), LaneTree::kNone);
}

TEST_F(LaneTrees, gathered_lanes_are_one_leaf_within_the_same_calls) {
  const Index callee = tree_.call(tree_.leaves()[0], 4, 1, kAll, program_);
  diverge(callee, {{6, kLow}, {7, kHigh}});
  tree_.exit(0x80000000);
  tree_.gather(leaf_of(kLow));
  EXPECT_THAT(masks(), ElementsAre(0x7fffffffu));
  const Index leaf = tree_.leaves()[0];
  EXPECT_EQ(tree_[leaf].block, 6u);
  EXPECT_EQ(tree_.depth(leaf), 1u);
  tree_.leave_function(leaf, 0x7fffffff);
  EXPECT_EQ(tree_[tree_.leaves()[0]].block, 4u) << "the call still has its return address";
}

}  // namespace
}  // namespace lanescope::emulator
