// How long a warp waits for its loads.

#include "caches/wait_clock.h"

#include <gtest/gtest.h>

namespace lanescope::caches {
namespace {

/// A loop that loads, adds and goes on: sites 0 and 1 of one basic block.
std::vector<LoadWait> loop(bool second_needs_first) {
  LoadWait first{.block = 1, .step = 3, .fills_register = true, .is_used = true, .needs = {}};
  LoadWait second{.block = 1, .step = 5, .fills_register = true, .is_used = true, .needs = {}};
  if (second_needs_first) second.needs = {0};
  return {first, second};
}

double cycles_of(const std::vector<LoadWait>& waits, std::initializer_list<uint16_t> sites) {
  WaitClock clock;
  for (const uint16_t site : sites) clock.issue(waits, site, 100);
  return clock.end(waits);
}

TEST(WaitClock, loads_of_a_basic_block_are_under_way_together) {
  // Issued at 0 and 1, there at 101 and 102.
  EXPECT_DOUBLE_EQ(cycles_of(loop(false), {0, 1}), 102);
}

TEST(WaitClock, load_whose_address_is_loaded_waits) {
  // There at 101, issued at 101, there at 202.
  EXPECT_DOUBLE_EQ(cycles_of(loop(true), {0, 1}), 202);
}

TEST(WaitClock, next_round_of_a_loop_waits_for_what_the_last_used) {
  EXPECT_DOUBLE_EQ(cycles_of(loop(false), {0, 1, 0, 1}), 102 + 102);
}

TEST(WaitClock, value_that_is_used_later_is_waited_for_when_its_register_is_loaded_again) {
  // Load 0 of another basic block prefetches: its value is read in the next round. Load 1 is used at once.
  std::vector<LoadWait> waits{{.block = 1, .step = 3, .fills_register = true, .is_used = false, .needs = {}},
                              {.block = 2, .step = 5, .fills_register = true, .is_used = true, .needs = {}}};
  EXPECT_DOUBLE_EQ(cycles_of(waits, {0}), 1);
  EXPECT_DOUBLE_EQ(cycles_of(waits, {0, 1}), 102);
  // Site 0 at 0, there at 101; site 1 there at 102; site 0 again at 102, site 1 there at 204.
  EXPECT_DOUBLE_EQ(cycles_of(waits, {0, 1, 0, 1}), 204);
}

TEST(WaitClock, asynchronous_copy_of_the_next_round_does_not_wait_for_the_last) {
  auto waits = loop(false);
  for (LoadWait& wait : waits) wait.fills_register = wait.is_used = false;
  EXPECT_DOUBLE_EQ(cycles_of(waits, {0, 1, 0, 1}), 4);
  // Its address comes from a load: the copy is issued when the load is there, and nothing waits for the copy.
  waits[0].fills_register = true;
  waits[1].needs = {0};
  EXPECT_DOUBLE_EQ(cycles_of(waits, {0, 1}), 102);
}

TEST(WaitClock, four_rounds_of_an_unrolled_loop_wait_once) {
  auto waits = loop(false);
  for (LoadWait& wait : waits) wait.spans_rounds = true;
  // Eight loads are issued from 0 to 7, the last is there at 108; the fifth round begins then.
  EXPECT_DOUBLE_EQ(cycles_of(waits, {0, 1, 0, 1, 0, 1, 0, 1}), 108);
  EXPECT_DOUBLE_EQ(cycles_of(waits, {0, 1, 0, 1, 0, 1, 0, 1, 0, 1}), 108 + 102);
}

TEST(WaitClock, rounds_on_two_sides_of_a_barrier_are_not_under_way_together) {
  auto waits = loop(false);
  for (LoadWait& wait : waits) wait.spans_rounds = true;
  WaitClock clock;
  for (int round = 0; round < 2; ++round) {
    clock.issue(waits, 0, 100);
    clock.issue(waits, 1, 100);
    clock.meet(waits);
  }
  EXPECT_DOUBLE_EQ(clock.end(waits), 102 + 102);
}

TEST(WaitClock, stores_take_a_cycle) {
  const auto waits = loop(false);
  WaitClock clock;
  clock.issue(waits, 0, 0);
  clock.issue(waits, 1, 0);
  EXPECT_DOUBLE_EQ(clock.end(waits), 2);
}

}  // namespace
}  // namespace lanescope::caches
