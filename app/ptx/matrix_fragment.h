// How a warp's registers hold a matrix: the element of each register and lane, for mma, wmma, wgmma and
// ldmatrix.
// Method: a lane is (group of four, place within it); every fragment is tiles of 16 x 8 or 8 x 8 results
// whose registers follow one another, so one formula serves all shapes and types. Source: PTX ISA, "Matrix
// Fragments for mma"; the manual does not define the fragments of wmma; here they are those of the mma they
// consist of. Tests: tests/unit/ptx/matrix_test.cpp

#pragma once

#include "ptx/modifier.h"
#include "ptx/opcode.h"
#include "ptx/type.h"

namespace lanescope::ptx {

/// A is rows x depth, B depth x columns, C (and D) rows x columns.
enum class MatrixRole : uint8_t { A, B, C };
enum class FragmentOf : uint8_t { Mma, SparseMma, Wmma };

constexpr FragmentOf fragment_of(Op op) {
  return op == Op::mma ? FragmentOf::Mma : op == Op::mma_sp ? FragmentOf::SparseMma : FragmentOf::Wmma;
}

struct MatrixElement {
  int row = 0;
  int column = 0;
};

constexpr int element_bits(Type type) {
  switch (type) {
    case Type::b1:
      return 1;
    case Type::s4:
    case Type::u4:
      return 4;
    default:
      return 8 * size_bytes(type);
  }
}

/// mma.m8n8k4 of halves: four products at once, each of a quad pair, which are lanes 4 q .. 4 q + 3 and the
/// four 16 lanes after them. Fragment gives the number of registers, quad_place() the element layout.
constexpr bool is_of_quads(MatrixShape shape, Type type, FragmentOf of) {
  return of == FragmentOf::Mma && shape == MatrixShape{8, 8, 4} && (type == Type::f16 || type == Type::f32);
}

/// Element n of a lane in the matrix of its quad pair. `by_rows`: how A or B is held.
constexpr MatrixElement quad_place(MatrixRole role, Type type, bool by_rows, int lane, int n) {
  const int within = lane % 4;
  const int half = lane < 16 ? 0 : 4;
  switch (role) {
    case MatrixRole::A:
      return by_rows ? MatrixElement{within + half, n} : MatrixElement{n + half, within};
    case MatrixRole::B:
      return by_rows ? MatrixElement{within, n + half} : MatrixElement{n, within + half};
    case MatrixRole::C:
      if (type == Type::f16) return {within + half, n};
      return {(lane & 1) + (n & 2) + half, (n & 4) + (lane & 2) + (n & 1)};
  }
  return {};
}

/// mma.sp: the metadata that selects the nonzero half of A. Numbers of 4 bits are zero or nonzero in pairs,
/// which share their metadata. Source: PTX ISA, "Sparse matrix storage"; the lanes that hold it: measured,
/// an H200, tests/data/probes.
struct SparsePlace {
  int lane = 0;  // of the warp, whose register `e` holds it
  int bit = 0;   // the first of two: the place within its two or four neighbors
};
constexpr int sparse_bits_of_row(MatrixShape shape, Type type) {
  return type == Type::tf32 ? 2 * shape.depth : element_bits(type) == 4 ? shape.depth / 2 : shape.depth;
}
/// Of element `n` of those of a row that are not zero. A row has 16 bits, 32 or 64; `selector` says which
/// lane of four has them, or which pair, and of all four nothing.
constexpr SparsePlace sparse_place(MatrixShape shape, Type type, int selector, int row, int n) {
  const int bits_per_row = sparse_bits_of_row(shape, type);
  const int bit = type == Type::tf32 ? 4 * n : element_bits(type) == 4 ? n / 2 * 2 : 2 * n;
  const int quad = 4 * (row % 8);
  const int half = row / 8;
  if (element_bits(type) > 8) {  // half a lane's bits for each of two rows
    const int first = bits_per_row == 16 ? selector : 2 * selector;
    return {quad + first + bit / 16, 16 * half + bit % 16};
  }
  return {quad + 2 * (bits_per_row == 32 ? selector : bit / 32) + half, bit % 32};
}
/// The largest selector and one.
constexpr int sparse_selectors(MatrixShape shape, Type type) { return 64 / sparse_bits_of_row(shape, type); }
/// The column of element `n` of a row, of which `index` is the two bits.
constexpr int sparse_column(Type type, int n, int index) {
  if (element_bits(type) == 4) return n / 4 * 8 + 2 * index + n % 2;
  return type == Type::tf32 ? 2 * n + index / 2 : n / 2 * 4 + index;
}

/// Of a product of a warpgroup, what one of its four warps computes: 16 rows, in registers as those of mma.
constexpr MatrixShape shape_of_warp(MatrixShape of_warpgroup) {
  return {static_cast<uint8_t>(of_warpgroup.rows / 4), of_warpgroup.columns, of_warpgroup.depth};
}

/// One matrix of a product, spread over a warp.
class Fragment {
 public:
  constexpr Fragment(MatrixRole role, MatrixShape shape, Type type, FragmentOf of)
      : role_(role), shape_(shape), bits_(element_bits(type)) {
    is_turned_ = of == FragmentOf::Wmma && role == MatrixRole::C && shape.rows == 8 && shape.columns == 32;
    if (of == FragmentOf::SparseMma && role == MatrixRole::A) shape_.depth /= 2;  // what is not zero
    distinct_ = role == MatrixRole::A   ? shape.rows / 8 * blocks()
                : role == MatrixRole::B ? shape.columns / 8 * blocks()
                                        : shape.rows / 8 * (shape.columns / 8) * 2 / per_register();
    if (is_of_quads(shape, type, of)) distinct_ = role == MatrixRole::C ? 8 / per_register() : 2;
    // wmma gives halves eight registers whatever the shape; what is not needed repeats.
    constexpr int kHalfRegisters = 8;
    const bool repeats = of == FragmentOf::Wmma && type == Type::f16 && role != MatrixRole::C;
    registers_ = repeats ? kHalfRegisters : distinct_;
  }

