// The grammar of --arg for textures and surfaces, and what CUDA refuses to make.

#include "launch/argument_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::launch {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Launch with(std::initializer_list<std::string_view> specs) {
  Launch launch;
  launch.block = launch.grid = {1, 1, 1};
  for (const auto spec : specs) {
    const auto added = add_argument(launch, spec);
    EXPECT_TRUE(added.has_value()) << added.error().message;
  }
  const auto checked = check(launch);
  EXPECT_TRUE(checked.has_value()) << checked.error().message;
  return launch;
}

std::string refusal(std::initializer_list<std::string_view> before, std::string_view spec) {
  Launch launch = with(before);
  const size_t buffers = launch.buffers.size(), arguments = launch.arguments.size();
  const auto added = add_argument(launch, spec);
  EXPECT_FALSE(added.has_value()) << spec;
  EXPECT_TRUE(launch.buffers.size() == buffers && launch.arguments.size() == arguments) << spec;
  return added ? "" : added.error().message;
}

TEST(ImageSpec, a_texture_has_texels_and_says_how_it_is_read) {
  const Launch launch = with({"i32:1", "img=texture(f32[3x5]:iota, linear, wrap, normalized)"});
  ASSERT_EQ(launch.images.size(), 1u);
  EXPECT_EQ(std::get<ImageArgument>(launch.arguments[1]).image, 0u);
  const Image& image = launch.images[0];
  EXPECT_EQ(image.kind, ImageKind::Texture);
  EXPECT_EQ(image.width, 5u);
  EXPECT_EQ(image.height, 3u);
  EXPECT_EQ(dimensions_of(image), 2);
  EXPECT_EQ(image.sampler.filter, Filter::Linear);
  EXPECT_THAT(image.sampler.address, ElementsAre(AddressMode::Wrap, AddressMode::Wrap, AddressMode::Wrap));
  EXPECT_TRUE(image.sampler.normalized);
  EXPECT_FALSE(image.sampler.reads_float);
  EXPECT_EQ(launch.buffers[0].name, "img");
  EXPECT_EQ(launch.buffers[0].initial->size(), 60u);
}

TEST(ImageSpec, without_options_it_is_read_as_it_is) {
  const Image image = with({"texture(u8[7]:zeros)"}).images[0];
  EXPECT_EQ(image.sampler, Sampler{});
  EXPECT_EQ(image.sampler.address[0], AddressMode::Clamp);
  EXPECT_EQ(dimensions_of(image), 1);
}

TEST(ImageSpec, channels_belong_to_the_type_and_widen_the_buffer) {
  const Launch launch = with({"s=surface(u8x4[2x3]:iota)", "texture(f16x2[8x4x2]:zeros)"});
  EXPECT_EQ(launch.images[0].kind, ImageKind::Surface);
  EXPECT_EQ(launch.images[0].channels, 4u);
  EXPECT_EQ(launch.images[0].width, 3u);
  EXPECT_THAT(launch.buffers[0].shape, ElementsAre(2, 3, 4));
  EXPECT_EQ(launch.images[1].width, 2u);
  EXPECT_EQ(launch.images[1].height, 4u);
  EXPECT_EQ(launch.images[1].depth, 8u);
  EXPECT_EQ(launch.buffers[1].initial->size(), 8u * 4 * 2 * 4);
}

TEST(ImageSpec, the_slowest_extent_counts_layers) {
  const Launch launch = with({"texture(f32[3x4x5]:zeros, layered)", "surface(f32[3x4]:zeros, layered)"});
  EXPECT_EQ(launch.images[0].layers, 3u);
  EXPECT_EQ(launch.images[0].height, 4u);
  EXPECT_EQ(launch.images[0].depth, 0u);
  EXPECT_EQ(launch.images[1].layers, 3u);
  EXPECT_EQ(launch.images[1].width, 4u);
  EXPECT_EQ(dimensions_of(launch.images[1]), 1);
  EXPECT_FALSE(launch.images[0].is_cube);
}

TEST(ImageSpec, the_faces_of_a_cube_are_layers) {
  const Image image = with({"texture(f32[12x4x4]:zeros, cube)"}).images[0];
  EXPECT_TRUE(image.is_cube);
  EXPECT_EQ(image.layers, 12u);
  EXPECT_EQ(image.width, 4u);
  for (const char* const wrong : {"texture(f32[5x4x4]:zeros, cube)", "texture(f32[6x4x3]:zeros, cube)",
                                  "texture(f32[6x4]:zeros, cube)"})
    EXPECT_THAT(refusal({}, wrong), HasSubstr("a cube has six square faces")) << wrong;
}

TEST(ImageSpec, each_dimension_may_have_an_address_mode) {
  const Image image = with({"texture(f32[3x5]:iota, mirror, border, normalized)"}).images[0];
  EXPECT_THAT(image.sampler.address,
              ElementsAre(AddressMode::Mirror, AddressMode::Border, AddressMode::Border));
}

