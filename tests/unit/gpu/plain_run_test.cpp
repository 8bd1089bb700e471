#include "gpu/plain_run.h"

#include "launch/argument_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::gpu {
namespace {

using testing::ElementsAre;

std::vector<int> numbers(const std::vector<std::byte>& bytes) {
  std::vector<int> all;
  for (const std::byte byte : bytes) all.push_back(std::to_integer<int>(byte));
  return all;
}

TEST(ParameterBytes, values_stand_as_they_are_and_buffers_as_their_address) {
  launch::Launch launch;
  ASSERT_TRUE(launch::add_argument(launch, "i32:258"));
  ASSERT_TRUE(launch::add_argument(launch, "f32[4]:zeros"));
  ASSERT_TRUE(launch::add_argument(launch, "bytes:0a0b0c"));
  const auto parameters = parameter_bytes(launch, {0x0102030405060708});
  ASSERT_EQ(parameters.size(), 3u);
  EXPECT_THAT(numbers(parameters[0]), ElementsAre(2, 1, 0, 0));
  EXPECT_THAT(numbers(parameters[1]), ElementsAre(8, 7, 6, 5, 4, 3, 2, 1));
  EXPECT_THAT(numbers(parameters[2]), ElementsAre(10, 11, 12));
}

TEST(RunPlain, a_kernel_that_faults_leaves_a_context_that_works) {
  const auto driver = Driver::open();
  auto context = driver ? Context::make(*driver) : std::unexpected(driver.error());
  if (!context) GTEST_SKIP() << context.error().message;
  const std::string ptx =
      ".version 7.8\n.target sm_75\n.address_size 64\n.visible .entry store(.param .u64 to) {\n.reg .u64 "
      "%a;\n"
      "ld.param.u64 %a, [to];\nst.global.u32 [%a], 7;\nret;\n}\n";
  launch::Launch wild;
  ASSERT_TRUE(launch::add_argument(wild, "u64:16"));
  const auto fault = run_plain(*context, {ptx, "store.ptx", "store"}, wild);
  ASSERT_FALSE(fault);
  EXPECT_EQ(fault.error().kind, ErrorKind::Memory);
  launch::Launch good;
  ASSERT_TRUE(launch::add_argument(good, "u32[1]:zeros"));
  const auto buffers = run_plain(*context, {ptx, "store.ptx", "store"}, good);
  ASSERT_TRUE(buffers) << describe(buffers.error());
  EXPECT_THAT(numbers(*(*buffers)[0]), ElementsAre(7, 0, 0, 0));
}

}  // namespace
}  // namespace lanescope::gpu
