// Reads of surfaces and writes to them: what bytes, what is done outside, what is recorded.

#include "emulator/memory/image.h"
#include "kernel_run.h"
#include "launch/argument_spec.h"

#include <numeric>

#include <gmock/gmock.h>

namespace lanescope::emulator {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Thread t has its number in %r0, the handle in %rd1 and its element of the output, of 8 bytes, in %rd2.
std::string surface_kernel(const std::string& body) {
  return kernel_text(".param .u64 image, .param .u64 out",
                     "ld.param.u64 %rd1, [image]; ld.param.u64 %rd2, [out]; mov.u32 %r0, %tid.x;\n"
                     "mul.wide.u32 %rd3, %r0, 8; add.u64 %rd2, %rd2, %rd3;\n" +
                         body + "\nret;");
}

void run_surface(KernelRun& kernel, const std::string& surface, const std::string& body, uint32_t threads) {
  LaunchBuilder builder({1, 1, 1}, {threads, 1, 1});
  ASSERT_TRUE(launch::add_argument(builder.launch, surface));
  builder.buffer("out", std::vector<uint64_t>(threads, 0xeeeeeeeeeeeeeeee));
  run_kernel(kernel, surface_kernel(body), builder.launch);
}

std::vector<uint64_t> read(const std::string& surface, const std::string& body, uint32_t threads) {
  KernelRun kernel;
  run_surface(kernel, surface, body, threads);
  if (testing::Test::HasFatalFailure()) return {};
  EXPECT_TRUE(kernel.outcome.hazards.empty()) << kernel.outcome.hazards[0].message;
  return values_of<uint64_t>(kernel.outcome.buffers[1]);
}

template <class T>
std::vector<T> written(const std::string& surface, const std::string& body, uint32_t threads) {
  KernelRun kernel;
  run_surface(kernel, surface, body, threads);
  if (testing::Test::HasFatalFailure()) return {};
  EXPECT_TRUE(kernel.outcome.hazards.empty()) << kernel.outcome.hazards[0].message;
  return values_of<T>(kernel.outcome.buffers[0]);
}

trace::Hazard hazard_of(const std::string& surface, const std::string& body) {
  KernelRun kernel;
  run_surface(kernel, surface, body, 4);
  EXPECT_EQ(kernel.outcome.hazards.size(), 1u);
  return kernel.outcome.hazards.empty() ? trace::Hazard{} : kernel.outcome.hazards[0];
}

// Row 1 of 4 texels of 4 bytes; x counts bytes.
TEST(Surface, x_counts_bytes) {
  EXPECT_THAT(read("surface(u32[2x4]:iota)",
                   "shl.b32 %r1, %r0, 2; suld.b.2d.b32.trap {%r2}, [%rd1, {%r1, 1}]; cvt.u64.u32 %rd4, %r2; "
                   "st.global.u64 [%rd2], %rd4;",
                   4),
              ElementsAre(4, 5, 6, 7));
}

TEST(Surface, an_element_fills_the_low_bytes_of_its_register) {
  EXPECT_THAT(
      read("surface(u8[16]:iota)",
           "suld.b.1d.b8.trap {%rs1}, [%rd1, {%r0}]; cvt.u64.u16 %rd4, %rs1; st.global.u64 [%rd2], %rd4;", 3),
      ElementsAre(0, 1, 2));
  EXPECT_THAT(
      read("surface(u8[16]:iota)",
           "shl.b32 %r1, %r0, 3; suld.b.1d.b64.trap {%rd4}, [%rd1, {%r1}]; st.global.u64 [%rd2], %rd4;", 2),
      ElementsAre(0x0706050403020100, 0x0f0e0d0c0b0a0908));
  EXPECT_THAT(
      read("surface(u8[16]:iota)",
           "suld.b.1d.v2.b32.trap {%rd4, %r5}, [%rd1, {8}]; cvt.u64.u32 %rd5, %r5; shl.b64 %rd5, %rd5, 32;"
           "or.b64 %rd4, %rd4, %rd5; st.global.u64 [%rd2], %rd4;",
           1),
      ElementsAre(0x0f0e0d0c0b0a0908))
      << "registers of different widths";
}

TEST(Surface, a_vector_has_its_elements_in_a_row) {
  EXPECT_THAT(read("surface(u8x4[3x2]:iota)",
                   "shl.b32 %r1, %r0, 2; suld.b.2d.v4.b8.trap {%rs1, %rs2, %rs3, %rs4}, [%rd1, {%r1, 2}];\n"
                   "add.u16 %rs1, %rs1, %rs4; cvt.u64.u16 %rd4, %rs1; st.global.u64 [%rd2], %rd4;",
                   2),
              ElementsAre(16 + 19, 20 + 23));
}

TEST(Surface, a_write_changes_its_bytes_alone) {
  EXPECT_THAT(written<uint16_t>("surface(u16[2x4]:iota)",
                                "shl.b32 %r1, %r0, 2; cvt.u16.u32 %rs1, %r0; add.u16 %rs1, %rs1, 100;\n"
                                "sust.b.2d.b16.trap [%rd1, {%r1, 1}], {%rs1};",
                                2),
              ElementsAre(0, 1, 2, 3, 100, 5, 101, 7));
  EXPECT_THAT(written<uint32_t>("surface(u32x2[4]:zeros)",
                                "shl.b32 %r1, %r0, 3; sust.b.1d.v2.b32.trap [%rd1, {%r1}], {%r0, 9};", 3),
              ElementsAre(0, 9, 1, 9, 2, 9, 0, 0));
}

// 2 x 3 x 4: z, y, x.
TEST(Surface, depth_and_layers_are_slowest) {
  EXPECT_THAT(read("surface(u32[2x3x4]:iota)",
                   "suld.b.3d.b32.trap {%r2}, [%rd1, {8, 1, 1, 1}]; cvt.u64.u32 %rd4, %r2; st.global.u64 "
                   "[%rd2], %rd4;",
                   1),
              ElementsAre(12 + 4 + 2));
  EXPECT_THAT(read("surface(u32[2x3x4]:iota, layered)",
                   "suld.b.a2d.b32.trap {%r2}, [%rd1, {1, 12, 2, 2}]; cvt.u64.u32 %rd4, %r2; st.global.u64 "
                   "[%rd2], %rd4;",
                   1),
              ElementsAre(12 + 8 + 3));
  EXPECT_THAT(
      written<uint32_t>("surface(u32[2x2]:zeros, layered)", "sust.b.a1d.b32.trap [%rd1, {1, 4}], {5};", 1),
      ElementsAre(0, 0, 0, 5));
}

TEST(Surface, what_is_outside_follows_the_boundary_mode) {
  const auto reads = [](const char* mode, const char* x) {
    return read("surface(u32[4]:iota)",
                fmt::format("suld.b.1d.b32.{} {{%r2}}, [%rd1, {{{}}}]; cvt.u64.u32 %rd4, %r2; st.global.u64 "
                            "[%rd2], %rd4;",
                            mode, x),
                1);
  };
  EXPECT_THAT(reads("zero", "16"), ElementsAre(0));
  EXPECT_THAT(reads("zero", "-4"), ElementsAre(0));
  EXPECT_THAT(reads("zero", "12"), ElementsAre(3));
  EXPECT_THAT(reads("clamp", "4096"), ElementsAre(3));
  EXPECT_THAT(reads("clamp", "-4"), ElementsAre(0));
  EXPECT_THAT(
      written<uint32_t>("surface(u32[2x2]:zeros)",
                        "sust.b.2d.b32.zero [%rd1, {8, 0}], {5}; sust.b.2d.b32.zero [%rd1, {0, -1}], {5};"
                        "sust.b.2d.b32.clamp [%rd1, {8, 7}], {6};",
                        1),
      ElementsAre(0, 0, 0, 6));
  const trace::Hazard hazard = hazard_of("s=surface(u32[2x4]:zeros)",
                                         "shl.b32 %r1, %r0, 3; sust.b.2d.b32.trap [%rd1, {%r1, 1}], {5};");
  EXPECT_EQ(hazard.kind, trace::HazardKind::OutOfBounds);
  EXPECT_EQ(hazard.thread, (Dim3{2, 0, 0}));
  EXPECT_EQ(
      hazard.message,
      "writes 4 bytes at x = 16 bytes, y = 1 of the surface 's', which has rows of 16 bytes, 2 rows; check "
      "the index");
}

TEST(Surface, x_that_is_not_in_bytes_is_misaligned) {
  const trace::Hazard hazard =
      hazard_of("s=surface(u32[2x4]:zeros)", "sust.b.2d.b32.trap [%rd1, {%r0, 1}], {5};");
  EXPECT_EQ(hazard.kind, trace::HazardKind::Misaligned);
  EXPECT_EQ(hazard.thread, (Dim3{1, 0, 0}));
  EXPECT_THAT(hazard.message, HasSubstr("x counts bytes"));
  EXPECT_EQ(hazard_of("s=surface(u8[3]:zeros)", "suld.b.1d.b64.zero {%rd4}, [%rd1, {0}];").kind,
            trace::HazardKind::Misaligned)
      << "wider than a row";
}

TEST(Surface, a_wrong_handle_or_dimension_is_named) {
  EXPECT_THAT(hazard_of("u64:0", "suld.b.1d.b32.zero {%r2}, [%rd1, {0}];").message,
              HasSubstr("reads a surface through the handle 0x0"));
  EXPECT_THAT(hazard_of("s=texture(u32[4]:zeros)", "sust.b.1d.b32.zero [%rd1, {0}], {1};").message,
              HasSubstr("writes 's' as a surface, it is a texture"));
  EXPECT_THAT(hazard_of("s=surface(u32[4]:zeros)", "sust.b.2d.b32.zero [%rd1, {0, 0}], {1};").message,
              HasSubstr("writes 's' as a 2-D surface, it is a 1-D one"));
}

// The initial contents are shared between runs; a handle from nowhere must not change them.
TEST(Surface, a_handle_that_is_no_argument_does_not_write) {
  const trace::Hazard hazard =
      hazard_of("s=surface(u32[4]:zeros)",
                fmt::format("mov.u64 %rd5, {}; sust.b.1d.b32.zero [%rd5, {{0}}], {{1}};", image_handle(0)));
  EXPECT_THAT(hazard.message, HasSubstr("comes from no argument"));
}

TEST(Surface, a_texture_reads_what_an_earlier_block_wrote) {
  LaunchBuilder builder({2, 1, 1}, {4, 1, 1});
  ASSERT_TRUE(launch::add_argument(builder.launch, "s=surface(f32[4]:zeros)"));
  ASSERT_TRUE(launch::add_argument(builder.launch, "texture(s)"));
  builder.buffer("out", std::vector<float>(4));
  KernelRun kernel;
  run_kernel(kernel,
             kernel_text(
                 ".param .u64 image, .param .u64 same, .param .u64 out",
                 "ld.param.u64 %rd1, [image]; ld.param.u64 %rd2, [same]; ld.param.u64 %rd3, [out];\n"
                 "mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; setp.ne.u32 %p1, %r1, 0; shl.b32 %r2, %r0, 2;\n"
                 "cvt.rn.f32.u32 %f1, %r0; mov.b32 %r3, %f1;\n"
                 "@!%p1 sust.b.1d.b32.trap [%rd1, {%r2}], {%r3};\n"
                 "cvt.u64.u32 %rd4, %r2; add.u64 %rd3, %rd3, %rd4;\n"
                 "@%p1 tex.1d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%rd2, {%f1}];\n"
                 "@%p1 st.global.f32 [%rd3], %f2; ret;"),
             builder.launch);
  ASSERT_TRUE(kernel.outcome.hazards.empty()) << kernel.outcome.hazards[0].message;
  EXPECT_THAT(values_of<float>(kernel.outcome.buffers[1]), ElementsAre(0, 1, 2, 3));
}

TEST(Surface, a_write_is_a_request_without_addresses_and_races_are_not_looked_for) {
  KernelRun kernel;
  LaunchBuilder builder({1, 1, 1}, {40, 1, 1});
  ASSERT_TRUE(launch::add_argument(builder.launch, "surface(u32[40]:zeros)"));
  builder.buffer("out", std::vector<uint64_t>(40));
  run_kernel(kernel, surface_kernel("sust.b.1d.b32.trap [%rd1, {0}], {%r0};"), builder.launch,
             {.checks = Checks::All});
  ASSERT_EQ(kernel.sink.list.size(), 2u);
  EXPECT_EQ(kernel.sink.list[1].operation, (trace::Operation{trace::Space::Surface, trace::Kind::Store, 4}));
  EXPECT_EQ(kernel.sink.list[1].mask, 0xffu);
  EXPECT_THAT(kernel.outcome.unchecked, ElementsAre(HasSubstr("races in surfaces")));
}

}  // namespace
}  // namespace lanescope::emulator
