// Products of matrices by a warp: mma and wmma.mma. Source: PTX ISA, "Warp-Level Matrix Instructions"; the
// roundings inside are of tensor_sum.h. Method: the fragments are put together to whole matrices, multiplied,
// and taken apart again. Tests: tests/unit/emulator/matrix_test.cpp

#include "emulator/exec.h"
#include "emulator/half.h"
#include "emulator/small_float.h"
#include "emulator/tensor_sum.h"
#include "ptx/matrix_fragment.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

namespace lanescope::emulator::LANESCOPE_VECTORS {
namespace {

using ptx::MatrixRole;
using ptx::Type;

/// One of the four operands: its fragment and the first of its registers in the step's list.
struct Part {
  ptx::Fragment fragment;
  Type type;
  const Operand* registers;
};

struct Product {
  Part d, a, b, c;
  ptx::MatrixShape shape;
};

Product product_of(const Warps& warps, const Step& step) {
  const ptx::Program& program = *warps.block.code.program;
  const ptx::Step& from = program.steps[step.index];
  const ptx::Modifiers& m = program.modifiers[from.modifiers];
  const ptx::FragmentOf of = from.op == ptx::Op::mma ? ptx::FragmentOf::Mma : ptx::FragmentOf::Wmma;
  const Operand* at = step.list;
  const auto part = [&](MatrixRole role, Type type) {
    const Part made{ptx::Fragment(role, m.shape, type, of), type, at};
    at += made.fragment.registers();
    return made;
  };
  const Part d = part(MatrixRole::C, step.type);
  const Part a = part(MatrixRole::A, step.second_type);
  const Part b = part(MatrixRole::B, m.third_type);
  const Part c = part(MatrixRole::C, m.fourth_type);
  return {d, a, b, c, m.shape};
}

/// Calls f(row, column, bits) for each element of the whole matrix.
template <class F>
void for_each_element(const Warps& warps, const Part& part, uint32_t n, F&& f) {
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
void write_elements(const Warps& warps, const Part& part, uint32_t mask, uint32_t n, F&& value) {
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

double number(Type type, uint64_t bits) {
  switch (type) {
    case Type::f16:
      return static_cast<double>(widen(Half{static_cast<uint16_t>(bits)}));
    case Type::bf16:
      return static_cast<double>(widen(Bfloat{static_cast<uint16_t>(bits)}));
    case Type::tf32:  // the lowest 13 bits of the f32 do not count
      return static_cast<double>(__builtin_bit_cast(float, static_cast<uint32_t>(bits) & 0xffffe000));
    case Type::f32:
      return static_cast<double>(__builtin_bit_cast(float, static_cast<uint32_t>(bits)));
    case Type::f64:
      return __builtin_bit_cast(double, bits);
    default:
      return static_cast<double>(decode(format_of(type), bits));
  }
}

Factor factor(Type type, uint64_t bits) {
  const double value = number(type, bits);
  const int smallest = format_of(type).smallest_exponent;
  return {value, value == 0 || !std::isfinite(value) ? smallest : std::max(std::ilogb(value), smallest)};
}

uint32_t float_bits(double value) {
  if (is_nan(value)) return 0x7fffffff;
  return __builtin_bit_cast(uint32_t, cut_to_float(value));
}

/// Of an H200, which makes a wmma of tf32 of two steps, and halves of numbers of 8 bits.
TensorSum sum_of(const Product& product, ptx::Op op) {
  switch (product.a.type) {
    case Type::tf32:
      return {.block = op == ptx::Op::wmma_mma ? 4 : 8};
    case Type::e4m3:
    case Type::e5m2:
      return {.block = product.shape.depth / 2, .addend = TensorSum::Addend::Afterwards};
    default:
      return {};
  }
}

/// Numbers of 8 bits are taken in pairs: first the lower two of every four, then the upper two.
int place_in_sum(const Product& product, int k) {
  if (ptx::element_bits(product.a.type) != 8) return k;
  return (k % 4 < 2 ? 0 : product.shape.depth / 2) + k / 4 * 2 + k % 2;
}

void multiply_floats(Warps& warps, const Step& step) {
  const Product product = product_of(warps, step);
  const TensorSum how = sum_of(product, warps.block.code.program->steps[step.index].op);
  const int depth = product.shape.depth;
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    Matrix<Factor> a(product.shape.rows, depth);
    Matrix<Factor> b(product.shape.columns, depth);  // by columns
    Matrix<double> sums(product.shape.rows, product.shape.columns);
    for_each_element(warps, product.a, n, [&](int row, int column, uint64_t bits) {
      a.at(row, place_in_sum(product, column)) = factor(product.a.type, bits);
    });
    for_each_element(warps, product.b, n, [&](int row, int column, uint64_t bits) {
      b.at(column, place_in_sum(product, row)) = factor(product.b.type, bits);
    });
    for_each_element(warps, product.c, n, [&](int row, int column, uint64_t bits) {
      const double c = number(product.c.type, bits);
      const bool together = how.addend == TensorSum::Addend::Together;
      double sum = together ? c : 0;
      for (int first = 0; first < depth; first += how.block) {
        const auto count = static_cast<size_t>(std::min(how.block, depth - first));
        sum = add_products(how, std::span(a.row(row) + first, count), std::span(b.row(column) + first, count),
                           sum);
        const bool is_last = first + how.block >= depth;
        if (product.d.type == Type::f32 && !(together && is_last))
          sum = static_cast<double>(cut_to_float(sum));
      }
      if (!together) sum = add_to_odd(c, sum);
      if (!together && product.d.type == Type::f32) sum = static_cast<double>(static_cast<float>(sum));
      sums.at(row, column) = sum;
    });
    write_elements(warps, product.d, mask, n, [&](int row, int column) -> uint32_t {
      const double sum = sums.at(row, column);
      return product.d.type == Type::f16 ? uint32_t{to_half(to_odd(sum)).bits} : float_bits(sum);
    });
  });
}

/// Element `element` of a lane, as bits.
uint64_t element_of(const Warps& warps, const Part& part, int lane, int element, uint32_t n) {
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
  std::array<std::array<Factor, kDepth>, kSide> a, b;  // [row][k], [column][k]
  std::array<std::array<double, kSide>, kSide> sums;
  const auto place = [&](MatrixRole role, Type type, bool by_rows, int lane, int element) {
    const ptx::MatrixElement found = ptx::quad_place(role, type, by_rows, lane, element);
    return std::pair(static_cast<size_t>(found.row), static_cast<size_t>(found.column));
  };
  for_each_lane({lanes}, [&](int lane) {
    for (int element = 0; element < 4; ++element) {
      const auto [row, k] =
          place(MatrixRole::A, Type::f16, m.layout == ptx::MatrixLayout::RowMajor, lane, element);
      a[row][k] = factor(Type::f16, element_of(warps, product.a, lane, element, n));
      const auto [depth, column] =
          place(MatrixRole::B, Type::f16, m.second_layout == ptx::MatrixLayout::RowMajor, lane, element);
      b[column][depth] = factor(Type::f16, element_of(warps, product.b, lane, element, n));
    }
  });
  for_each_lane({lanes}, [&](int lane) {
    for (int element = 0; element < kSide; ++element) {
      const auto [row, column] = place(MatrixRole::C, product.c.type, true, lane, element);
      const double c = number(product.c.type, element_of(warps, product.c, lane, element, n));
      sums[row][column] = add_products({}, a[row], b[column], c);
    }
  });
  for_each_lane({lanes & mask}, [&](int lane) {
    const int each = product.d.fragment.per_register();
    for (int reg = 0; reg < product.d.fragment.distinct(); ++reg) {
      uint32_t word = 0;
      for (int side = 0; side < each; ++side) {
        const auto [row, column] = place(MatrixRole::C, product.d.type, true, lane, reg * each + side);
        const double sum = sums[row][column];
        word |=
            product.d.type == Type::f16 ? uint32_t{to_half(to_odd(sum)).bits} << 16 * side : float_bits(sum);
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

void multiply_doubles(Warps& warps, const Step& step) {
  const Arithmetic<double> with{step.rounding};
  const Product product = product_of(warps, step);
  const int depth = product.shape.depth;
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    Matrix<double> a(product.shape.rows, depth);
    Matrix<double> b(product.shape.columns, depth);
    Matrix<double> sums(product.shape.rows, product.shape.columns);
    for_each_element(warps, product.a, n, [&](int row, int column, uint64_t bits) {
      a.at(row, column) = number(Type::f64, bits);
    });
    for_each_element(warps, product.b, n, [&](int row, int column, uint64_t bits) {
      b.at(column, row) = number(Type::f64, bits);
    });
    for_each_element(warps, product.c, n, [&](int row, int column, uint64_t bits) {
      double sum = number(Type::f64, bits);
      for (int k = 0; k < depth; ++k) sum = with.product_sum(a.row(row)[k], b.row(column)[k], sum);
      sums.at(row, column) = sum;
    });
    write_elements(warps, product.d, mask, n,
                   [&](int row, int column) { return __builtin_bit_cast(uint64_t, sums.at(row, column)); });
  });
}

int64_t integer(Type type, uint64_t bits) {
  const int spare = 64 - ptx::element_bits(type);
  const bool is_signed = type == Type::s8 || type == Type::s4 || type == Type::s32;
  return is_signed ? static_cast<int64_t>(bits << spare) >> spare : static_cast<int64_t>(bits);
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
    for_each_element(warps, product.a, n, [&](int row, int column, uint64_t bits) {
      a.at(row, column) = integer(product.a.type, bits);
    });
    for_each_element(warps, product.b, n, [&](int row, int column, uint64_t bits) {
      b.at(column, row) = integer(product.b.type, bits);
    });
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
  const ptx::FragmentOf of = step.op == ptx::Op::mma ? ptx::FragmentOf::Mma : ptx::FragmentOf::Wmma;
  if (ptx::is_of_quads(program.modifiers[step.modifiers].shape, step.second_type, of)) return multiply_quads;
  if (step.type == Type::s32) return multiply_integers;
  return step.type == Type::f64 ? multiply_doubles : multiply_floats;
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
