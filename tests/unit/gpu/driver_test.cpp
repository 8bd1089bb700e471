// Without a GPU: the errors if there is no driver, or another library of its name.

#include "gpu/driver.h"

#include "support/on_fake_driver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::gpu {
namespace {

TEST(Driver, a_missing_driver_is_an_error_that_points_to_the_emulator) {
  const auto driver = Driver::open("libcuda_that_is_nowhere.so");
  ASSERT_FALSE(driver);
  EXPECT_EQ(driver.error().kind, ErrorKind::Unsupported);
  EXPECT_EQ(driver.error().message,
            "an NVIDIA driver was expected and libcuda_that_is_nowhere.so was not found; install the driver, "
            "or run "
            "in the emulator, which needs none");
}

TEST(Driver, a_library_that_is_not_the_driver_is_refused_with_the_missing_function) {
  const auto driver = Driver::open("libm.so.6");
  ASSERT_FALSE(driver);
  EXPECT_EQ(driver.error().kind, ErrorKind::Unsupported);
  EXPECT_NE(driver.error().message.find("has no cuInit"), std::string::npos) << driver.error().message;
}

TEST(Driver, a_gpu_number_that_does_not_exist_is_a_usage_error) {
  const auto driver = Driver::open();
  if (!driver) GTEST_SKIP() << driver.error().message;
  const auto context = Context::make(*driver, 4096);
  ASSERT_FALSE(context);
  EXPECT_EQ(context.error().kind, ErrorKind::Usage);
}

/// What the kernel declares counts with it: 40 KiB of dynamic shared memory may be too much unasked.
TEST(Module, a_launch_requests_all_of_its_dynamic_shared_memory) {
  const tests::FakeDriver driver(1 << 20);
  const auto module = Module::load(driver.context(), ".version 7.8", "f.ptx");
  ASSERT_TRUE(module);
  ASSERT_TRUE(module->launch("f", {1, 1, 1}, {32, 1, 1}, 40960, {}));
  ASSERT_TRUE(module->launch("g", {1, 1, 1}, {32, 1, 1}, 0, {}));
  EXPECT_THAT(driver.notes(), testing::ElementsAre("shared 40960", "launch f", "launch g"));
}

TEST(Module, a_cooperative_launch_is_made_as_one) {
  const tests::FakeDriver driver(1 << 20);
  const auto module = Module::load(driver.context(), ".version 7.8", "f.ptx");
  ASSERT_TRUE(module);
  ASSERT_TRUE(module->launch("f", {1, 1, 1}, {32, 1, 1}, 0, {}, LaunchKind::Cooperative));
  EXPECT_THAT(driver.notes(), testing::ElementsAre("launch f together"));
}

TEST(Context, a_kernel_that_does_not_end_in_time_is_an_error_and_nothing_waits_for_it) {
  const tests::FakeDriver driver(1 << 20);
  Context context = driver.context();
  context.limit_waiting(std::chrono::seconds(1));
  ASSERT_TRUE(context.synchronize("nothing"));
  {
    const auto buffer = Buffer::allocate(context, 64);
    const auto module = Module::load(context, ".version 7.8", "f.ptx");
    ASSERT_TRUE(module->launch("endless", {1, 1, 1}, {32, 1, 1}, 0, {}));
    const auto ended = context.synchronize("kernel endless");
    ASSERT_FALSE(ended);
    EXPECT_EQ(ended.error().kind, ErrorKind::Limit);
    EXPECT_EQ(
        ended.error().message,
        "kernel endless did not end within 1 s on the GPU and was stopped; raise --limit-seconds, or run "
        "it in the emulator, which tells where threads wait");
  }
  EXPECT_THAT(driver.notes(), testing::ElementsAre("launch endless")) << "to free memory the driver waits";
}

}  // namespace
}  // namespace lanescope::gpu
