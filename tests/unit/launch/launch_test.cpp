// The limits of a launch, at the limit and one above.

#include "launch/launch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::launch {
namespace {

using ::testing::HasSubstr;

Launch of(Dim3 grid, Dim3 block) {
  Launch launch;
  launch.grid = grid;
  launch.block = block;
  return launch;
}

std::string refusal(const Launch& launch) {
  const auto checked = check(launch);
  EXPECT_FALSE(checked.has_value());
  return checked ? "" : checked.error().message;
}

TEST(Launch, the_largest_block_and_grid_are_fine) {
  EXPECT_TRUE(check(of({0x7fffffff, 1, 1}, {1024, 1, 1})).has_value());
  EXPECT_TRUE(check(of({1, 65535, 65535}, {4, 4, 64})).has_value());
}

TEST(Launch, zero_extents_are_refused) {
  EXPECT_THAT(refusal(of({0, 1, 1}, {1, 1, 1})), HasSubstr("at least one block"));
  EXPECT_THAT(refusal(of({1, 1, 1}, {1, 0, 1})), HasSubstr("at least one thread"));
}

TEST(Launch, one_above_each_limit_is_refused) {
  EXPECT_THAT(refusal(of({1, 1, 1}, {1025, 1, 1})), HasSubstr("at most 1024 threads"));
  EXPECT_THAT(refusal(of({1, 1, 1}, {32, 33, 1})), HasSubstr("makes 1056"));
  EXPECT_THAT(refusal(of({1, 1, 1}, {1, 1, 65})), HasSubstr("at most 64 threads in z"));
  EXPECT_THAT(refusal(of({0x80000000u, 1, 1}, {1, 1, 1})), HasSubstr("at most 2147483647 blocks in x"));
  EXPECT_THAT(refusal(of({1, 65536, 1}, {1, 1, 1})), HasSubstr("65535 in y and z"));
  EXPECT_THAT(refusal(of({65536, 65535, 2}, {1, 1, 1})), HasSubstr("more than the 4294967295"));
}

TEST(Launch, a_block_whose_volume_wraps_around_is_refused) {
  EXPECT_THAT(refusal(of({1, 1, 1}, {0x80000000u, 0x80000000u, 4})), HasSubstr("at most 1024 threads"));
}

TEST(Launch, too_much_dynamic_shared_memory_is_refused) {
  Launch launch = of({1, 1, 1}, {1, 1, 1});
  launch.dynamic_shared_bytes = 232448;
  EXPECT_TRUE(check(launch).has_value());
  launch.dynamic_shared_bytes = 232449;
  EXPECT_THAT(refusal(launch), HasSubstr("at most 232448 bytes"));
}

TEST(Launch, contents_that_do_not_fill_the_shape_are_refused) {
  Launch launch = of({1, 1, 1}, {1, 1, 1});
  launch.buffers.push_back({"a", ElementType::F32, {2, 3}, std::make_shared<launch::Bytes>(24)});
  EXPECT_TRUE(check(launch).has_value());
  launch.buffers[0].shape = {2, 4};
  EXPECT_THAT(refusal(launch), HasSubstr("a shape of 32 bytes and initial contents of 24"));
  launch.buffers[0].initial = nullptr;
  EXPECT_THAT(refusal(launch), HasSubstr("initial contents of 0"));
}

TEST(Launch, an_argument_must_name_an_existing_buffer) {
  Launch launch = of({1, 1, 1}, {1, 1, 1});
  launch.arguments.emplace_back(BufferArgument{0});
  EXPECT_THAT(refusal(launch), HasSubstr("names buffer 0, there are 0"));
}

}  // namespace
}  // namespace lanescope::launch
