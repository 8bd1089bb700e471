#include "gpu/launch_buffers.h"

#include "gpu/uninstrumented_run.h"
#include "launch/argument_spec.h"

#include <span>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::gpu {
namespace {

using testing::ElementsAre;

std::vector<int> numbers(std::span<const std::byte> bytes) {
  std::vector<int> all;
  for (const std::byte byte : bytes) all.push_back(std::to_integer<int>(byte));
  return all;
}

TEST(ParameterBytes, of_a_value_are_its_own_and_of_a_buffer_its_address) {
  launch::Launch launch;
  ASSERT_TRUE(launch::add_argument(launch, "i32:258"));
  ASSERT_TRUE(launch::add_argument(launch, "f32[4]:zeros"));
  ASSERT_TRUE(launch::add_argument(launch, "bytes:0a0b0c"));
  ASSERT_TRUE(launch::add_argument(launch, "texture(f32[4]:zeros)"));
  launch.arguments.back() = launch::ImageArgument{1};
  const auto parameters = parameter_bytes(launch, {0x0102030405060708, 0}, {0, 0x42});
  ASSERT_EQ(parameters.size(), 4u);
  EXPECT_THAT(numbers(parameters[0]), ElementsAre(2, 1, 0, 0));
  EXPECT_THAT(numbers(parameters[1]), ElementsAre(8, 7, 6, 5, 4, 3, 2, 1));
  EXPECT_THAT(numbers(parameters[2]), ElementsAre(10, 11, 12));
  EXPECT_THAT(numbers(parameters[3]), ElementsAre(0x42, 0, 0, 0, 0, 0, 0, 0)) << "a handle";
}

constexpr std::string_view kStore =
    ".version 7.8\n.target sm_75\n.address_size 64\n.visible .entry store(.param .u64 to) {\n.reg .u64 %a;\n"
    "ld.param.u64 %a, [to];\nst.global.u32 [%a], 7;\nret;\n}\n";

TEST(UninstrumentedRun, a_kernel_writes_its_buffer) {
  const auto driver = Driver::open();
  const auto context = driver ? Context::make(*driver) : std::unexpected(driver.error());
  if (!context) GTEST_SKIP() << context.error().message;
  launch::Launch launch;
  ASSERT_TRUE(launch::add_argument(launch, "u32[1]:zeros"));
  const auto buffers = run_uninstrumented(*context, {kStore, "store.ptx", "store"}, launch);
  ASSERT_TRUE(buffers) << describe(buffers.error());
  EXPECT_THAT(numbers(*(*buffers)[0]), ElementsAre(7, 0, 0, 0));
}

TEST(UninstrumentedRun, errors_of_a_wrong_kernel_quote_the_driver) {
  const auto driver = Driver::open();
  const auto context = driver ? Context::make(*driver) : std::unexpected(driver.error());
  if (!context) GTEST_SKIP() << context.error().message;
  const auto nonsense = run_uninstrumented(*context, {"nonsense", "n.ptx", "k"}, {});
  ASSERT_FALSE(nonsense);
  EXPECT_EQ(nonsense.error().kind, ErrorKind::Compile);
  EXPECT_NE(nonsense.error().message.find("cuModuleLoadDataEx failed for n.ptx"), std::string::npos);
  const auto unknown = run_uninstrumented(*context, {kStore, "store.ptx", "other"}, {});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().kind, ErrorKind::Launch);
}

// Last: afterwards the process can no longer use the GPU. Each test is a separate process under CTest.
TEST(UninstrumentedRun, a_kernel_that_faults_is_a_memory_error_that_points_to_the_emulator) {
  const auto driver = Driver::open();
  const auto context = driver ? Context::make(*driver) : std::unexpected(driver.error());
  if (!context) GTEST_SKIP() << context.error().message;
  launch::Launch wild;
  ASSERT_TRUE(launch::add_argument(wild, "u64:16"));
  const auto fault = run_uninstrumented(*context, {kStore, "store.ptx", "store"}, wild);
  ASSERT_FALSE(fault);
  EXPECT_EQ(fault.error().kind, ErrorKind::Memory);
  EXPECT_NE(fault.error().message.find("kernel store"), std::string::npos);
  EXPECT_NE(fault.error().message.find("--producer emulator"), std::string::npos);
}

}  // namespace
}  // namespace lanescope::gpu
