// How wmma moves a fragment between memory and registers: the accesses, and what each lane accesses.
// MODEL: NVIDIA does not document it. It is what ptxas of CUDA 13 makes for sm_75 to sm_100, read from its
// machine code, but that sm_75 loads two matrices from shared memory at once where later ones load four.
// Method: a register of four bytes and its neighbors in other lanes are a core: 8 lines of 16 bytes in
// memory. Tests: tests/unit/ptx/fragment_access_test.cpp

#pragma once

#include "ptx/matrix_fragment.h"
#include "ptx/modifier.h"

#include <algorithm>
#include <cstdint>

namespace lanescope::ptx {

constexpr MatrixRole matrix_role(Op op) {
  return op == Op::wmma_load_a ? MatrixRole::A : op == Op::wmma_load_b ? MatrixRole::B : MatrixRole::C;
}

/// Place of an element in memory: the number of its line (a row, or a column of a matrix that is held by
/// columns), and its number in the line.
struct PlaceInMemory {
  int line = 0;
  int element = 0;
};

class FragmentAccess {
 public:
  /// `by_rows`: the matrix lies in memory by rows. `space`: Generic if the instruction names none.
  constexpr FragmentAccess(MatrixRole role, MatrixShape shape, Type type, bool by_rows, Space space)
      : fragment_(role, shape, type, FragmentOf::Wmma),
        by_rows_(by_rows),
        way_(way_of(role, fragment_, by_rows, space)) {}

  /// Memory instructions of a warp.
  constexpr int count() const {
    switch (way_) {
      case Way::Matrices:
        return (fragment_.distinct() + kMatrices - 1) / kMatrices;
      case Way::Words:
        return fragment_.distinct();
      case Way::Pairs:
        return fragment_.distinct() / 2;
      case Way::Elements:
        return fragment_.distinct() * fragment_.per_register();
    }
    return 0;
  }
  /// Bytes that each lane accesses with one.
  constexpr int bytes() const {
    switch (way_) {
      case Way::Matrices:
        return kLineBytes;
      case Way::Words:
        return kWordBytes;
      case Way::Pairs:
        return 2 * fragment_.bits() / 8;
      case Way::Elements:
        return fragment_.bits() / 8;
    }
    return 0;
  }
  /// True for ldmatrix's way: lanes supply addresses of the lines of cores.
  constexpr bool is_of_matrices() const { return way_ == Way::Matrices; }
  /// Lanes of the n-th instruction that supply addresses.
  constexpr uint32_t lanes(int n) const {
    if (way_ != Way::Matrices) return ~uint32_t{0};
    const int matrices = std::min(fragment_.distinct() - n * kMatrices, kMatrices);
    return static_cast<uint32_t>((uint64_t{1} << kLines * matrices) - 1);
  }
  /// The first element that a lane accesses with the n-th instruction; the others follow it in its line.
  constexpr PlaceInMemory first(int n, int lane) const {
    switch (way_) {
      case Way::Matrices: {
        const PlaceInMemory core = place(n * kMatrices + lane / kLines, 0, 0);
        return {core.line + lane % kLines, core.element};
      }
      case Way::Words: {
        const PlaceInMemory core = place(n, 0, 0);
        return {core.line + lane / 4, core.element + lane % 4 * fragment_.per_register()};
      }
      case Way::Pairs:
        return place(2 * n, lane, 0);
      case Way::Elements:
        return place(n / fragment_.per_register(), lane, n % fragment_.per_register());
    }
    return {};
  }
  /// Where element `i` of a lane's register lies.
  constexpr PlaceInMemory place(int reg, int lane, int i) const {
    const MatrixElement at = fragment_.place(reg, lane, i);
    return by_rows_ ? PlaceInMemory{at.row, at.column} : PlaceInMemory{at.column, at.row};
  }
  /// Lines of the matrix, and elements of each.
  constexpr int lines() const { return by_rows_ ? fragment_.rows() : fragment_.columns(); }
  constexpr int elements() const { return by_rows_ ? fragment_.columns() : fragment_.rows(); }
  constexpr const Fragment& fragment() const { return fragment_; }

 private:
  static constexpr int kMatrices = 4;  // that ldmatrix loads at once
  static constexpr int kLines = 8;     // of a core
  static constexpr int kLineBytes = 16;
  static constexpr int kWordBytes = 4;

  enum class Way : uint8_t { Matrices, Words, Pairs, Elements };

  static constexpr Way way_of(MatrixRole role, const Fragment& fragment, bool by_rows, Space space) {
    const bool is_along = fragment.lie_along_rows() == by_rows;  // a register's elements are neighbors
    if (fragment.bits() >= 32) return role == MatrixRole::C && is_along ? Way::Pairs : Way::Elements;
    const bool turns = fragment.bits() == 16;  // MOVM exchanges rows and columns of a core of halves
    if (!is_along && !turns) return Way::Elements;
    return role != MatrixRole::C && space == Space::Shared ? Way::Matrices : Way::Words;
  }

  Fragment fragment_;
  bool by_rows_;
  Way way_;
};

}  // namespace lanescope::ptx
