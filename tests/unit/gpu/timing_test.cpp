// How timings are summarized, and what is done between two repetitions, without a GPU.

#include "gpu/timing.h"

#include "launch/argument_spec.h"
#include "support/on_fake_driver.h"

#include <algorithm>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::gpu {
namespace {

using testing::ElementsAre;

TEST(Timing, quartiles_lie_between_repetitions) {
  const Timing five{{1, 2, 3, 4, 10}};
  EXPECT_DOUBLE_EQ(five.minimum(), 1);
  EXPECT_DOUBLE_EQ(five.lower_quartile(), 2);
  EXPECT_DOUBLE_EQ(five.median(), 3);
  EXPECT_DOUBLE_EQ(five.upper_quartile(), 4);
  const Timing two{{1, 3}};
  EXPECT_DOUBLE_EQ(two.median(), 2);
  EXPECT_DOUBLE_EQ(two.lower_quartile(), 1.5);
}

TEST(Timing, all_quantiles_of_one_repetition_are_equal) {
  const Timing one{{7}};
  EXPECT_DOUBLE_EQ(one.median(), 7);
  EXPECT_DOUBLE_EQ(one.upper_quartile(), 7);
}

// Adds to a word and to a variable; the fake driver does so for its name.
constexpr std::string_view kAppend = R"(.version 7.8
.target sm_75
.address_size 64
.visible .global .align 4 .u32 counter;
.visible .entry append(.param .u64 to) {
  .reg .u64 %rd<3>;
  ld.param.u64 %rd1, [to];
  red.global.add.u32 [%rd1], 1;
  red.global.add.u32 [counter], 1;
  ret;
})";
const Kernel kKernel{kAppend, "append.ptx", "append"};
constexpr uint64_t kMegabyte = uint64_t{1} << 20;

launch::Launch appending(const std::string& buffer) {
  launch::Launch launch;
  EXPECT_TRUE(launch::add_argument(launch, buffer));
  return launch;
}

/// The notes from the first waiting on, which are those of the repetitions, without what is before it.
std::vector<std::string> timed(const std::vector<std::string>& notes) {
  std::vector<std::string> spans;
  for (size_t n = 0; n < notes.size(); ++n)
    if (notes[n] == "launch waiting") spans.insert(spans.end(), &notes[n], &notes[n] + 4);
  return spans;
}

TEST(TimeKernel, every_launch_starts_with_the_initial_buffers_and_variables) {
  const tests::FakeDriver driver(64 * kMegabyte);
  ASSERT_TRUE(time_kernel(driver.context(), kKernel, appending("u32[1000]:fill(7)"), {.repetitions = 5}));
  int launches = 0;
  for (const std::string& note : driver.notes()) {
    if (!note.starts_with("launch append")) continue;
    EXPECT_EQ(note, "launch append 7 0");
    ++launches;
  }
  EXPECT_EQ(launches, 3 + 5);
}

TEST(TimeKernel, only_the_kernel_is_between_two_events_and_the_wait_is_before_them) {
  for (const auto l2 : {TimingOptions::Cache::Cold, TimingOptions::Cache::Warm}) {
    const tests::FakeDriver driver(64 * kMegabyte);
    ASSERT_TRUE(
        time_kernel(driver.context(), kKernel, appending("u32[1000]:zeros"), {.repetitions = 2, .l2 = l2}));
    EXPECT_THAT(timed(driver.notes()), ElementsAre("launch waiting", "event", "launch append 0 0", "event",
                                                   "launch waiting", "event", "launch append 0 0", "event"));
  }
}

/// By reads: a copy would leave lines that are written back while the kernel is timed.
TEST(TimeKernel, a_cold_cache_is_flushed_and_a_warm_one_filled_by_reads_before_the_wait) {
  std::map<TimingOptions::Cache, std::string> last;
  for (const auto l2 : {TimingOptions::Cache::Cold, TimingOptions::Cache::Warm}) {
    const tests::FakeDriver driver(64 * kMegabyte);
    ASSERT_TRUE(
        time_kernel(driver.context(), kKernel, appending("u32[1000]:zeros"), {.repetitions = 1, .l2 = l2}));
    const auto notes = driver.notes();
    last[l2] = *std::prev(std::ranges::find(notes, "launch waiting"));
  }
  EXPECT_EQ(last[TimingOptions::Cache::Cold], "launch reading 4194304") << "four times the L2 of 1 MiB";
  EXPECT_EQ(last[TimingOptions::Cache::Warm], "launch reading 4000") << "the buffer of 1000 words";
}

TEST(TimeKernel, buffers_of_any_content_are_not_restored) {
  const tests::FakeDriver driver(64 * kMegabyte);
  ASSERT_TRUE(time_kernel(driver.context(), kKernel, appending("u32[1000]:zeros"),
                          {.repetitions = 1, .warm_up = 1, .contents = Filling::Any}));
  EXPECT_THAT(timed(driver.notes()), ElementsAre("launch waiting", "event", "launch append 1 1", "event"));
}

/// 40 of 64 MiB: a second set has no room, so the host puts it back.
TEST(TimeKernel, buffers_of_more_than_half_of_the_memory_are_timed_too) {
  const tests::FakeDriver driver(64 * kMegabyte);
  const auto timing =
      time_kernel(driver.context(), kKernel, appending("u32[10485760]:zeros"), {.repetitions = 2});
  ASSERT_TRUE(timing) << timing.error().message;
  EXPECT_THAT(timed(driver.notes()), testing::Contains("launch append 0 0").Times(2));
}

TEST(TimeKernel, arguments_that_are_not_the_kernels_are_refused) {
  const tests::FakeDriver driver(64 * kMegabyte);
  const auto timing = time_kernel(driver.context(), kKernel, {}, {});
  ASSERT_FALSE(timing);
  EXPECT_EQ(timing.error().kind, ErrorKind::Launch);
  EXPECT_EQ(timing.error().message, "kernel append takes 1 arguments, 0 were given; use --arg once for each");
}

/// The fake driver's spans are a millisecond. Of 160 MiB a quarter of the memory, 16 MiB, is copied.
TEST(TimeCopy, of_more_bytes_than_fit_is_extrapolated) {
  const tests::FakeDriver driver(64 * kMegabyte);
  const auto timing = time_copy(driver.context(), 160 * kMegabyte, {.repetitions = 1});
  ASSERT_TRUE(timing) << timing.error().message;
  EXPECT_NEAR(timing->median(), 0.01, 1e-8);
  EXPECT_THAT(timed(driver.notes()), ElementsAre("launch waiting", "event", "copy 16777216", "event"));
  EXPECT_EQ(copied_bytes(1000, 64 * kMegabyte), 1000u);
}

}  // namespace
}  // namespace lanescope::gpu
