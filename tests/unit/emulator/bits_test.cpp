// Logic, shifts and bit fields, with values computed by hand from the PTX ISA.

#include "kernel_run.h"

namespace lanescope::emulator {
namespace {

TEST(Bits, logic_of_every_width) {
  EXPECT_EQ(evaluate<uint32_t>("and.b32 %d, %a, %b;", 0xff00ff00u, 0x0ff00ff0u), 0x0f000f00u);
  EXPECT_EQ(evaluate<uint64_t>("or.b64 %d, %a, %b;", uint64_t{1} << 63, uint64_t{1}), 0x8000000000000001u);
  EXPECT_EQ(evaluate<uint16_t>("xor.b16 %d, %a, %b;", uint16_t{0xff00}, uint16_t{0xffff}), 0x00ff);
  EXPECT_EQ(evaluate<uint16_t>("not.b16 %d, %a;", uint16_t{0x00ff}), 0xff00);
  EXPECT_EQ(evaluate<uint32_t>("cnot.b32 %d, %a;", 0u), 1u);
  EXPECT_EQ(evaluate<uint32_t>("cnot.b32 %d, %a;", 7u), 0u);
}

TEST(Bits, logic_of_predicates) {
  EXPECT_TRUE(evaluate_truth("and.pred %d, %a, %b;", Truth{1}, Truth{1}));
  EXPECT_FALSE(evaluate_truth("and.pred %d, %a, %b;", Truth{1}, Truth{0}));
  EXPECT_TRUE(evaluate_truth("or.pred %d, %a, %b;", Truth{0}, Truth{1}));
  EXPECT_TRUE(evaluate_truth("xor.pred %d, %a, %b;", Truth{0}, Truth{1}));
  EXPECT_TRUE(evaluate_truth("not.pred %d, %a;", Truth{0}));
  EXPECT_TRUE(evaluate_truth("mov.pred %d, %a;", Truth{1}));
}

TEST(Bits, lop3_looks_up_the_three_bits) {
  const uint32_t a = 0xf0f0f0f0, b = 0xcccccccc, c = 0xaaaaaaaa;
  EXPECT_EQ(evaluate<uint32_t>("lop3.b32 %d, %a, %b, %c, 0x80;", a, b, c), a & b & c);
  EXPECT_EQ(evaluate<uint32_t>("lop3.b32 %d, %a, %b, %c, 0xfe;", a, b, c), a | b | c);
  EXPECT_EQ(evaluate<uint32_t>("lop3.b32 %d, %a, %b, %c, 0x1a;", a, b, c), ((a & b) | c) ^ a);
  EXPECT_EQ(evaluate<uint32_t>("lop3.b32 %d, %a, %b, %c, 0x96;", a, b, c), a ^ b ^ c);
}

TEST(Bits, shifts_by_the_width_and_more_leave_nothing_or_the_sign) {
  EXPECT_EQ(evaluate<uint32_t>("shl.b32 %d, %a, %b;", 1u, 31u), 0x80000000u);
  EXPECT_EQ(evaluate<uint32_t>("shl.b32 %d, %a, %b;", 1u, 32u), 0u);
  EXPECT_EQ(evaluate<uint32_t>("shr.u32 %d, %a, %b;", 0x80000000u, 100u), 0u);
  EXPECT_EQ(evaluate<int32_t>("shr.s32 %d, %a, %b;", -8, 1u), -4);
  EXPECT_EQ(evaluate<int32_t>("shr.s32 %d, %a, %b;", -8, 40u), -1);
  EXPECT_EQ(evaluate<uint64_t>("shl.b64 %d, %a, %b;", uint64_t{3}, 62u), 0xc000000000000000u);
  EXPECT_EQ(evaluate<uint64_t>("shr.b64 %d, %a, %b;", ~uint64_t{0}, 64u), 0u);
  EXPECT_EQ(evaluate<uint16_t>("shl.b16 %d, %a, %b;", uint16_t{0xffff}, 8u), 0xff00);
  EXPECT_EQ(evaluate<uint16_t>("shr.s16 %d, %a, %b;", uint16_t{0x8000}, 3u), 0xf000);
}

TEST(Bits, funnel_shifts_clamp_or_wrap) {
  const uint32_t low = 0x89abcdef, high = 0x01234567;
  EXPECT_EQ(evaluate<uint32_t>("shf.l.clamp.b32 %d, %a, %b, %c;", low, high, 8u), 0x23456789u);
  EXPECT_EQ(evaluate<uint32_t>("shf.l.clamp.b32 %d, %a, %b, %c;", low, high, 40u), low);
  EXPECT_EQ(evaluate<uint32_t>("shf.l.wrap.b32 %d, %a, %b, %c;", low, high, 40u), 0x23456789u);
  EXPECT_EQ(evaluate<uint32_t>("shf.r.clamp.b32 %d, %a, %b, %c;", low, high, 8u), 0x6789abcdu);
  EXPECT_EQ(evaluate<uint32_t>("shf.r.clamp.b32 %d, %a, %b, %c;", low, high, 99u), high);
  EXPECT_EQ(evaluate<uint32_t>("shf.r.wrap.b32 %d, %a, %b, %c;", low, high, 32u), low);
}

TEST(Bits, counting_and_finding) {
  EXPECT_EQ(evaluate<uint32_t>("popc.b32 %d, %a;", 0xf0f0u), 8u);
  EXPECT_EQ(evaluate<uint32_t>("popc.b64 %d, %a;", ~uint64_t{0}), 64u);
  EXPECT_EQ(evaluate<uint32_t>("clz.b32 %d, %a;", 0u), 32u);
  EXPECT_EQ(evaluate<uint32_t>("clz.b32 %d, %a;", 1u), 31u);
  EXPECT_EQ(evaluate<uint32_t>("clz.b64 %d, %a;", uint64_t{1}), 63u);
  EXPECT_EQ(evaluate<uint32_t>("bfind.u32 %d, %a;", 0x10u), 4u);
  EXPECT_EQ(evaluate<uint32_t>("bfind.u32 %d, %a;", 0u), 0xffffffffu);
  EXPECT_EQ(evaluate<uint32_t>("bfind.s32 %d, %a;", -1), 0xffffffffu);
  EXPECT_EQ(evaluate<uint32_t>("bfind.s32 %d, %a;", -17), 4u);
  EXPECT_EQ(evaluate<uint32_t>("bfind.shiftamt.u32 %d, %a;", 0x10u), 27u);
  EXPECT_EQ(evaluate<uint32_t>("brev.b32 %d, %a;", 0x00000013u), 0xc8000000u);
  EXPECT_EQ(evaluate<uint64_t>("brev.b64 %d, %a;", uint64_t{1}), uint64_t{1} << 63);
}

TEST(Bits, fields_are_extracted_and_inserted) {
  EXPECT_EQ(evaluate<uint32_t>("bfe.u32 %d, %a, %b, %c;", 0x12345678u, 8u, 12u), 0x456u);
  EXPECT_EQ(evaluate<int32_t>("bfe.s32 %d, %a, %b, %c;", 0x00000f00, 8u, 4u), -1);
  EXPECT_EQ(evaluate<uint32_t>("bfe.u32 %d, %a, %b, %c;", 0x12345678u, 8u, 0u), 0u);
  EXPECT_EQ(evaluate<int32_t>("bfe.s32 %d, %a, %b, %c;", INT32_MIN, 40u, 4u), -1);
  EXPECT_EQ(evaluate<uint32_t>("bfe.u32 %d, %a, %b, %c;", 0x80000000u, 28u, 32u), 8u);
  EXPECT_EQ(evaluate<uint64_t>("bfe.u64 %d, %a, %b, %c;", uint64_t{0xabc} << 40, 44u, 4u), 0xbu);
  EXPECT_EQ(evaluate<uint32_t>("bfi.b32 %d, %a, %b, %c, %e;", 0xffu, 0u, 8u, 4u), 0xf00u);
  EXPECT_EQ(evaluate<uint32_t>("bfi.b32 %d, %a, %b, %c, %e;", 0u, 0xffffffffu, 28u, 20u), 0x0fffffffu);
  EXPECT_EQ(evaluate<uint32_t>("bfi.b32 %d, %a, %b, %c, %e;", 0u, 7u, 32u, 4u), 7u);
  EXPECT_EQ(evaluate<uint32_t>("bmsk.clamp.b32 %d, %a, %b;", 4u, 8u), 0xff0u);
  EXPECT_EQ(evaluate<uint32_t>("bmsk.clamp.b32 %d, %a, %b;", 28u, 40u), 0xf0000000u);
  EXPECT_EQ(evaluate<uint32_t>("bmsk.wrap.b32 %d, %a, %b;", 36u, 8u), 0xff0u);
}

TEST(Bits, prmt_chooses_bytes_and_spreads_signs) {
  const uint32_t a = 0x33221100, b = 0x77665584;
  EXPECT_EQ(evaluate<uint32_t>("prmt.b32 %d, %a, %b, %c;", a, b, 0x3210u), a);
  EXPECT_EQ(evaluate<uint32_t>("prmt.b32 %d, %a, %b, %c;", a, b, 0x7654u), b);
  EXPECT_EQ(evaluate<uint32_t>("prmt.b32 %d, %a, %b, %c;", a, b, 0x0c42u), 0x00ff8422u);
  EXPECT_EQ(evaluate<uint32_t>("prmt.b32.f4e %d, %a, %b, %c;", a, b, 1u), 0x84332211u);
  EXPECT_EQ(evaluate<uint32_t>("prmt.b32.b4e %d, %a, %b, %c;", a, b, 1u), 0x66770011u);
  EXPECT_EQ(evaluate<uint32_t>("prmt.b32.rc8 %d, %a, %b, %c;", a, b, 2u), 0x22222222u);
  EXPECT_EQ(evaluate<uint32_t>("prmt.b32.ecl %d, %a, %b, %c;", a, b, 2u), 0x33222222u);
  EXPECT_EQ(evaluate<uint32_t>("prmt.b32.ecr %d, %a, %b, %c;", a, b, 1u), 0x11111100u);
  EXPECT_EQ(evaluate<uint32_t>("prmt.b32.rc16 %d, %a, %b, %c;", a, b, 1u), 0x33223322u);
}

}  // namespace
}  // namespace lanescope::emulator