  /// Registers per lane.
  constexpr int registers() const { return registers_; }
  /// Registers that hold different elements; register n is the same as n % distinct().
  constexpr int distinct() const { return distinct_; }
  /// Elements in one register.
  constexpr int per_register() const { return bits_ >= 32 ? 1 : 32 / bits_; }
  constexpr int bits() const { return bits_; }
  constexpr int rows() const { return role_ == MatrixRole::B ? shape_.depth : shape_.rows; }
  constexpr int columns() const { return role_ == MatrixRole::A ? shape_.depth : shape_.columns; }

  /// True if the elements of a register, or a pair of registers with one each, are neighbors in a row; false
  /// if in a column.
  constexpr bool lie_along_rows() const { return (role_ != MatrixRole::B) != is_turned_; }

  /// Row and column of the n-th element of a lane's register.
  constexpr MatrixElement place(int reg, int lane, int n) const {
    if (!is_turned_) return place_in(shape_, reg, lane, n);
    const MatrixElement turned = place_in({32, 8, shape_.depth}, reg, lane, n);
    return {turned.column, turned.row};
  }

 private:
  constexpr MatrixElement place_in(MatrixShape shape, int reg, int lane, int n) const {
    const int group = lane / 4;
    const int within = lane % 4;
    reg %= distinct_;
    const bool is_short = shape.rows == 8;
    switch (role_) {
      case MatrixRole::A: {
        const int tile = is_short ? 0 : reg / (2 * blocks());
        const int rest = is_short ? 2 * reg : reg % (2 * blocks());
        return {16 * tile + group + 8 * (rest % 2), (4 * (rest / 2) + within) * per_register() + n};
      }
      case MatrixRole::B:
        return {(4 * (reg % blocks()) + within) * per_register() + n, 8 * (reg / blocks()) + group};
      case MatrixRole::C: {
        const int pairs = reg * per_register() / 2;  // two elements side by side
        const int tile = is_short ? pairs : pairs / 2;
        const int half = is_short ? 0 : pairs % 2;
        const int tiles_across = shape.columns / 8;
        const int side = per_register() == 2 ? n : reg % 2;
        return {16 * (tile / tiles_across) + group + 8 * half, 8 * (tile % tiles_across) + 2 * within + side};
      }
    }
    return {};
  }

  /// Parts of the depth that the four lanes of a group hold in one register each.
  constexpr int blocks() const { return shape_.depth / (4 * per_register()); }

  MatrixRole role_;
  MatrixShape shape_;
  int bits_;
  int registers_ = 0;
  int distinct_ = 0;
  bool is_turned_ = false;  // sums of 8 x 32, held as those of 32 x 8 with rows and columns exchanged
};

}  // namespace lanescope::ptx
