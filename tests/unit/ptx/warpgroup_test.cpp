// wgmma: what its descriptors mean, by the canonical layouts of the PTX ISA ("Strides"), element by element;
// and what of the instruction is checked.

#include "ptx/matrix_descriptor.h"
#include "support/ptx_text.h"

#include <gmock/gmock.h>

namespace lanescope::ptx {
namespace {

using testing::HasSubstr;

constexpr uint64_t descriptor(uint64_t start, uint64_t leading, uint64_t stride, uint64_t mode,
                              uint64_t base_offset = 0) {
  return start >> 4 | leading >> 4 << 16 | stride >> 4 << 32 | base_offset << 49 | mode << 62;
}

TEST(MatrixDescriptor, without_a_swizzle_the_offsets_lead_from_core_matrix_to_core_matrix) {
  const MatrixDescriptor matrix(descriptor(0x1000, 128, 256, 0));
  EXPECT_EQ(matrix.address(MatrixMajor::Depth, 0, 0, 0), 0x1000u);
  EXPECT_EQ(matrix.address(MatrixMajor::Depth, 0, 0, 3), 0x1030u);
  EXPECT_EQ(matrix.address(MatrixMajor::Depth, 0, 1, 3), 0x10b0u) << "the leading offset";
  EXPECT_EQ(matrix.address(MatrixMajor::Depth, 2, 1, 3), 0x12b0u) << "twice the stride";
  EXPECT_EQ(matrix.address(MatrixMajor::Side, 2, 1, 3), 0x12b0u) << "the same when transposed";
}

TEST(MatrixDescriptor, a_swizzle_exchanges_chunks_by_the_bits_above_128_bytes) {
  // Rows of 128 bytes; chunk c of row r is at c xor r % 8.
  const MatrixDescriptor wide(descriptor(0x1000, 16, 1024, 1));
  EXPECT_EQ(wide.address(MatrixMajor::Depth, 0, 0, 0), 0x1000u);
  EXPECT_EQ(wide.address(MatrixMajor::Depth, 0, 0, 5), 0x1000u + 5 * 128 + 16 * 5);
  EXPECT_EQ(wide.address(MatrixMajor::Depth, 3, 1, 5), 0x1000u + 3 * 1024 + 5 * 128 + 16 * 4);
  // 64 bytes: two rows in 128, so rows 2 and 3 have the pattern's second line.
  const MatrixDescriptor half(descriptor(0x1000, 16, 512, 2));
  EXPECT_EQ(half.address(MatrixMajor::Depth, 0, 1, 1), 0x1000u + 64 + 16);
  EXPECT_EQ(half.address(MatrixMajor::Depth, 0, 1, 3), 0x1000u + 3 * 64 + 16 * 0);
  EXPECT_EQ(half.address(MatrixMajor::Depth, 1, 0, 7), 0x1000u + 512 + 7 * 64 + 16 * 3);
  // 32 bytes: four rows in 128.
  const MatrixDescriptor quarter(descriptor(0x1000, 16, 256, 3));
  EXPECT_EQ(quarter.address(MatrixMajor::Depth, 0, 0, 3), 0x1000u + 3 * 32);
  EXPECT_EQ(quarter.address(MatrixMajor::Depth, 0, 0, 4), 0x1000u + 4 * 32 + 16);
}

TEST(MatrixDescriptor, the_next_part_of_the_depth_begins_within_the_pattern) {
  // The start address moves by 32 bytes; the pattern stays where it is.
  const MatrixDescriptor next(descriptor(0x1020, 16, 1024, 1));
  EXPECT_EQ(next.address(MatrixMajor::Depth, 0, 0, 1), 0x1000u + 128 + 16 * (2 ^ 1));
  EXPECT_EQ(next.address(MatrixMajor::Depth, 0, 1, 7), 0x1000u + 7 * 128 + 16 * (3 ^ 7));
}

TEST(MatrixDescriptor, transposed_the_leading_offset_is_from_pattern_to_pattern_of_a_row) {
  // A row of the depth is 64 halves of M or N in 128 bytes; eight rows are a core matrix of each eight.
  const MatrixDescriptor matrix(descriptor(0, 8192, 1024, 1));
  EXPECT_EQ(matrix.address(MatrixMajor::Side, 3, 0, 2), 2u * 128 + 16 * (3 ^ 2));
  EXPECT_EQ(matrix.address(MatrixMajor::Side, 3, 1, 2), 1024u + 2 * 128 + 16 * (3 ^ 2)) << "the stride";
  EXPECT_EQ(matrix.address(MatrixMajor::Side, 11, 0, 2), 8192u + 2 * 128 + 16 * (3 ^ 2)) << "8 + 3";
}

TEST(MatrixDescriptor, the_base_offset_says_where_the_pattern_begins) {
  const MatrixDescriptor matrix(descriptor(0x1100, 16, 1024, 1, 2));
  EXPECT_EQ(matrix.address(MatrixMajor::Depth, 0, 0, 0), 0x1100u);
  EXPECT_EQ(matrix.address(MatrixMajor::Depth, 0, 0, 3), 0x1100u + 3 * 128 + 16 * 3);
}

std::string product(std::string_view types, std::string_view d, std::string_view rest) {
  return fmt::format("wgmma.mma_async.sync.aligned.{} {}, {};", types, d, rest);
}
constexpr std::string_view kFour = "{%f1, %f2, %f3, %f4}";

TEST(Warpgroup, constants_become_modifiers) {
  const Modifiers m =
      first_instruction(product("m64n8k16.f32.bf16.bf16", kFour, "%rd1, %rd2, %p1, 1, -1, 1, 0")).modifiers;
  EXPECT_EQ(m.shape, (MatrixShape{64, 8, 16}));
  EXPECT_FALSE(m.negative_a);
  EXPECT_TRUE(m.negative_b);
  EXPECT_EQ(m.layout, MatrixLayout::ColumnMajor);
  EXPECT_EQ(m.second_layout, MatrixLayout::ColumnMajor);
  const Modifiers in_registers =
      first_instruction(product("m64n8k16.f32.f16.f16", kFour, "{%r1, %r2, %r3, %r4}, %rd2, !%p1, -1, 1, 1"))
          .modifiers;
  EXPECT_TRUE(in_registers.negative_a);
  EXPECT_EQ(in_registers.layout, MatrixLayout::RowMajor);
  EXPECT_EQ(in_registers.second_layout, MatrixLayout::RowMajor);
}

TEST(Warpgroup, every_product_of_the_manual_is_accepted) {
  for (const char* types : {"m64n8k16.f32.f16.f16", "m64n8k16.f32.bf16.bf16"})
    EXPECT_EQ(complaint(product(types, kFour, "%rd1, %rd2, %p1, 1, 1, 0, 1")), "") << types;
  EXPECT_EQ(complaint(product("m64n8k16.f16.f16.f16", "{%r1, %r2}", "%rd1, %rd2, 1, 1, 1, 0, 0")), "");
  for (const char* types : {"m64n8k8.f32.tf32.tf32", "m64n8k32.f32.e4m3.e5m2"})
    EXPECT_EQ(complaint(product(types, kFour, "%rd1, %rd2, %p1, 1, 1")), "") << types;
  EXPECT_EQ(complaint(product("m64n8k32.s32.s8.u8.satfinite", "{%r1, %r2, %r3, %r4}", "%rd1, %rd2, %p1")),
            "");
}

TEST(Warpgroup, what_does_not_exist_is_refused) {
  EXPECT_THAT(complaint(product("m64n8k32.f32.f16.f16", kFour, "%rd1, %rd2, %p1, 1, 1, 0, 0")),
              HasSubstr("no shape m64n8k32 with types .f32.f16.f16"));
  EXPECT_THAT(complaint(product("m64n40k32.s32.s8.s8", kFour, "%rd1, %rd2, %p1")),
              HasSubstr("no shape m64n40k32"));
  EXPECT_THAT(complaint(product("m64n8k16.f16.bf16.bf16", "{%r1, %r2}", "%rd1, %rd2, %p1, 1, 1, 0, 0")),
              HasSubstr("with types .f16.bf16.bf16"));
  EXPECT_THAT(complaint(product("m64n8k16.f32.f16.f16", kFour, "%rd1, %rd2, %p1, 1, 1")),
              HasSubstr("takes 4 constants after the predicate: imm-scale-a, imm-scale-b, imm-trans-a"));
  EXPECT_THAT(complaint(product("m64n8k8.f32.tf32.tf32", kFour, "%rd1, %rd2, %p1, 1, 1, 0, 0")),
              HasSubstr("takes 2 constants"));
  EXPECT_THAT(complaint(product("m64n8k16.f32.f16.f16", kFour, "%rd1, %rd2, %p1, 2, 1, 0, 0")),
              HasSubstr("are 1 or -1"));
  EXPECT_THAT(complaint(product("m64n8k16.f32.f16.f16", kFour, "%rd1, %rd2, %p1, 1, 1, 0, 2")),
              HasSubstr("are 0 or 1"));
  EXPECT_THAT(complaint(product("m64n16k16.f32.f16.f16", kFour, "%rd1, %rd2, %p1, 1, 1, 0, 0")),
              HasSubstr("8 registers were expected here"));
  EXPECT_THAT(complaint(product("m64n8k16.f32.f16.f16", kFour, "%r1, %rd2, %p1, 1, 1, 0, 0")),
              HasSubstr("a register of 64 bits was expected"));
  EXPECT_THAT(complaint(product("m64n8k16.f32.f16.f16", kFour, "%rd1, %r2, %p1, 1, 1, 0, 0")),
              HasSubstr("does not fit an operand of type .u64"));
  EXPECT_THAT(complaint(product("m64n8k16.f32.f16.f16.satfinite", kFour, "%rd1, %rd2, %p1, 1, 1, 0, 0")),
              HasSubstr("'.satfinite' is for products of .s8 and .u8"));
}

}  // namespace
}  // namespace lanescope::ptx
