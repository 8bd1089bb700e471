// Reads of textures: values computed by hand for each filter, address mode and kind of coordinates, and
// random reads against a reference that is written after the formulas of the CUDA C++ Programming Guide
// alone.

#include "kernel_run.h"
#include "launch/argument_spec.h"
#include "launch/contents.h"
#include "launch/element.h"

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include <gmock/gmock.h>

namespace lanescope::emulator {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Four = std::array<uint32_t, 4>;

Four four(float a, float b, float c, float d) {
  return {std::bit_cast<uint32_t>(a), std::bit_cast<uint32_t>(b), std::bit_cast<uint32_t>(c),
          std::bit_cast<uint32_t>(d)};
}

/// A kernel whose thread t reads four words of coordinates, %r1 to %r4 and %f1 to %f4, and stores what
/// `instruction` leaves in %r5 to %r8, or in %f5 to %f8.
std::string reading_kernel(const std::string& instruction) {
  const char* const result = instruction.find("{%r5") != std::string::npos ? "%r" : "%f";
  return kernel_text(
      ".param .u64 image, .param .u64 in, .param .u64 out",
      "ld.param.u64 %rd1, [image]; ld.param.u64 %rd2, [in]; ld.param.u64 %rd3, [out];\n"
      "mov.u32 %r0, %tid.x; mov.u32 %r9, %ctaid.x; mov.u32 %r10, %ntid.x; mad.lo.u32 %r0, %r9, %r10, %r0;\n"
      "mul.wide.u32 %rd4, %r0, 16; add.u64 %rd2, %rd2, %rd4; add.u64 %rd3, %rd3, %rd4;\n"
      "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd2];\n"
      "mov.b32 %f1, %r1; mov.b32 %f2, %r2; mov.b32 %f3, %r3; mov.b32 %f4, %r4;\n" +
          instruction + fmt::format("\nst.global.v4.b32 [%rd3], {{{0}5, {0}6, {0}7, {0}8}};\nret;", result));
}

/// The launch of such a kernel with these words of coordinates, four for each thread.
launch::Launch reading_launch(const std::string& texture, const std::vector<uint32_t>& words) {
  LaunchBuilder builder({1, 1, 1}, {static_cast<uint32_t>(words.size() / 4), 1, 1});
  const auto added = launch::add_argument(builder.launch, texture);
  EXPECT_TRUE(added) << added.error().message;
  builder.buffer("in", words).buffer("out", std::vector<uint32_t>(words.size()));
  return builder.launch;
}

void read_all(std::vector<Four>& texels, const std::string& texture, const std::string& instruction,
              const std::vector<uint32_t>& words) {
  KernelRun kernel;
  launch::Launch launch = reading_launch(texture, words);
  if (words.size() / 4 > 1000) {
    launch.grid.x = static_cast<uint32_t>(words.size() / 4 / 100);
    launch.block.x = 100;
  }
  run_kernel(kernel, reading_kernel(instruction), launch);
  ASSERT_FALSE(testing::Test::HasFatalFailure());
  ASSERT_TRUE(kernel.outcome.hazards.empty()) << kernel.outcome.hazards[0].message;
  texels.resize(words.size() / 4);
  const auto out = values_of<uint32_t>(kernel.outcome.buffers.back());
  std::memcpy(texels.data(), out.data(), out.size() * sizeof(uint32_t));
}

/// The first channel at each x, in floating point.
std::vector<float> row(const std::string& texture, const std::vector<float>& at) {
  std::vector<uint32_t> words;
  for (const float x : at) words.insert(words.end(), {std::bit_cast<uint32_t>(x), 0u, 0u, 0u});
  std::vector<Four> texels;
  read_all(texels, texture, "tex.1d.v4.f32.f32 {%f5, %f6, %f7, %f8}, [%rd1, {%f1}];", words);
  std::vector<float> values;
  for (const Four& texel : texels) values.push_back(std::bit_cast<float>(texel[0]));
  return values;
}

/// One texel, of what one thread reads.
Four texel(const std::string& texture, const std::string& instruction, std::array<float, 4> at = {}) {
  std::vector<Four> texels;
  read_all(texels, texture, instruction,
           {std::bit_cast<uint32_t>(at[0]), std::bit_cast<uint32_t>(at[1]), std::bit_cast<uint32_t>(at[2]),
            std::bit_cast<uint32_t>(at[3])});
  return texels.empty() ? Four{} : texels[0];
}

trace::Hazard hazard_of(const std::string& argument, const std::string& instruction) {
  KernelRun kernel;
  LaunchBuilder builder;
  for (const std::string& spec :
       {argument, std::string("in=f32[128]:zeros"), std::string("out=f32[128]:zeros")})
    EXPECT_TRUE(launch::add_argument(builder.launch, spec));
  run_kernel(kernel, reading_kernel(instruction), builder.launch);
  EXPECT_EQ(kernel.outcome.hazards.size(), 1u) << argument;
  return kernel.outcome.hazards.empty() ? trace::Hazard{} : kernel.outcome.hazards[0];
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
const std::string k2d = "tex.2d.v4.f32.f32 {%f5, %f6, %f7, %f8}, [%rd1, {%f1, %f2}];";
const std::string k2d_integers = "tex.2d.v4.u32.f32 {%r5, %r6, %r7, %r8}, [%rd1, {%f1, %f2}];";

// The texels are 0, 1, 2, 3.
TEST(Texture, the_nearest_texel_is_the_one_whose_interval_holds_the_coordinate) {
  EXPECT_THAT(row("texture(f32[4]:iota)", {0, 0.75f, 1, 2.5f, 3.99f}), ElementsAre(0, 0, 1, 2, 3));
}

TEST(Texture, a_clamped_coordinate_is_that_of_the_edge) {
  EXPECT_THAT(row("texture(f32[4]:iota, clamp)", {-0.1f, -9, 4, 1e30f, kInfinity, -kInfinity, kNan}),
              ElementsAre(0, 0, 3, 3, 3, 0, 0));
}

TEST(Texture, the_border_is_zero) {
  EXPECT_THAT(row("texture(f32[4]:fill(7), border)", {-0.1f, 0, 3.99f, 4, -1e30f}),
              ElementsAre(0, 7, 7, 0, 0));
}

TEST(Texture, normalized_coordinates_go_from_0_to_1) {
  EXPECT_THAT(row("texture(f32[4]:iota, normalized)", {0, 0.3f, 0.5f, 0.99f, 1, -1}),
              ElementsAre(0, 1, 2, 3, 3, 0));
}

TEST(Texture, wrapped_coordinates_repeat_the_texture) {
  EXPECT_THAT(row("texture(f32[4]:iota, wrap, normalized)", {1.3f, 2.8f, -0.2f, -0.9f, -1.2f}),
              ElementsAre(1, 3, 3, 0, 3));
}

TEST(Texture, mirrored_coordinates_go_back_and_forth) {
  EXPECT_THAT(row("texture(f32[4]:iota, mirror, normalized)", {1.2f, 1.8f, 2.2f, -0.2f, -0.9f, -1.2f}),
              ElementsAre(3, 0, 0, 0, 3, 3));
}

// x - 0.5 is between texels floor(x - 0.5) and the next.
TEST(Texture, a_linear_filter_weighs_two_neighbors) {
  EXPECT_THAT(row("texture(f32[4]:iota, linear)", {0.5f, 1, 1.25f, 3.5f}), ElementsAre(0, 0.5f, 0.75f, 3));
}

// 2.3 is 588.8 256ths, rounded 589; less a half, 461 = 256 + 205: 205/256 of the way from texel 1 to 2.
TEST(Texture, weights_have_8_bits_of_fraction) {
  EXPECT_THAT(row("texture(f32[4]:iota, linear)", {2.3f}), ElementsAre(1 + 205.0f / 256));
}

TEST(Texture, a_linear_filter_at_the_edge_follows_the_address_mode) {
  const std::vector<float> at{0.25f,
                              3.75f};  // 3/4 of the first texel, 3/4 of the last; 1/4 of what is outside
  const std::string eights = "texture(f32[4]:fill(8), linear, ";
  EXPECT_THAT(row(eights + "clamp)", at), ElementsAre(8, 8));
  EXPECT_THAT(row(eights + "border)", at), ElementsAre(6, 6));
  const std::vector<float> normalized{0, 1};  // half of the first or last texel, half of what is outside
  EXPECT_THAT(row("texture(f32[4]:iota, linear, wrap, normalized)", normalized), ElementsAre(1.5f, 1.5f));
  EXPECT_THAT(row("texture(f32[4]:iota, linear, mirror, normalized)", normalized), ElementsAre(0, 3));
  EXPECT_THAT(row("texture(f32[4]:iota, linear, clamp, normalized)", normalized), ElementsAre(0, 3));
  EXPECT_THAT(row("texture(f32[4]:iota, linear, border, normalized)", normalized), ElementsAre(0, 1.5f));
}

TEST(Texture, a_texel_of_no_weight_adds_nothing) {
  launch::Launch launch = reading_launch("texture(f32[2]:zeros, linear)", {0x3f000000, 0, 0, 0});  // 0.5
  launch.buffers[0].initial =
      std::make_shared<const launch::Bytes>(launch::copy_of(bytes_of(std::vector<float>{5, kInfinity})));
  KernelRun kernel;
  run_kernel(kernel, reading_kernel("tex.1d.v4.f32.f32 {%f5, %f6, %f7, %f8}, [%rd1, {%f1}];"), launch);
  EXPECT_EQ(values_of<float>(kernel.outcome.buffers.back())[0], 5);
}

TEST(Texture, two_dimensions_have_four_neighbors_and_three_have_eight) {
  EXPECT_EQ(texel("texture(f32[2x2]:iota, linear)", k2d, {1, 1})[0], std::bit_cast<uint32_t>(1.5f));
  EXPECT_EQ(texel("texture(f32[2x2]:iota, linear)", k2d, {0.5f, 1.25f})[0], std::bit_cast<uint32_t>(1.5f));
  const std::string in_3d = "tex.3d.v4.f32.f32 {%f5, %f6, %f7, %f8}, [%rd1, {%f1, %f2, %f3, %f3}];";
  EXPECT_EQ(texel("texture(f32[2x2x2]:iota, linear)", in_3d, {1, 1, 1})[0], std::bit_cast<uint32_t>(3.5f));
  EXPECT_EQ(texel("texture(f32[2x3x4]:iota)", in_3d, {3.5f, 1.5f, 1.5f})[0],
            std::bit_cast<uint32_t>(12.0f + 4 + 3));
}

TEST(Texture, each_dimension_has_its_address_mode) {
  EXPECT_EQ(texel("texture(f32[2x4]:iota, wrap, border, normalized)", k2d, {1.3f, 0.6f})[0],
            std::bit_cast<uint32_t>(5.0f));
  EXPECT_EQ(texel("texture(f32[2x4]:iota, wrap, border, normalized)", k2d, {0.3f, 1.1f})[0], 0u);
}

TEST(Texture, a_layer_is_a_texture_and_the_last_serves_those_beyond) {
  const std::string a2d = "tex.a2d.v4.f32.f32 {%f5, %f6, %f7, %f8}, [%rd1, {LAYER, %f2, %f3, %f3}];";
  const auto read = [&](const char* layer) {
    std::string text = a2d;
    text.replace(text.find("LAYER"), 5, layer);
    return std::bit_cast<float>(texel("texture(f32[3x2x4]:iota, layered)", text, {0, 3, 1})[0]);
  };
  EXPECT_EQ(read("0"), 7);
  EXPECT_EQ(read("2"), 23);
  EXPECT_EQ(read("9"), 23);
  EXPECT_EQ(read("-1"), 23) << "a layer has no sign";
  EXPECT_EQ(texel("texture(f32[3x4]:iota, layered)",
                  "tex.a1d.v4.f32.f32 {%f5, %f6, %f7, %f8}, [%rd1, {1, %f1}];", {2})[0],
            std::bit_cast<uint32_t>(6.0f));
}

// Texel (x, y) of face f is 4 f + 2 y + x. By the guide's table a direction of +x leads to (-z, -y), of -x to
// (z, -y), of +y to (x, z), of -y to (x, -z), of +z to (x, -y) and of -z to (-x, -y), each from -1 to 1.
TEST(Texture, a_direction_leads_to_a_texel_of_a_face_of_a_cube) {
  const auto read = [](std::array<float, 3> to) {
    return std::bit_cast<float>(
        texel("texture(f32[6x2x2]:iota, cube, normalized)",
              "tex.cube.v4.f32.f32 {%f5, %f6, %f7, %f8}, [%rd1, {%f1, %f2, %f3, %f4}];",
              {to[0], to[1], to[2], 0})[0]);
  };
  EXPECT_EQ(read({1, 0.5f, 0.5f}), 0);
  EXPECT_EQ(read({1, -0.5f, -0.5f}), 3);
  EXPECT_EQ(read({-1, 0.5f, 0.5f}), 5);
  EXPECT_EQ(read({0.5f, 1, -0.5f}), 9);
  EXPECT_EQ(read({0.5f, -1, -0.5f}), 15);
  EXPECT_EQ(read({-0.5f, -0.5f, 1}), 18);
  EXPECT_EQ(read({-5, 5, -10}), 21);  // its length does not matter
  EXPECT_EQ(read({1, -1, -1}), 3) << "the corner is that of the face: what is beyond is clamped";
}

TEST(Texture, a_cube_of_several_is_chosen_like_a_layer) {
  const std::string instruction =
      "mov.b32 %r1, %f1; tex.acube.v4.f32.f32 {%f5, %f6, %f7, %f8}, [%rd1, {%r1, %f2, %f3, %f4}];";
  const auto read = [&](uint32_t cube) {
    return std::bit_cast<float>(texel("texture(f32[12x2x2]:iota, cube, normalized)", instruction,
                                      {std::bit_cast<float>(cube), 1, -0.5f, -0.5f})[0]);
  };
  EXPECT_EQ(read(0), 3);
  EXPECT_EQ(read(1), 27);
  EXPECT_EQ(read(9), 27);
}

// Between the texels 0 and 1 of face 0, rows alike: 0.5; its edge does not reach face 4.
TEST(Texture, a_linear_filter_stays_on_its_face_of_a_cube) {
  const auto read = [](float z) {
    return std::bit_cast<float>(
        texel("texture(f32[6x2x2]:iota, cube, linear, normalized)",
              "tex.cube.v4.f32.f32 {%f5, %f6, %f7, %f8}, [%rd1, {%f1, %f2, %f3, %f4}];", {1, 0.5f, z, 0})[0]);
  };
  EXPECT_EQ(read(0), 0.5f);
  EXPECT_EQ(read(0.99f), 0);
}

TEST(Texture, integers_are_extended_to_32_bits) {
  EXPECT_EQ(texel("texture(u8x4[1x2]:iota)", k2d_integers, {1, 0}), (Four{4, 5, 6, 7}));
  EXPECT_EQ(texel("texture(i8x2[1x1]:fill(-3))", k2d_integers), (Four{0xfffffffd, 0xfffffffd, 0, 0}));
  EXPECT_EQ(texel("texture(u16[1x1]:fill(65535))", k2d_integers)[0], 65535u);
  EXPECT_EQ(texel("texture(i16[1x1]:fill(-2))", k2d_integers)[0], 0xfffffffe);
  EXPECT_EQ(texel("texture(u32[1x1]:fill(4000000000))", k2d_integers)[0], 4000000000u);
  EXPECT_EQ(texel("texture(i32x4[1x1]:fill(-1))", k2d_integers), (Four{~0u, ~0u, ~0u, ~0u}));
}

TEST(Texture, integers_are_read_as_numbers_from_0_or_minus_1_to_1) {
  const auto read = [](const std::string& texels) {
    return std::bit_cast<float>(texel("texture(" + texels + ", normalized_float)", k2d)[0]);
  };
  EXPECT_EQ(read("u8[1x1]:fill(255)"), 1);
  EXPECT_EQ(read("u8[1x1]:fill(51)"), 0.2f);
  EXPECT_EQ(read("i8[1x1]:fill(127)"), 1);
  EXPECT_EQ(read("i8[1x1]:fill(-127)"), -1);
  EXPECT_EQ(read("i8[1x1]:fill(-128)"), -1);
  EXPECT_EQ(read("u16[1x1]:fill(13107)"), 0.2f);
  EXPECT_EQ(read("i16[1x1]:fill(-32768)"), -1);
  // The filter has 16 bits: 1 of 255 is 257 of 65535, half of it 128.5, rounded up.
  EXPECT_EQ(std::bit_cast<float>(texel("texture(u8[1x2]:iota, normalized_float, linear)", k2d, {1, 0})[0]),
            static_cast<float>(129.0 / 65535));
}

TEST(Texture, halves_are_read_as_floats) {
  EXPECT_EQ(texel("texture(f16x4[1x1]:fill(0.1))", k2d),
            four(0.0999755859375f, 0.0999755859375f, 0.0999755859375f, 0.0999755859375f));
}

TEST(Texture, a_fetch_takes_whole_coordinates_and_reads_zero_outside) {
  const std::string fetch = "tex.1d.v4.u32.s32 {%r5, %r6, %r7, %r8}, [%rd1, {%r1}];";
  std::vector<Four> texels;
  LaunchBuilder builder({1, 1, 1}, {4, 1, 1});
  ASSERT_TRUE(launch::add_argument(builder.launch, "data=u32[3]:fill(9)"));
  ASSERT_TRUE(launch::add_argument(builder.launch, "texture(data)"));
  builder.launch.arguments.erase(builder.launch.arguments.begin());  // the kernel takes the texture alone
  builder.buffer("in", std::vector<uint32_t>{0, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, ~0u, 0, 0, 0})
      .buffer("out", std::vector<uint32_t>(16, 77));
  KernelRun kernel;
  run_kernel(kernel, reading_kernel(fetch), builder.launch);
  const auto out = values_of<uint32_t>(kernel.outcome.buffers.back());
  EXPECT_THAT((std::array{out[0], out[4], out[8], out[12]}), ElementsAre(9, 9, 0, 0));
}

// Texels 0 1 2 / 3 4 5: at (2, 1) the filter weighs those at (1, 0), (2, 0), (1, 1), (2, 1).
TEST(Texture, a_gather_reads_one_channel_of_four_texels) {
  const auto gather = [](const std::string& channel, const std::string& texture) {
    return texel(texture, "tld4." + channel + ".2d.v4.f32.f32 {%f5, %f6, %f7, %f8}, [%rd1, {%f1, %f2}];",
                 {2, 1});
  };
  EXPECT_EQ(gather("r", "texture(f32[2x3]:iota)"), four(4, 5, 2, 1));
  EXPECT_EQ(gather("g", "texture(f32x2[2x3]:iota)"), four(9, 11, 5, 3));
  EXPECT_EQ(gather("a", "texture(f32x4[2x3]:fill(4))"), four(4, 4, 4, 4));
}

TEST(Texture, there_is_one_level) {
  EXPECT_EQ(texel("texture(f32[2x2]:iota)",
                  "tex.level.2d.v4.f32.f32 {%f5, %f6, %f7, %f8}, [%rd1, {%f1, %f2}], 0f40400000;", {1, 1})[0],
            std::bit_cast<uint32_t>(3.0f));
}

TEST(Texture, lanes_that_do_not_read_keep_what_they_have) {
  KernelRun kernel;
  const launch::Launch launch = reading_launch("texture(f32[4]:fill(3))", std::vector<uint32_t>(4 * 64));
  run_kernel(kernel,
             reading_kernel("mov.f32 %f5, 0f40E00000; and.b32 %r11, %r0, 1; setp.eq.u32 %p1, %r11, 0;\n"
                            "@%p1 tex.1d.v4.f32.f32 {%f5, _, _, _}, [%rd1, {%f1}];"),
             launch);
  const auto out = values_of<float>(kernel.outcome.buffers.back());
  for (size_t t = 0; t < 64; ++t) EXPECT_EQ(out[4 * t], t % 2 == 0 ? 3 : 7) << t;
}

TEST(Texture, a_read_is_a_request_without_addresses) {
  KernelRun kernel;
  run_kernel(kernel, reading_kernel("tex.1d.v4.f32.f32 {%f5, %f6, %f7, %f8}, [%rd1, {%f1}];"),
             reading_launch("texture(f32[4]:iota)", std::vector<uint32_t>(4 * 40)));
  int requests = 0;
  for (const AccessList::Access& access : kernel.sink.list) {
    if (access.operation.space != trace::Space::Texture) continue;
    ++requests;
    EXPECT_EQ(access.operation.kind, trace::Kind::Load);
    EXPECT_EQ(access.mask, access.warp == 0 ? ~0u : 0xffu);
  }
  EXPECT_EQ(requests, 2) << "one for each warp";
}

TEST(Texture, a_wrong_handle_dimension_or_type_is_named) {
  const trace::Hazard none = hazard_of("u64:4096", k2d);
  EXPECT_EQ(none.kind, trace::HazardKind::WrongImage);
  EXPECT_THAT(none.message,
              HasSubstr("reads a texture through the handle 0x1000, which is none of this launch"));
  EXPECT_THAT(hazard_of("t=texture(f32[4]:zeros)", k2d).message,
              HasSubstr("reads 't' as a 2-D texture, it is a 1-D one"));
  EXPECT_THAT(hazard_of("t=texture(f32[4x4]:zeros, layered)", k2d).message,
              HasSubstr("it is a layered 1-D one"));
  EXPECT_THAT(hazard_of("t=surface(f32[4x4]:zeros)", k2d).message,
              HasSubstr("reads 't' as a texture, it is a surface"));
  EXPECT_THAT(hazard_of("t=texture(u8[4x4]:zeros)", k2d).message,
              HasSubstr("reads floating-point numbers from the texture 't', which gives integers"));
  EXPECT_THAT(hazard_of("t=texture(f32[4x4]:zeros)", k2d_integers).message,
              HasSubstr("reads integers from the texture 't', which gives floating-point numbers"));
}

TEST(Texture, coordinates_in_floating_point_do_not_read_a_buffer) {
  LaunchBuilder builder({1, 1, 1}, {1, 1, 1});
  ASSERT_TRUE(launch::add_argument(builder.launch, "data=f32[3]:zeros"));
  ASSERT_TRUE(launch::add_argument(builder.launch, "texture(data)"));
  builder.launch.arguments.erase(builder.launch.arguments.begin());
  builder.buffer("in", std::vector<uint32_t>(4)).buffer("out", std::vector<uint32_t>(4));
  KernelRun kernel;
  run_kernel(kernel, reading_kernel("tex.1d.v4.f32.f32 {%f5, %f6, %f7, %f8}, [%rd1, {%f1}];"),
             builder.launch);
  ASSERT_EQ(kernel.outcome.hazards.size(), 1u);
  EXPECT_THAT(kernel.outcome.hazards[0].message, HasSubstr("use tex1Dfetch()"));
}

/// tex(x) of the Programming Guide, "Texture Fetching", for two dimensions: in long double, with the weights
/// alone rounded to 8 bits of fraction.
struct Reference {
  std::vector<float> texels;  // [height][width]
  int width = 0;
  int height = 0;
  bool linear = false;
  bool normalized = false;
  std::string mode = {};

  /// The texel at whole coordinates: the address mode is a walk back into the texture.
  long double at(long i, long j) const {
    for (auto [index, size] : {std::pair(&i, long{width}), std::pair(&j, long{height})}) {
      if (mode == "border" && (*index < 0 || *index >= size)) return 0;
      while (*index < 0 || *index >= size) {
        if (mode == "clamp") *index = *index < 0 ? 0 : size - 1;
        if (mode == "wrap") *index += *index < 0 ? size : -size;
        if (mode == "mirror") *index = *index < 0 ? -1 - *index : 2 * size - 1 - *index;
      }
    }
    return texels[static_cast<size_t>(j * width + i)];
  }
  float read(float x, float y) const {
    const long double u = static_cast<long double>(x) * (normalized ? width : 1);
    const long double v = static_cast<long double>(y) * (normalized ? height : 1);
    if (!linear) return static_cast<float>(at(std::lround(std::floor(u)), std::lround(std::floor(v))));
    const long double i = std::floor(u - 0.5L), j = std::floor(v - 0.5L);
    const auto weight = [](long double fraction) { return std::floor(fraction * 256 + 0.5L) / 256; };
    const long double a = weight(u - 0.5L - i), b = weight(v - 0.5L - j);
    const long li = std::lround(i), lj = std::lround(j);
    return static_cast<float>((1 - a) * (1 - b) * at(li, lj) + a * (1 - b) * at(li + 1, lj) +
                              (1 - a) * b * at(li, lj + 1) + a * b * at(li + 1, lj + 1));
  }
};

/// A linear filter may differ by what hardware rounds of its weights, a few 256ths; which bits it gives,
/// tests/data/textures says.
TEST(Texture, ten_thousand_random_reads_of_each_mode_are_those_of_the_guide) {
  constexpr size_t kReads = 10000;
  constexpr int kWidth = 13, kHeight = 7;
  const auto contents = launch::make_contents(launch::ElementType::F32, {kHeight, kWidth}, "random(3)");
  Reference reference{.texels = values_of<float>(*contents), .width = kWidth, .height = kHeight};
  std::mt19937 random(12345);
  for (const bool linear : {false, true})
    for (const bool normalized : {false, true})
      for (const std::string mode : {"clamp", "border", "wrap", "mirror"}) {
        if (!normalized && (mode == "wrap" || mode == "mirror")) continue;
        reference.linear = linear;
        reference.normalized = normalized;
        reference.mode = mode;
        // From three textures before to three behind it.
        std::uniform_real_distribution<float> x(normalized ? -3.0f : -3.0f * kWidth,
                                                normalized ? 4.0f : 4.0f * kWidth);
        std::uniform_real_distribution<float> y(normalized ? -3.0f : -3.0f * kHeight,
                                                normalized ? 4.0f : 4.0f * kHeight);
        std::vector<uint32_t> words;
        for (size_t n = 0; n < kReads; ++n)
          words.insert(words.end(),
                       {std::bit_cast<uint32_t>(x(random)), std::bit_cast<uint32_t>(y(random)), 0u, 0u});
        const std::string name =
            fmt::format("texture(f32[{}x{}]:random(3), {}, {}{})", kHeight, kWidth,
                        linear ? "linear" : "point", mode, normalized ? ", normalized" : "");
        std::vector<Four> texels;
        read_all(texels, name, k2d, words);
        ASSERT_EQ(texels.size(), kReads);
        size_t wrong = 0;
        for (size_t n = 0; n < kReads; ++n) {
          const float expected =
              reference.read(std::bit_cast<float>(words[4 * n]), std::bit_cast<float>(words[4 * n + 1]));
          const float found = std::bit_cast<float>(texels[n][0]);
          wrong += linear ? std::abs(found - expected) > 2.0f / 256 : found != expected;
        }
        EXPECT_EQ(wrong, 0u) << name;
      }
}

}  // namespace
}  // namespace lanescope::emulator
