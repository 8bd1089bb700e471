// Growth of guessed sizes, with a kernel in place of the emulator that only says what it accesses.

#include "pipeline/guessed_run.h"

#include "launch/argument_spec.h"

#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::pipeline {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Step step_with(const std::vector<std::string>& arguments, Guess guess) {
  launch::Launch launch;
  for (const std::string& argument : arguments) EXPECT_TRUE(launch::add_argument(launch, argument));
  Step step;
  step.job.launch = std::make_shared<const launch::Launch>(std::move(launch));
  step.guess = std::move(guess);
  return step;
}

Guess guess_of(std::vector<Guess::Buffer> buffers) {
  Guess guess;
  guess.buffers = std::move(buffers);
  return guess;
}

/// A run whose accesses do not fit into the trace.
std::shared_ptr<const Run> all_dropped(std::span<const Step> steps) {
  auto trace = std::make_shared<trace::Trace>();
  trace->dropped = 1;
  auto run = std::make_shared<Run>();
  run->launch = steps.front().job.launch;
  run->trace = std::move(trace);
  return run;
}

/// A kernel that needs `end_bytes` of the first buffer.
RunAll kernel_that_needs(uint64_t end_bytes, int& rounds) {
  return [end_bytes, &rounds](std::span<const Step> steps, Kept kept) -> Result<Runs> {
    if (kept == Kept::All) return Runs{all_dropped(steps)};
    ++rounds;
    auto trace = std::make_shared<trace::Trace>();
    if (steps.front().job.launch->buffers.front().initial->size() < end_bytes)
      trace->hazards.push_back({.kind = trace::HazardKind::OutOfBounds,
                                .where = {"k.cu", 15},
                                .ptx_line = 1,
                                .message = "reads",
                                .excess = trace::Excess{0, end_bytes}});
    auto run = std::make_shared<Run>();
    run->launch = steps.front().job.launch;
    run->trace = std::move(trace);
    return Runs{std::move(run)};
  };
}

TEST(GuessedRun, a_guessed_buffer_grows_at_least_twofold) {
  int rounds = 0;
  const Step step = step_with({"in=f32[4x8]:iota"}, guess_of({{"in", "iota"}}));
  const auto runs = run_guessed(std::span(&step, 1), kernel_that_needs(132, rounds));
  ASSERT_TRUE(runs);
  EXPECT_EQ(rounds, 3);  // once more with the size that is kept
  EXPECT_THAT(runs->front()->trace->hazards, IsEmpty());
  ASSERT_THAT(runs->front()->enlarged, SizeIs(1));
  EXPECT_EQ(runs->front()->enlarged.front().spec, "f32[8x8]:iota");
  EXPECT_EQ(sentence_of(runs->front()->enlarged), "`in`: 256 bytes, as line 15 needs");
  // Element 63 of iota.
  float last = 0;
  std::memcpy(&last, runs->front()->launch->buffers[0].initial->data() + 63 * 4, 4);
  EXPECT_EQ(last, 63.0f);
}

TEST(GuessedRun, what_needs_more_than_the_limit_is_a_question) {
  int rounds = 0;
  const Step step = step_with({"in=f32[32]:zeros"}, guess_of({{"in", "zeros"}}));
  const auto runs = run_guessed(std::span(&step, 1), kernel_that_needs(uint64_t{3} << 30, rounds));
  ASSERT_TRUE(runs);
  EXPECT_EQ(rounds, 1);
  ASSERT_THAT(runs->front()->trace->hazards, SizeIs(1));
  EXPECT_TRUE(runs->front()->trace->hazards.front().is_question);
  EXPECT_THAT(trace::sentence_of(runs->front()->trace->hazards.front()), HasSubstr("question: thread"));
}

TEST(GuessedRun, a_size_that_was_given_stays) {
  int rounds = 0;
  const Step step = step_with({"in=f32[32]:zeros", "out=f32[8]:zeros"}, guess_of({{"out", "zeros"}}));
  const auto runs = run_guessed(std::span(&step, 1), kernel_that_needs(132, rounds));
  ASSERT_TRUE(runs);
  EXPECT_EQ(rounds, 1);
  ASSERT_THAT(runs->front()->trace->hazards, SizeIs(1));
  EXPECT_FALSE(runs->front()->trace->hazards.front().is_question);
}

TEST(GuessedRun, launches_as_text_take_the_sizes) {
  LaunchFile launches;
  launches.buffers = {"x=u8[4]:zeros"};
  launches.launches.emplace_back().arguments = {"in=f32[4]:iota+8", "x"};
  auto run = std::make_shared<pipeline::Run>();
  run->enlarged = {{"in", "f32[16]:iota", 64, {}}, {"x", "u8[9]:zeros", 9, {}}, {"", "512", 512, {}}};
  take_sizes(launches, Runs{run});
  EXPECT_EQ(launches.buffers.front(), "x=u8[9]:zeros");
  EXPECT_EQ(launches.launches.front().arguments.front(), "in=f32[16]:iota+8");
  EXPECT_EQ(launches.launches.front().shared_bytes, 512u);
}

TEST(GuessedRun, what_a_person_changes_is_no_guess_any_more) {
  LaunchText before;
  before.grid = "4";
  before.block = "256";
  before.arguments = {"x=f32[4]:iota", "n=i32:4"};
  before.guess = guess_of({{"x", "iota"}});
  before.guess.grid = before.guess.block = before.guess.values = true;
  LaunchText now = before;
  now.block = "128";
  now.arguments[0] = "x=f32[8]:iota";
  const Guess left = guess_left(before, now);
  EXPECT_TRUE(left.grid);
  EXPECT_FALSE(left.block);
  EXPECT_TRUE(left.values);
  EXPECT_THAT(left.buffers, IsEmpty());
  now.kernel = "other";
  EXPECT_FALSE(guess_left(before, now).is_any());
}

}  // namespace
}  // namespace lanescope::pipeline
