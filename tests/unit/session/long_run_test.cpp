#include "session/long_run.h"

#include "session/session.h"
#include "support/project_options.h"

#include <thread>

#include <gtest/gtest.h>

namespace lanescope::session {
namespace {

launch::Launch launch_of(uint64_t elements, uint32_t blocks) {
  launch::Launch launch;
  launch.grid = {blocks, 1, 1};
  launch.buffers.push_back(
      {.name = "a", .type = launch::ElementType::F32, .shape = {elements}, .initial = {}});
  launch.buffers.push_back({.name = "b", .type = launch::ElementType::U8, .shape = {3, 5}, .initial = {}});
  return launch;
}

TEST(RunWatch, memory_is_that_of_all_buffers) { EXPECT_EQ(bytes_of(launch_of(100, 1)), 4u * 100 + 15); }

TEST(RunWatch, a_run_that_takes_much_memory_is_not_admitted_before_it_is_confirmed) {
  const auto progress = std::make_shared<RunProgress>();
  RunWatch asks({}, progress, pipeline::RunLimits{.seconds = 10, .bytes = 415});
  EXPECT_TRUE(asks.admit(launch_of(100, 1)));
  EXPECT_FALSE(asks.question());
  const auto refused = asks.admit(launch_of(101, 1));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::Cancelled);
  ASSERT_TRUE(asks.question());
  EXPECT_EQ(asks.question()->bytes, 419u);
  RunWatch confirmed({}, progress, std::nullopt);
  EXPECT_TRUE(confirmed.admit(launch_of(101, 1)));
}

TEST(RunWatch, a_run_whose_blocks_tell_that_it_takes_long_is_stopped_and_asked_about) {
  const auto progress = std::make_shared<RunProgress>();
  RunWatch watch({}, progress, pipeline::RunLimits{.seconds = 5, .bytes = 1 << 20});
  const auto options = watch.watched({});
  watch.begin(launch_of(1, 1000));
  EXPECT_FALSE(progress->estimate());
  *options.finished_blocks = 10;
  for (int n = 0; n < 100 && !options.stop.stop_requested(); ++n)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_TRUE(options.stop.stop_requested());
  ASSERT_TRUE(watch.question());
  EXPECT_GE(*watch.question()->seconds, 5);
  EXPECT_FALSE(watch.question()->bytes);
}

TEST(RunWatch, a_run_that_will_end_in_time_goes_on) {
  const auto progress = std::make_shared<RunProgress>();
  RunWatch watch({}, progress, pipeline::RunLimits{.seconds = 5, .bytes = 1 << 20});
  const auto options = watch.watched({});
  watch.begin(launch_of(1, 1000));
  *options.finished_blocks = 900;
  std::this_thread::sleep_for(std::chrono::milliseconds(1800));
  EXPECT_FALSE(options.stop.stop_requested());
  EXPECT_FALSE(watch.question());
}

class LongRunTest : public testing::Test {
 protected:
  static pipeline::Options options() {
    pipeline::Options options = tests::project_options(1);
    options.asks_above = pipeline::RunLimits{.seconds = 100, .bytes = uint64_t{1} << 20};
    return options;
  }
  std::shared_ptr<const Snapshot> after(const Command& command) {
    session_.post(command);
    session_.wait_until_idle();
    return session_.latest();
  }
  Session session_{options()};
};

TEST_F(LongRunTest, it_is_made_when_it_is_confirmed) {
  session_.post(OpenLesson{"transpose"});
  session_.post(SetToggle{"size", "256"});
  auto now = after(SetToggle{"size", "512"});
  ASSERT_TRUE(now->question);
  EXPECT_EQ(now->question->bytes, 2u * 512 * 512 * 4);
  EXPECT_FALSE(now->error) << now->error->message;
  now = after(ConfirmRun{});
  EXPECT_FALSE(now->question);
  ASSERT_TRUE(now->run);
  EXPECT_EQ(now->run->launch->buffers.front().shape, (std::vector<uint64_t>{512, 512}));
  EXPECT_TRUE(after(SetToggle{"padding", "1"})->question) << "each run is asked about";
}

TEST_F(LongRunTest, where_it_is_not_confirmed_the_choices_are_those_of_the_run_that_is_shown) {
  session_.post(OpenLesson{"transpose"});
  auto now = after(SetToggle{"size", "64"});
  ASSERT_FALSE(now->question);
  const auto shown = now->run;
  now = after(SetToggle{"size", "4096"});
  ASSERT_TRUE(now->question);
  EXPECT_EQ(now->run, shown);
  EXPECT_EQ(now->choices.settings.values.at("size"), "4096");
  now = after(CancelRun{});
  EXPECT_FALSE(now->question);
  EXPECT_FALSE(now->busy);
  EXPECT_FALSE(now->error);
  EXPECT_EQ(now->run, shown);
  EXPECT_EQ(now->choices.settings.values.at("size"), "64");
}

TEST_F(LongRunTest, another_choice_takes_the_question_away) {
  session_.post(OpenLesson{"transpose"});
  ASSERT_TRUE(after(SetToggle{"size", "4096"})->question);
  const auto now = after(SetToggle{"size", "128"});
  EXPECT_FALSE(now->question);
  EXPECT_EQ(now->run->launch->buffers.front().shape, (std::vector<uint64_t>{128, 128}));
}

}  // namespace
}  // namespace lanescope::session
