// Arrays and objects of a launch's textures and surfaces, on the fake driver.

#include "gpu/launch_images.h"

#include "gpu/uninstrumented_run.h"
#include "launch/argument_spec.h"
#include "support/on_fake_driver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::gpu {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

launch::Launch with(std::initializer_list<std::string_view> specs) {
  launch::Launch launch;
  launch.grid = launch.block = {1, 1, 1};
  for (const auto spec : specs) EXPECT_TRUE(launch::add_argument(launch, spec)) << spec;
  return launch;
}

constexpr std::string_view kKernel = R"(.version 7.8
.target sm_75
.address_size 64
.visible .entry plain(.param .u64 image) { ret; })";

std::vector<std::string> notes_of(const launch::Launch& launch, std::vector<launch::Contents>& contents) {
  const tests::FakeDriver driver(1 << 20);
  const Context context = driver.context();
  const auto run = run_uninstrumented(context, {kKernel, "plain.ptx", "plain"}, launch);
  EXPECT_TRUE(run) << describe(run.error());
  if (run) contents = *run;
  return driver.notes();
}

// A dimension that a texture lacks is clamped. CU_AD_FORMAT_FLOAT is 32; address modes wrap, clamp, mirror,
// border are 0 to 3; normalized coordinates are flag 2, reading as integers flag 1, a layered array flag 1,
// surface access flag 2, a gather flag 8.
TEST(LaunchImages, a_texture_is_an_array_with_the_buffers_texels) {
  std::vector<launch::Contents> contents;
  EXPECT_THAT(
      notes_of(with({"texture(f32x2[3x5]:iota, linear, wrap, border, normalized)"}), contents),
      ElementsAre("upload 120", "array 5x3x0 of 2 format 32 flags 8", "texture modes 031 filter 1 flags 2",
                  "to array 40x3x1", "launch plain", "texture destroyed", "array destroyed"));
}

TEST(LaunchImages, a_surface_is_read_back) {
  std::vector<launch::Contents> contents;
  const launch::Launch launch = with({"surface(u8[2x3x4]:iota)"});
  EXPECT_THAT(notes_of(launch, contents),
              ElementsAre("upload 24", "array 4x3x2 of 1 format 1 flags 2", "surface", "to array 4x3x2",
                          "launch plain", "from array 4x3x2", "surface destroyed", "array destroyed"));
  ASSERT_EQ(contents.size(), 1u);
  EXPECT_EQ(*contents[0], *launch.buffers[0].initial);
}

TEST(LaunchImages, layers_are_a_depth_of_the_array) {
  std::vector<launch::Contents> contents;
  EXPECT_THAT(
      notes_of(with({"texture(i16[3x4]:zeros, layered)"}), contents),
      ElementsAre("upload 24", "array 4x0x3 of 1 format 9 flags 1", "texture modes 111 filter 0 flags 1",
                  "to array 8x1x3", "launch plain", "texture destroyed", "array destroyed"));
}

TEST(LaunchImages, two_objects_share_an_array_and_a_buffer_needs_none) {
  std::vector<launch::Contents> contents;
  EXPECT_THAT(notes_of(with({"a=surface(f32[2x2]:zeros)", "texture(a)", "b=u32[8]:zeros", "texture(b, x4)"}),
                       contents),
              ElementsAre("upload 16", "upload 32", "array 2x2x0 of 1 format 32 flags 10", "surface",
                          "texture modes 111 filter 0 flags 0", "texture over 32 modes 111 filter 0 flags 1",
                          "to array 8x2x1", "launch plain", "from array 8x2x1", "surface destroyed",
                          "texture destroyed", "texture destroyed", "array destroyed"));
}

}  // namespace
}  // namespace lanescope::gpu
