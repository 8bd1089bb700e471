// mma.m8n8k4 of halves: four products at once, of 8 x 8 results each. Source: PTX ISA, "Matrix Fragments for
// mma.m8n8k4 with .f16 floating point type". An H200, which no longer has such a unit, accumulates the
// products one by one with fma of f32, and C at the end (tests/data/probes). Tests:
// tests/unit/emulator/matrix_test.cpp, probe_test.cpp

#include "emulator/exec/executor.h"
#include "emulator/exec/matrix_parts.h"

#include <cmath>
#include <utility>

namespace lanescope::emulator::LANESCOPE_VECTORS {
namespace {

using ptx::MatrixRole;
using ptx::Type;

/// Element `element` of a lane, as bits.
uint64_t element_of(const Warps& warps, const MatrixPart& part, int lane, int element, uint32_t n) {
  const int each = part.fragment.per_register();
  const int bits = part.fragment.bits();
  const uint32_t word = cells<const uint32_t>(warps, part.registers[element / each], n)[lane];
  return uint64_t{word} >> bits * (element % each) & ~uint64_t{0} >> (64 - bits);
}

/// The product of one quad pair, written to those of its lanes that are in the mask.
void multiply_quad_pair(const Warps& warps, const Product& product, const ptx::Modifiers& m, uint32_t lanes,
                        uint32_t mask, uint32_t n) {
  constexpr int kSide = 8;
  constexpr size_t kDepth = 4;
  std::array<std::array<float, kDepth>, kSide> a, b;  // [row][k], [column][k]
  std::array<std::array<float, kSide>, kSide> sums;
  const auto place = [&](MatrixRole role, Type type, bool by_rows, int lane, int element) {
    const ptx::MatrixElement found = ptx::quad_place(role, type, by_rows, lane, element);
    return std::pair(static_cast<size_t>(found.row), static_cast<size_t>(found.column));
  };
  for_each_lane({lanes}, [&](int lane) {
    for (int element = 0; element < 4; ++element) {
      const auto [row, k] =
          place(MatrixRole::A, Type::f16, m.layout == ptx::MatrixLayout::RowMajor, lane, element);
      a[row][k] = static_cast<float>(number(Type::f16, element_of(warps, product.a, lane, element, n)));
      const auto [depth, column] =
          place(MatrixRole::B, Type::f16, m.second_layout == ptx::MatrixLayout::RowMajor, lane, element);
      b[column][depth] =
          static_cast<float>(number(Type::f16, element_of(warps, product.b, lane, element, n)));
    }
  });
  for_each_lane({lanes}, [&](int lane) {
    for (int element = 0; element < kSide; ++element) {
      const auto [row, column] = place(MatrixRole::C, product.c.type, true, lane, element);
      float sum = 0;
      for (size_t k = 0; k < kDepth; ++k) sum = std::fma(a[row][k], b[column][k], sum);
      const double c = number(product.c.type, element_of(warps, product.c, lane, element, n));
      sums[row][column] = sum + static_cast<float>(c);
    }
  });
  for_each_lane({lanes & mask}, [&](int lane) {
    const int each = product.d.fragment.per_register();
    for (int reg = 0; reg < product.d.fragment.distinct(); ++reg) {
      uint32_t word = 0;
      for (int side = 0; side < each; ++side) {
        const auto [row, column] = place(MatrixRole::C, product.d.type, true, lane, reg * each + side);
        const float sum = sums[row][column];
        word |= product.d.type == Type::f16 ? uint32_t{to_half(sum).bits} << 16 * side
                                            : float_bits(static_cast<double>(sum));
      }
      cells<uint32_t>(warps, product.d.registers[reg], n)[lane] = word;
    }
  });
}

void multiply_quads(Warps& warps, const Step& step) {
  const Product product = product_of(warps, step);
  const ptx::Program& program = *warps.block.code.program;
  const ptx::Modifiers& m = program.modifiers[program.steps[step.index].modifiers];
  constexpr uint32_t kFirstPair = 0x000f000f;
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    for (int pair = 0; pair < 4; ++pair)
      multiply_quad_pair(warps, product, m, kFirstPair << 4 * pair, mask, n);
  });
}

}  // namespace

Handler quad_product_handler(const ptx::Program& program, const ptx::Step& step) {
  const bool is_of_quads =
      step.op == ptx::Op::mma &&
      ptx::is_of_quads(program.modifiers[step.modifiers].shape, step.second_type, ptx::FragmentOf::Mma);
  return is_of_quads ? multiply_quads : nullptr;
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