TEST(ImageSpec, a_texture_lies_over_an_earlier_buffer) {
  const Launch launch = with({"data=f32[8x4]:iota", "texture(data, x4)"});
  EXPECT_EQ(launch.buffers.size(), 1u);
  EXPECT_TRUE(launch.images[0].is_linear);
  EXPECT_EQ(launch.images[0].width, 8u);
  EXPECT_EQ(launch.images[0].channels, 4u);
}

TEST(ImageSpec, two_objects_share_texels) {
  const Launch launch = with({"a=surface(f32x2[4x6]:iota)", "texture(a, linear)"});
  EXPECT_EQ(launch.buffers.size(), 1u);
  EXPECT_EQ(launch.images[1].kind, ImageKind::Texture);
  EXPECT_FALSE(launch.images[1].is_linear);
  EXPECT_EQ(launch.images[1].width, 6u);
  EXPECT_EQ(launch.images[1].height, 4u);
  EXPECT_EQ(launch.images[1].channels, 2u);
  EXPECT_EQ(launch.images[1].sampler.filter, Filter::Linear);
}

TEST(ImageSpec, the_contents_of_a_file_may_have_commas) {
  EXPECT_THAT(refusal({}, "texture(u8[1]:file(/no/a,b), linear)"), HasSubstr("/no"));
}

TEST(ImageSpec, what_cuda_does_not_make_is_refused_with_a_remedy) {
  EXPECT_THAT(refusal({}, "texture(u8[4]:zeros, linear)"), HasSubstr("add normalized_float"));
  EXPECT_THAT(refusal({}, "texture(f32[4]:zeros, wrap)"), HasSubstr("add normalized, or use clamp"));
  EXPECT_THAT(refusal({}, "texture(f32[4]:zeros, border, mirror)"), HasSubstr("wrap and mirror need"));
  EXPECT_THAT(refusal({}, "texture(u32[4]:zeros, normalized_float)"), HasSubstr("8 and 16 bits"));
  EXPECT_THAT(refusal({}, "texture(f64[4]:zeros)"), HasSubstr("f64 was given"));
  EXPECT_THAT(refusal({}, "surface(f32[4]:zeros, linear)"), HasSubstr("takes no filter"));
  EXPECT_THAT(refusal({}, "texture(u8[131073]:zeros)"), HasSubstr("at most 131072 texels in x"));
  EXPECT_THAT(refusal({}, "surface(u8[32769]:zeros)"), HasSubstr("at most 32768 texels in x"));
  EXPECT_THAT(refusal({}, "texture(u8[2049x4x4]:zeros, layered)"), HasSubstr("2048 layers"));
  EXPECT_THAT(refusal({"a=f32[4]:zeros"}, "texture(a, linear)"), HasSubstr("tex1Dfetch()"));
  EXPECT_THAT(refusal({"a=f32[4]:zeros"}, "surface(a)"), HasSubstr("an array of its own"));
}

TEST(ImageSpec, mistakes_of_writing_are_named) {
  EXPECT_THAT(refusal({}, "texture(f32[4]:zeros"), HasSubstr("a ')' was expected"));
  EXPECT_THAT(refusal({}, "texture(f32[4]:zeros, bilinear)"), HasSubstr("'bilinear' was given"));
  EXPECT_THAT(refusal({}, "texture(f32x3[4]:zeros)"), HasSubstr("'f32x3' was given"));
  EXPECT_THAT(refusal({}, "texture()"), HasSubstr("there is no buffer ''"));
  EXPECT_THAT(refusal({"f32[4]:zeros"}, "texture()"), HasSubstr("there is no buffer ''"));
  EXPECT_THAT(refusal({}, "texture(a)"), HasSubstr("there is no buffer 'a'"));
  EXPECT_THAT(refusal({"a=f32[4]:zeros"}, "b=texture(a)"), HasSubstr("the buffer's name"));
  EXPECT_THAT(refusal({"a=f32[4]:zeros"}, "a=texture(f32[4]:zeros)"),
              HasSubstr("two arguments are called 'a'"));
  EXPECT_THAT(refusal({}, "texture(f32[4]:zeros, layered)"), HasSubstr("layers first"));
  EXPECT_THAT(refusal({}, "texture(f32[4]:zeros, x2)"), HasSubstr("part of their type"));
  EXPECT_THAT(refusal({}, "texture(f32[4:zeros)"), HasSubstr("ends with ']'"));
  EXPECT_THAT(refusal({}, "texture(f32[4]:zeros, clamp, clamp, clamp, clamp)"), HasSubstr("at most three"));
  EXPECT_THAT(refusal({}, "texture(f32[4]:zeros)) , linear"), HasSubstr("a ')' was expected"));
}

}  // namespace
}  // namespace lanescope::launch
