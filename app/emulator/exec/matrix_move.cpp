// Matrices between memory and the registers of a warp: ldmatrix, stmatrix, movmatrix, wmma.load, wmma.store.
// Source: PTX ISA, "Warp-Level Matrix Instructions". How wmma accesses memory is not documented. MODEL:
// register by register; a whole register at once where its elements are contiguous, else element by element.
// Tests: tests/unit/emulator/matrix_test.cpp

#include "emulator/exec/executor.h"
#include "emulator/exec/pieces.h"
#include "ptx/matrix_fragment.h"

#include <cstring>

namespace lanescope::emulator::LANESCOPE_VECTORS {
namespace {

constexpr int kRows = 8;  // of a matrix of ldmatrix; eight halves each
constexpr int kRowBytes = 16;

/// Row and column in a matrix of the n-th half of a lane's register.
struct HalfPlace {
  int row;
  int column;
};
constexpr HalfPlace place_of(int lane, int n, bool transposed) {
  const int along = 2 * (lane % 4) + n;
  return transposed ? HalfPlace{along, lane / 4} : HalfPlace{lane / 4, along};
}

/// The lanes whose addresses count: eight for each matrix.
uint32_t row_lanes(int matrices) {
  return matrices == 4 ? ~uint32_t{0} : (uint32_t{1} << kRows * matrices) - 1;
}

/// Calls f(modifiers, mask, suppliers, n) for each warp in which lanes supply the addresses of rows.
template <class F>
void for_each_warp_with_rows(Warps& warps, const Step& step, F&& f) {
  const ptx::Modifiers& modifiers = modifiers_of(warps, step);
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    const uint32_t suppliers = mask & row_lanes(modifiers.matrices);
    if (suppliers == 0 || warps.block.stopped) return;
    meet_lanes(warps.block, warps.first + n);
    f(modifiers, mask, suppliers, n);
  });
}

void load_matrices(Warps& warps, const Step& step) {
  for_each_warp_with_rows(
      warps, step, [&](const auto& modifiers, uint32_t mask, uint32_t suppliers, uint32_t n) {
        Pieces rows;
        access_rows(warps, step, LoadPieces{rows, kRowBytes}, suppliers, n);
        for (int matrix = 0; matrix < modifiers.matrices; ++matrix) {
          auto* to = cells<uint32_t>(warps, step.list[matrix], n);
          for_each_lane({mask}, [&](int lane) {
            uint16_t halves[2];
            for (int i = 0; i < 2; ++i) {
              const HalfPlace place = place_of(lane, i, modifiers.transposed);
              std::memcpy(&halves[i], rows.bytes[kRows * matrix + place.row] + 2 * place.column, 2);
            }
            to[lane] = uint32_t{halves[1]} << 16 | halves[0];
          });
        }
      });
}

void store_matrices(Warps& warps, const Step& step) {
  for_each_warp_with_rows(warps, step, [&](const auto& modifiers, uint32_t, uint32_t suppliers, uint32_t n) {
    Pieces rows;
    for (int matrix = 0; matrix < modifiers.matrices; ++matrix) {
      const auto* from = cells<const uint32_t>(warps, step.list[matrix], n);
      for (int lane = 0; lane < kLanes; ++lane) {
        for (int i = 0; i < 2; ++i) {
          const auto half = static_cast<uint16_t>(from[lane] >> 16 * i);
          const HalfPlace place = place_of(lane, i, modifiers.transposed);
          std::memcpy(rows.bytes[kRows * matrix + place.row] + 2 * place.column, &half, 2);
        }
      }
    }
    access_rows(warps, step, StorePieces{rows, kRowBytes}, suppliers, n);
  });
}

void transpose_matrix(Warps& warps, const Step& step) {
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    uint16_t matrix[kRows][kRows];
    const auto* from = cells<const uint32_t>(warps, step.source[0], n);
    for (int lane = 0; lane < kLanes; ++lane) {
      for (int i = 0; i < 2; ++i)
        matrix[place_of(lane, i, false).row][place_of(lane, i, false).column] =
            static_cast<uint16_t>(from[lane] >> 16 * i);
    }
    auto* to = cells<uint32_t>(warps, step.destination[0], n);
    for_each_lane({mask}, [&](int lane) {
      const auto half = [&](int i) {
        return uint32_t{matrix[place_of(lane, i, true).row][place_of(lane, i, true).column]};
      };
      to[lane] = half(1) << 16 | half(0);
    });
  });
}

ptx::MatrixRole role_of(ptx::Op op) {
  switch (op) {
    case ptx::Op::wmma_load_a:
      return ptx::MatrixRole::A;
    case ptx::Op::wmma_load_b:
      return ptx::MatrixRole::B;
    default:
      return ptx::MatrixRole::C;
  }
}

