// Shared by the matrix products of a warp: assembling whole matrices from fragments, distributing them again,
// and elements as numbers. Compiled once per instruction set, like lanes.h. Source:
// PTX ISA, "Warp-Level Matrix Instructions". Tests: tests/unit/emulator/matrix_test.cpp

#pragma once

#include "emulator/exec/executor.h"
#include "emulator/exec/half_format.h"
#include "emulator/exec/small_float.h"
#include "emulator/exec/tensor_sum.h"
#include "ptx/matrix_fragment.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <vector>

namespace lanescope::emulator::LANESCOPE_VECTORS {

/// One of the four operands: its fragment and the first of its registers in the step's list.
struct MatrixPart {
  ptx::Fragment fragment;
  ptx::Type type;
  const Operand* registers;
};

struct Product {
  MatrixPart d, a, b, c;
  ptx::MatrixShape shape;
};

inline Product product_of(const Warps& warps, const Step& step) {
  const ptx::Program& program = *warps.block.code.program;
  const ptx::Step& from = program.steps[step.index];
  const ptx::Modifiers& m = program.modifiers[from.modifiers];
  const ptx::FragmentOf of = ptx::fragment_of(from.op);
  const Operand* at = step.list;
  const auto part = [&](ptx::MatrixRole role, ptx::Type type) {
    const MatrixPart made{ptx::Fragment(role, m.shape, type, of), type, at};
    at += made.fragment.registers();
    return made;
  };
  const MatrixPart d = part(ptx::MatrixRole::C, step.type);
  const MatrixPart a = part(ptx::MatrixRole::A, step.second_type);
  const MatrixPart b = part(ptx::MatrixRole::B, m.third_type);
  const MatrixPart c = part(ptx::MatrixRole::C, m.fourth_type);
  return {d, a, b, c, m.shape};
}

/// Calls f(row, column, bits) for each element of the whole matrix.
template <class F>
void for_each_element(const Warps& warps, const MatrixPart& part, uint32_t n, F&& f) {
  const int bits = part.fragment.bits();
  const uint64_t mask = ~uint64_t{0} >> (64 - bits);
  for (int reg = 0; reg < part.fragment.distinct(); ++reg) {
    for (int lane = 0; lane < kLanes; ++lane) {
      const uint64_t word = bits == 64 ? cells<const uint64_t>(warps, part.registers[reg], n)[lane]
                                       : cells<const uint32_t>(warps, part.registers[reg], n)[lane];
      for (int i = 0; i < part.fragment.per_register(); ++i) {
        const ptx::MatrixElement place = part.fragment.place(reg, lane, i);
        f(place.row, place.column, word >> bits * i & mask);
      }
    }
  }
}

/// Writes value(row, column), as bits, to the lanes of the mask.
template <class F>
void write_elements(const Warps& warps, const MatrixPart& part, uint32_t mask, uint32_t n, F&& value) {
  const int bits = part.fragment.bits();
  for (int reg = 0; reg < part.fragment.distinct(); ++reg) {
    for_each_lane({mask}, [&](int lane) {
      uint64_t word = 0;
      for (int i = 0; i < part.fragment.per_register(); ++i) {
        const ptx::MatrixElement place = part.fragment.place(reg, lane, i);
        word |= uint64_t{value(place.row, place.column)} << bits * i;
      }
      if (bits == 64) {
        cells<uint64_t>(warps, part.registers[reg], n)[lane] = word;
      } else {
        cells<uint32_t>(warps, part.registers[reg], n)[lane] = static_cast<uint32_t>(word);
      }
    });
  }
}

/// A matrix that was put together; the largest is 32 x 256.
template <class T>
class Matrix {
 public:
  Matrix(int rows, int columns)
      : columns_(columns), values_(static_cast<size_t>(rows) * static_cast<size_t>(columns)) {}
  T& at(int row, int column) { return values_[place(row, column)]; }
  const T* row(int row) const { return values_.data() + place(row, 0); }

 private:
  size_t place(int row, int column) const {
    return static_cast<size_t>(row) * static_cast<size_t>(columns_) + static_cast<size_t>(column);
  }

