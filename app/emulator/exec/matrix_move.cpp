// Matrices between memory and the registers of a warp: ldmatrix, stmatrix, movmatrix, wmma.load, wmma.store.
// Source: PTX ISA, "Warp-Level Matrix Instructions"; how wmma accesses memory: ptx/fragment_access.h. Tests:
// tests/unit/emulator/matrix_test.cpp

#include "emulator/exec/executor.h"
#include "emulator/exec/pieces.h"
#include "ptx/fragment_access.h"

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

/// The whole matrix of a fragment, as its bits lie in memory, and the addresses of its parts.
class MatrixInMemory {
 public:
  MatrixInMemory(const Warps& warps, const Step& step, const Operand& stride, uint32_t n)
      : access_(access_of(warps, step)) {
    read_operand(warps, step.source[0], step.address_is_word, n, base_);
    const auto* strides = cells<const uint32_t>(warps, stride, n);
    for (int lane = 0; lane < kLanes; ++lane) {
      base_[lane] += static_cast<uint64_t>(int64_t{step.immediate});
      stride_[lane] = strides[lane] != 0 ? strides[lane] : static_cast<uint32_t>(access_.elements());
    }
  }

  const ptx::FragmentAccess& access() const { return access_; }
  const ptx::Fragment& fragment() const { return access_.fragment(); }
  /// Addresses of the lanes with the k-th instruction.
  void addresses(int k, uint64_t* to) const {
    for (int lane = 0; lane < kLanes; ++lane) {
      const ptx::PlaceInMemory first = access_.first(k, lane);
      const uint64_t element =
          static_cast<uint64_t>(first.line) * stride_[lane] + static_cast<uint64_t>(first.element);
      to[lane] = base_[lane] + element * static_cast<uint64_t>(fragment().bits()) / 8;
    }
  }
  /// Moves what the lanes access with the k-th instruction to or from the matrix.
  void put(int k, const Pieces& pieces) {
    for_each_piece(
        k, [&](int lane, std::byte* at, size_t bytes) { std::memcpy(at, pieces.bytes[lane], bytes); });
  }
  void take(int k, Pieces& pieces) {
    for_each_piece(
        k, [&](int lane, std::byte* at, size_t bytes) { std::memcpy(pieces.bytes[lane], at, bytes); });
  }
  /// Elements of a lane's register. T is as wide as the register.
  template <class T>
  T word(int reg, int lane) const {
    T word = 0;
    for (int i = 0; i < fragment().per_register(); ++i) {
      T element = 0;
      const size_t bit = bit_of(reg, lane, i);
      std::memcpy(&element, bytes_ + bit / 8, element_bytes());
      element = static_cast<T>(element >> bit % 8 & mask<T>());
      word |= static_cast<T>(element << fragment().bits() * i);
    }
    return word;
  }
  /// Fills the elements of a register, which are of whole bytes, as those of sums are.
  template <class T>
  void set_word(int reg, int lane, T word) {
    for (int i = 0; i < fragment().per_register(); ++i) {
      const T element = static_cast<T>(word >> fragment().bits() * i);
      std::memcpy(bytes_ + bit_of(reg, lane, i) / 8, &element, element_bytes());
    }
  }

 private:
  static constexpr size_t kMostBytes = 1024;  // sums of 16 x 16 f32

  static ptx::FragmentAccess access_of(const Warps& warps, const Step& step) {
    const ptx::Modifiers& modifiers = modifiers_of(warps, step);
    return {ptx::matrix_role(warps.block.code.program->steps[step.index].op), modifiers.shape, step.type,
            modifiers.layout == ptx::MatrixLayout::RowMajor, modifiers.space};
  }
  template <class F>
  void for_each_piece(int k, F&& f) {
    for_each_lane({access_.lanes(k)}, [&](int lane) {
      const ptx::PlaceInMemory first = access_.first(k, lane);
      f(lane, bytes_ + bit_of(first) / 8, static_cast<size_t>(access_.bytes()));
    });
  }
  size_t bit_of(ptx::PlaceInMemory place) const {
    return static_cast<size_t>((place.line * access_.elements() + place.element) * fragment().bits());
  }
  size_t bit_of(int reg, int lane, int i) const { return bit_of(access_.place(reg, lane, i)); }
  size_t element_bytes() const { return static_cast<size_t>((fragment().bits() + 7) / 8); }
  template <class T>
  T mask() const {
    return static_cast<T>(~uint64_t{0} >> (64 - fragment().bits()));
  }

  ptx::FragmentAccess access_;
  uint64_t base_[kLanes];
  uint64_t stride_[kLanes];  // in elements
  std::byte bytes_[kMostBytes] = {};
};

/// C is as wide as the registers.
template <class C>
void load_fragment(Warps& warps, const Step& step) {
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    meet_lanes(warps.block, warps.first + n);
    MatrixInMemory matrix(warps, step, step.source[1], n);
    const ptx::FragmentAccess& access = matrix.access();
    for (int k = 0; k < access.count(); ++k) {
      uint64_t addresses[kLanes];
      matrix.addresses(k, addresses);
      Pieces pieces;
      access_pieces(warps, step, LoadPieces{pieces, static_cast<uint32_t>(access.bytes())}, addresses,
                    mask & access.lanes(k), n);
      matrix.put(k, pieces);
    }
    const ptx::Fragment& fragment = matrix.fragment();
    for (int reg = 0; reg < fragment.registers(); ++reg) {
      C* to = cells<C>(warps, step.list[reg], n);
      for_each_lane({mask}, [&](int lane) { to[lane] = matrix.word<C>(reg, lane); });
    }
  });
}

template <class C>
void store_fragment(Warps& warps, const Step& step) {
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    meet_lanes(warps.block, warps.first + n);
    MatrixInMemory matrix(warps, step, step.source[2], n);
    const ptx::FragmentAccess& access = matrix.access();
    const ptx::Fragment& fragment = matrix.fragment();
    for (int reg = 0; reg < fragment.registers(); ++reg) {
      const C* from = cells<const C>(warps, step.list[reg], n);
      for (int lane = 0; lane < kLanes; ++lane) matrix.set_word(reg, lane, from[lane]);
    }
    for (int k = 0; k < access.count(); ++k) {
      uint64_t addresses[kLanes];
      matrix.addresses(k, addresses);
      Pieces pieces;
      matrix.take(k, pieces);
      access_pieces(warps, step, StorePieces{pieces, static_cast<uint32_t>(access.bytes())}, addresses, mask,
                    n);
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
