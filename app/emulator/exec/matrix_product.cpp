// Products of matrices by a warp: mma and wmma.mma. Source: PTX ISA, "Warp-Level Matrix Instructions"; the
// sums are rounded as in tensor_sum.h. Method: assembles whole matrices from the fragments, multiplies them
// and distributes the result. Tests: tests/unit/emulator/matrix_test.cpp

#include "emulator/exec/executor.h"
#include "emulator/exec/matrix_parts.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

namespace lanescope::emulator::LANESCOPE_VECTORS {
namespace {

using ptx::Type;

void multiply_floats(Warps& warps, const Step& step) {
  const Product product = product_of(warps, step);
  const int depth = product.shape.depth;
  const TensorSum how = sum_of(product, warps.block.code.program->steps[step.index].op, depth);
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    Matrix<Factor> a(product.shape.rows, depth);
    Matrix<Factor> b(product.shape.columns, depth);  // by columns
    Matrix<double> sums(product.shape.rows, product.shape.columns);
    for_each_element(warps, product.a, n, [&](int row, int column, uint64_t bits) {
      a.at(row, place_in_sum(product, column, depth)) = factor(product.a.type, bits);
    });
    for_each_element(warps, product.b, n, [&](int row, int column, uint64_t bits) {
      b.at(column, place_in_sum(product, row, depth)) = factor(product.b.type, bits);
    });
    const auto count = static_cast<size_t>(depth);
    for_each_element(warps, product.c, n, [&](int row, int column, uint64_t bits) {
      sums.at(row, column) = sum_of_products(how, product.d.type, {a.row(row), count}, {b.row(column), count},
                                             number(product.c.type, bits));
    });
    write_elements(warps, product.d, mask, n, [&](int row, int column) -> uint32_t {
      const double sum = sums.at(row, column);
      return product.d.type == Type::f16 ? uint32_t{to_half(to_odd(sum)).bits} : float_bits(sum);
    });
  });
}

void multiply_doubles(Warps& warps, const Step& step) {
  const Arithmetic<double> with{step.rounding};
  const Product product = product_of(warps, step);
  const int depth = product.shape.depth;
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    Matrix<double> a(product.shape.rows, depth);
    Matrix<double> b(product.shape.columns, depth);
    Matrix<double> sums(product.shape.rows, product.shape.columns);
    read_factors(warps, product, n, a, b, number);
    for_each_element(warps, product.c, n, [&](int row, int column, uint64_t bits) {
      double sum = number(Type::f64, bits);
      for (int k = 0; k < depth; ++k) sum = with.product_sum(a.row(row)[k], b.row(column)[k], sum);
      sums.at(row, column) = sum;
    });
    write_elements(warps, product.d, mask, n,
                   [&](int row, int column) { return __builtin_bit_cast(uint64_t, sums.at(row, column)); });
  });
}

void multiply_integers(Warps& warps, const Step& step) {
  const Product product = product_of(warps, step);
  const ptx::Program& program = *warps.block.code.program;
  const ptx::Modifiers& m = program.modifiers[program.steps[step.index].modifiers];
  const int depth = product.shape.depth;
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    Matrix<int64_t> a(product.shape.rows, depth);
    Matrix<int64_t> b(product.shape.columns, depth);
    Matrix<uint32_t> sums(product.shape.rows, product.shape.columns);
    read_factors(warps, product, n, a, b, integer);
    for_each_element(warps, product.c, n, [&](int row, int column, uint64_t bits) {
      int64_t sum = integer(Type::s32, bits);
      for (int k = 0; k < depth; ++k) {
        const int64_t left = a.row(row)[k];
        const int64_t right = b.row(column)[k];
        // Single bits are compared, and those that are one are counted.
        sum += m.combination == ptx::Combination::Xor   ? left ^ right
               : m.combination == ptx::Combination::And ? left & right
                                                        : left * right;
      }
      if (m.saturate_finite) sum = std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX);
      sums.at(row, column) = static_cast<uint32_t>(sum);
    });
    write_elements(warps, product.d, mask, n, [&](int row, int column) { return sums.at(row, column); });
  });
}

}  // namespace

Handler matrix_product_handler(const ptx::Program& program, const ptx::Step& step) {
  if (step.op != ptx::Op::mma && step.op != ptx::Op::wmma_mma) return nullptr;
  if (ptx::is_of_quads(program.modifiers[step.modifiers].shape, step.second_type, ptx::fragment_of(step.op)))
    return nullptr;  // quad_product.cpp does these
  if (step.type == Type::s32) return multiply_integers;
  return step.type == Type::f64 ? multiply_doubles : multiply_floats;
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
