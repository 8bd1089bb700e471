// Video instructions, with values worked out by the manual's pseudocode.

#include "kernel_run.h"

namespace lanescope::emulator {
namespace {

uint32_t video(std::string_view instruction, uint32_t a, uint32_t b, uint32_t c = 0) {
  return evaluate<uint32_t>(instruction, a, b, c);
}

TEST(Video, a_part_of_a_register_is_extended_by_its_type) {
  EXPECT_EQ(video("vadd.s32.s32.u32 %d, %a.b0, %b.h1;", 0x000000ff, 0x00050000), 4u);  // -1 + 5
  EXPECT_EQ(video("vadd.u32.u32.u32 %d, %a.b0, %b.h1;", 0x000000ff, 0x00050000), 260u);
  EXPECT_EQ(video("vsub.s32.s32.s32 %d, %a.b3, %b.b1;", 0x80000000, 0x00007f00), static_cast<uint32_t>(-255));
  EXPECT_EQ(video("vabsdiff.u32.s32.s32 %d, %a, %b;", 0xfffffffe, 5), 7u);
  EXPECT_EQ(video("vmin.s32.s32.u32 %d, %a, %b;", 0xffffffff, 0xffffffff), 0xffffffffu);  // -1 < 2^32 - 1
  EXPECT_EQ(video("vmax.s32.s32.s32 %d, %a.h0, %b.h0;", 0x8000, 1), 1u);
}

TEST(Video, sat_clamps_to_the_destination_or_the_part_of_it) {
  EXPECT_EQ(video("vadd.s32.s32.s32.sat %d, %a, %b;", 0x7fffffff, 1), 0x7fffffffu);
  EXPECT_EQ(video("vadd.u32.s32.s32.sat %d, %a, %b;", 0xfffffff0, 1), 0u);
  EXPECT_EQ(video("vadd.u32.u32.u32.sat %d.b1, %a, %b, %c;", 200, 100, 0x11223344), 0x1122ff44u);
  EXPECT_EQ(video("vadd.s32.s32.s32.sat %d.h1, %a, %b, %c;", 0xffff0000, 0, 0x11223344), 0x80003344u);
}

TEST(Video, a_second_operation_takes_the_third_operand) {
  EXPECT_EQ(video("vadd.s32.s32.s32.add %d, %a, %b, %c;", 1, 2, 10), 13u);
  EXPECT_EQ(video("vadd.s32.s32.s32.min %d, %a, %b, %c;", 1, 2, 0xffffffff), 0xffffffffu);
  EXPECT_EQ(video("vadd.u32.u32.u32.max %d, %a, %b, %c;", 1, 2, 0xffffffff), 0xffffffffu);
}

TEST(Video, shifts_clamp_or_wrap) {
  EXPECT_EQ(video("vshl.u32.u32.u32.clamp %d, %a, %b;", 1, 40), 0u);
  EXPECT_EQ(video("vshl.u32.u32.u32.wrap %d, %a, %b;", 1, 40), 256u);
  EXPECT_EQ(video("vshl.u32.u32.u32.sat.clamp %d, %a, %b;", 3, 31), 0xffffffffu);
  EXPECT_EQ(video("vshr.s32.s32.u32.clamp %d, %a, %b;", 0x80000000, 40), 0xffffffffu);
  EXPECT_EQ(video("vshr.u32.u32.u32.wrap.add %d, %a, %b, %c;", 0x80000000, 31, 5), 6u);
}

TEST(Video, multiply_add_scales) {
  EXPECT_EQ(video("vmad.s32.s32.s32 %d, %a.b0, %b.b0, %c;", 0xff, 3, 10), 7u);
  EXPECT_EQ(video("vmad.u32.u32.u32.shr7 %d, %a, %b, %c;", 256, 256, 128), 513u);
  EXPECT_EQ(video("vmad.u32.u32.u32.po %d, %a, %b, %c;", 2, 3, 4), 11u);
  EXPECT_EQ(video("vmad.s32.s32.s32.sat %d, %a, %b, %c;", 0x7fffffff, 2, 0), 0x7fffffffu);
}

TEST(Video, set_compares) {
  EXPECT_EQ(video("vset.s32.u32.lt %d, %a, %b;", 0xffffffff, 0), 1u);
  EXPECT_EQ(video("vset.u32.u32.lt %d, %a, %b;", 0xffffffff, 0), 0u);
  EXPECT_EQ(video("vset.u32.u32.ge.add %d, %a, %b, %c;", 5, 5, 10), 11u);
}

TEST(Video, two_half_words_side_by_side) {
  EXPECT_EQ(video("vadd2.s32.s32.s32 %d, %a, %b, %c;", 0x0001ffff, 0x00020002), 0x00030001u);
  EXPECT_EQ(video("vadd2.s32.s32.s32.sat %d, %a, %b, %c;", 0x7fff8000, 0x0001ffff), 0x7fff8000u);
  EXPECT_EQ(video("vsub2.s32.s32.s32 %d, %a.h01, %b, %c;", 0x00050003, 0x00010001), 0x00020004u);
  EXPECT_EQ(video("vsub2.s32.s32.s32 %d.h1, %a, %b, %c;", 0x00050003, 0x00010001, 0xaaaabbbb), 0x0004bbbbu);
  EXPECT_EQ(video("vavrg2.s32.s32.s32 %d, %a, %b, %c;", 0x0001fffe, 0x0002ffff), 0x0002fffeu);
  EXPECT_EQ(video("vabsdiff2.u32.s32.s32.add %d, %a, %b, %c;", 0xffff0001, 0x00020005, 100), 107u);
  EXPECT_EQ(video("vmin2.s32.s32.s32 %d, %a, %b, %c;", 0xffff0001, 0x00000000), 0xffff0000u);
  EXPECT_EQ(video("vmax2.u32.u32.u32 %d, %a, %b, %c;", 0xffff0001, 0x00000002), 0xffff0002u);
  EXPECT_EQ(video("vset2.s32.s32.lt %d, %a, %b, %c;", 0xffff0001, 0x00000000), 0x00010000u);
}

TEST(Video, four_bytes_side_by_side) {
  EXPECT_EQ(video("vadd4.u32.u32.u32.sat %d, %a, %b, %c;", 0xff010280, 0x01010180), 0xff0203ffu);
  EXPECT_EQ(video("vadd4.u32.u32.u32 %d, %a, %b, %c;", 0xff010280, 0x01010180), 0x00020300u);
  EXPECT_EQ(video("vsub4.s32.s32.s32.sat %d, %a, %b, %c;", 0x80000105, 0x01000202), 0x8000ff03u);
  EXPECT_EQ(video("vavrg4.u32.u32.u32 %d, %a, %b, %c;", 0x01020304, 0x02020202), 0x02020303u);
  EXPECT_EQ(video("vabsdiff4.u32.u32.u32.add %d, %a, %b, %c;", 0x01020304, 0x04030201, 100), 108u);
  EXPECT_EQ(video("vmin4.s32.s32.s32 %d, %a, %b, %c;", 0xff02037f, 0x00000000), 0xff000000u);
  EXPECT_EQ(video("vmax4.u32.u32.u32 %d.b20, %a, %b, %c;", 0x09090909, 0x01010101, 0xaabbccdd), 0xaa09cc09u);
  EXPECT_EQ(video("vset4.u32.u32.ge.add %d, %a, %b, %c;", 0x01020304, 0x02020202, 10), 13u);
  EXPECT_EQ(video("vadd4.u32.u32.u32 %d, %a.b0000, %b.b7777, %c;", 0x00000005, 0x10000000), 0x15151515u);
}

}  // namespace
}  // namespace lanescope::emulator