  int columns_;
  std::vector<T> values_;
};

/// Fills A by rows and B by columns with value(type, bits), so that each result is the product of a row of A
/// and a row of B.
template <class T, class F>
void read_factors(const Warps& warps, const Product& product, uint32_t n, Matrix<T>& a, Matrix<T>& b,
                  F&& value) {
  for_each_element(warps, product.a, n, [&](int row, int element, uint64_t bits) {
    a.at(row, element) = value(product.a.type, bits);
  });
  for_each_element(warps, product.b, n, [&](int row, int column, uint64_t bits) {
    b.at(column, row) = value(product.b.type, bits);
  });
}

inline double number(ptx::Type type, uint64_t bits) {
  switch (type) {
    case ptx::Type::f16:
      return static_cast<double>(widen(Half{static_cast<uint16_t>(bits)}));
    case ptx::Type::bf16:
      return static_cast<double>(widen(Bfloat{static_cast<uint16_t>(bits)}));
    case ptx::Type::tf32:  // the lowest 13 bits of the f32 do not count
      return static_cast<double>(__builtin_bit_cast(float, static_cast<uint32_t>(bits) & 0xffffe000));
    case ptx::Type::f32:
      return static_cast<double>(__builtin_bit_cast(float, static_cast<uint32_t>(bits)));
    case ptx::Type::f64:
      return __builtin_bit_cast(double, bits);
    default:
      return static_cast<double>(decode(format_of(type), bits));
  }
}

inline Factor factor(ptx::Type type, uint64_t bits) {
  const double value = number(type, bits);
  const int smallest = format_of(type).smallest_exponent;
  return {value, value == 0 || !std::isfinite(value) ? smallest : std::max(std::ilogb(value), smallest)};
}

inline uint32_t float_bits(double value) {
  if (is_nan(value)) return 0x7fffffff;
  return __builtin_bit_cast(uint32_t, cut_to_float(value));
}

/// Sum as an H200 computes it: a wmma of tf32 in two steps, and a row of `depth` 8-bit numbers in two halves.
inline TensorSum sum_of(const Product& product, ptx::Op op, int depth) {
  switch (product.a.type) {
    case ptx::Type::tf32:
      return {.block = op == ptx::Op::wmma_mma ? 4 : op == ptx::Op::mma_sp ? 16 : 8};
    case ptx::Type::e4m3:
    case ptx::Type::e5m2:
      // wgmma keeps fewer bits: Liu et al., "DeepSeek-V3 Technical Report", 3.3.2.
      if (op == ptx::Op::wgmma_mma_async) return {.block = depth, .bits = 13, .fraction_bits = 13};
      return {.block = depth / 2, .addend = TensorSum::Addend::Afterwards};
    default:
      return {};
  }
}

/// Position of element k of a row, which has `depth` elements, in the sum. 8-bit numbers are taken in pairs:
/// first the lower two of every four, then the upper two.
inline int place_in_sum(const Product& product, int k, int depth) {
  if (ptx::element_bits(product.a.type) != 8) return k;
  return (k % 4 < 2 ? 0 : depth / 2) + k / 4 * 2 + k % 2;
}

/// c plus all products, as D holds it. Between the blocks a number of D's format is kept.
inline double sum_of_products(const TensorSum& how, ptx::Type d, std::span<const Factor> a,
                              std::span<const Factor> b, double c) {
  const bool together = how.addend == TensorSum::Addend::Together;
  double sum = together ? c : 0;
  for (size_t first = 0; first < a.size(); first += static_cast<size_t>(how.block)) {
    const size_t count = std::min(static_cast<size_t>(how.block), a.size() - first);
    sum = add_products(how, a.subspan(first, count), b.subspan(first, count), sum);
    const bool is_last = first + count == a.size();
    if (together && is_last) return d == ptx::Type::f32 ? static_cast<double>(kept_sum(how, sum)) : sum;
    if (d == ptx::Type::f32) {
      sum = static_cast<double>(kept_sum(how, sum));
    } else if (!together) {
      sum = static_cast<double>(widen(to_half(to_odd(sum))));
    }
  }
  sum = add_to_odd(c, sum);
  return d == ptx::Type::f32 ? static_cast<double>(static_cast<float>(sum)) : sum;
}

inline int64_t integer(ptx::Type type, uint64_t bits) {
  const int spare = 64 - ptx::element_bits(type);
  const bool is_signed = type == ptx::Type::s8 || type == ptx::Type::s4 || type == ptx::Type::s32;
  return is_signed ? static_cast<int64_t>(bits << spare) >> spare : static_cast<int64_t>(bits);
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