/// A fragment and the matrix in memory that it is a part of.
class FragmentInMemory {
 public:
  FragmentInMemory(const Warps& warps, const Step& step, ptx::MatrixRole role, const Operand& stride,
                   uint32_t n)
      : modifiers_(modifiers_of(warps, step)),
        fragment_(role, modifiers_.shape, step.type, ptx::FragmentOf::Wmma),
        by_rows_(modifiers_.layout == ptx::MatrixLayout::RowMajor) {
    read_operand(warps, step.source[0], step.address_is_word, n, base_);
    const auto* strides = cells<const uint32_t>(warps, stride, n);
    const auto natural = static_cast<uint32_t>(by_rows_ ? fragment_.columns() : fragment_.rows());
    for (int lane = 0; lane < kLanes; ++lane) {
      base_[lane] += static_cast<uint64_t>(int64_t{step.immediate});
      stride_[lane] = strides[lane] != 0 ? strides[lane] : natural;
    }
  }

  const ptx::Fragment& fragment() const { return fragment_; }
  /// Pieces of a register: one, or one for each element.
  int pieces() const { return fragment_.bits() * fragment_.per_register() / fragment_.piece_bits(by_rows_); }
  uint32_t piece_bytes() const { return static_cast<uint32_t>(fragment_.piece_bits(by_rows_)) / 8; }
  void addresses(int reg, int piece, uint64_t* to) const {
    for (int lane = 0; lane < kLanes; ++lane) {
      const ptx::MatrixElement element = fragment_.place(reg, lane, piece);
      const auto outer = static_cast<uint64_t>(by_rows_ ? element.row : element.column);
      const auto inner = static_cast<uint64_t>(by_rows_ ? element.column : element.row);
      to[lane] = base_[lane] + (outer * stride_[lane] + inner) * static_cast<uint64_t>(fragment_.bits()) / 8;
    }
  }

 private:
  const ptx::Modifiers& modifiers_;
  ptx::Fragment fragment_;
  bool by_rows_;
  uint64_t base_[kLanes];
  uint64_t stride_[kLanes];  // in elements
};

template <class C>
void load_fragment(Warps& warps, const Step& step) {
  const ptx::MatrixRole role = role_of(warps.block.code.program->steps[step.index].op);
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    meet_lanes(warps.block, warps.first + n);
    const FragmentInMemory matrix(warps, step, role, step.source[1], n);
    const ptx::Fragment& fragment = matrix.fragment();
    const uint32_t bytes = matrix.piece_bytes();
    for (int reg = 0; reg < fragment.distinct() && mask != 0; ++reg) {
      C words[kLanes] = {};
      for (int piece = 0; piece < matrix.pieces(); ++piece) {
        uint64_t addresses[kLanes];
        matrix.addresses(reg, piece, addresses);
        Pieces pieces;
        access_pieces(warps, step, LoadPieces{pieces, bytes}, addresses, mask, n);
        for (int lane = 0; lane < kLanes; ++lane) {
          C word = 0;
          std::memcpy(&word, pieces.bytes[lane], bytes);
          words[lane] |= static_cast<C>(word << 8 * bytes * static_cast<uint32_t>(piece));
        }
      }
      for (int same = reg; same < fragment.registers(); same += fragment.distinct()) {
        C* to = cells<C>(warps, step.list[same], n);
        for_each_lane({mask}, [&](int lane) { to[lane] = words[lane]; });
      }
    }
  });
}

template <class C>
void store_fragment(Warps& warps, const Step& step) {
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    meet_lanes(warps.block, warps.first + n);
    const FragmentInMemory matrix(warps, step, ptx::MatrixRole::C, step.source[2], n);
    const ptx::Fragment& fragment = matrix.fragment();
    const uint32_t bytes = matrix.piece_bytes();
    for (int reg = 0; reg < fragment.distinct(); ++reg) {
      const C* from = cells<const C>(warps, step.list[reg], n);
      for (int piece = 0; piece < matrix.pieces(); ++piece) {
        uint64_t addresses[kLanes];
        matrix.addresses(reg, piece, addresses);
        Pieces pieces;
        for (int lane = 0; lane < kLanes; ++lane) {
          const C word = static_cast<C>(from[lane] >> 8 * bytes * static_cast<uint32_t>(piece));
          std::memcpy(pieces.bytes[lane], &word, bytes);
        }
        access_pieces(warps, step, StorePieces{pieces, bytes}, addresses, mask, n);
      }
    }
  });
}

}  // namespace

Handler matrix_move_handler(const ptx::Program&, const ptx::Step& step) {
  switch (step.op) {
    case ptx::Op::ldmatrix:
      return load_matrices;
    case ptx::Op::stmatrix:
      return store_matrices;
    case ptx::Op::movmatrix:
      return transpose_matrix;
    case ptx::Op::wmma_load_a:
    case ptx::Op::wmma_load_b:
    case ptx::Op::wmma_load_c:
      return step.type == ptx::Type::f64 ? load_fragment<uint64_t> : load_fragment<uint32_t>;
    case ptx::Op::wmma_store_d:
      return step.type == ptx::Type::f64 ? store_fragment<uint64_t> : store_fragment<uint32_t>;
    default:
      return nullptr;
  }
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
