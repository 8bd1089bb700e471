// wgmma: products of matrices by a warpgroup, which is four warps of 16 rows each. Method: each warp computes
// its rows when it executes the instruction, which is one of the orders that are allowed: the registers hold
// before wgmma.wait_group what they hold after it, and fences order nothing more. Matrices in shared memory
// are read through their descriptors (ptx/matrix_descriptor.h). Source: PTX ISA, "Asynchronous Warpgroup
// Level Matrix Instructions"; the sums are rounded as in tensor_sum.h. MODEL: the tensor cores read shared
// memory once for the warpgroup, as rows of core matrices, 32 rows of 16 bytes at a time; each warp is
// recorded with its rows of A and a quarter of B. Tests: tests/unit/emulator/warpgroup_test.cpp

#include "emulator/exec/executor.h"
#include "emulator/exec/matrix_parts.h"
#include "emulator/exec/pieces.h"
#include "ptx/matrix_descriptor.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace lanescope::emulator::LANESCOPE_VECTORS {
namespace {

using ptx::MatrixDescriptor;
using ptx::MatrixMajor;
using ptx::Op;
using ptx::Type;

constexpr uint32_t kWarps = 4;   // of a warpgroup
constexpr uint32_t kSides = 8;   // rows of A, or columns of B, of a core matrix
constexpr uint32_t kChunks = 8;  // of a core matrix
constexpr uint32_t kDepths = 2;  // core matrices along the depth

/// One chunk of 16 bytes of a matrix.
struct Chunk {
  uint32_t side = 0;   // of the core matrix, along the rows of A or the columns of B
  uint32_t depth = 0;  // of the core matrix
  uint32_t n = 0;      // in the core matrix
};

/// A or B of a warpgroup in shared memory.
class SharedMatrix {
 public:
  SharedMatrix(uint64_t descriptor, MatrixMajor major, Type type, int sides)
      : descriptor_(descriptor),
        major_(major),
        bits_(ptx::element_bits(type)),
        cores_(uint32_t(sides) / kSides) {}

  /// Core matrices along the rows of A or the columns of B.
  uint32_t cores() const { return cores_; }
  uint32_t address(const Chunk& chunk) const {
    return descriptor_.address(major_, chunk.side, chunk.depth, chunk.n);
  }
  /// Calls f(row of A or column of B, element of the depth, bits) for what the chunk holds.
  template <class F>
  void for_each_element(const Chunk& chunk, const std::byte* from, F&& f) const {
    const int count = 128 / bits_;
    for (int n = 0; n < count; ++n) {
      uint64_t bits = 0;
      std::memcpy(&bits, from + n * bits_ / 8, static_cast<size_t>(bits_ / 8));
      const auto within = static_cast<int>(chunk.n);
      if (major_ == MatrixMajor::Depth) {
        f(static_cast<int>(kSides * chunk.side) + within, static_cast<int>(chunk.depth) * count + n, bits);
      } else {
        f(static_cast<int>(kSides * chunk.side) + n, static_cast<int>(kChunks * chunk.depth) + within, bits);
      }
    }
  }

 private:
  MatrixDescriptor descriptor_;
  MatrixMajor major_;
  int bits_;
  uint32_t cores_;
};

/// Checks and records that the lanes of the warp read one chunk each: chunk_of(lane), for the first `count`.
template <class F>
void access_chunks(Warps& warps, const Step& step, const SharedMatrix& matrix, uint32_t count, uint32_t n,
                   F&& chunk_of) {
  uint64_t addresses[kLanes] = {};
  for (uint32_t lane = 0; lane < count; ++lane) addresses[lane] = matrix.address(chunk_of(lane));
  const uint32_t mask = count >= kLanes ? ~uint32_t{0} : (uint32_t{1} << count) - 1;
  Pieces pieces;
  access_pieces(warps, step, LoadPieces{pieces, MatrixDescriptor::kChunkBytes}, addresses, mask, n);
}

/// Calls f(row or column, element of the depth, bits) for the core matrices `first` to `end` along the rows
/// or columns. A chunk outside of shared memory is skipped: the warp whose recorded reads include it reports
/// it.
template <class F>
void read_matrix(const Warps& warps, const SharedMatrix& matrix, uint32_t first, uint32_t end, F&& f) {
  const BlockState& block = warps.block;
  for (uint32_t side = first; side < end; ++side)
    for (uint32_t depth = 0; depth < kDepths; ++depth)
      for (uint32_t n = 0; n < kChunks; ++n) {
        const Chunk chunk{side, depth, n};
        const uint32_t address = matrix.address(chunk);
        if (!fits(address, MatrixDescriptor::kChunkBytes, block.code.shared_bytes)) continue;
        matrix.for_each_element(chunk, block.shared.data() + address, f);
      }
}

/// Properties of a step that are the same for all warps.
struct WarpgroupProduct : Product {
  bool in_registers = false;  // A
  MatrixMajor major_a = MatrixMajor::Depth;
  MatrixMajor major_b = MatrixMajor::Depth;
  double sign_a = 1;
  double sign_b = 1;
};

WarpgroupProduct warpgroup_product_of(const Warps& warps, const Step& step) {
  const ptx::Modifiers& m = modifiers_of(warps, step);
  const ptx::MatrixShape shape = ptx::shape_of_warp(m.shape);
  const auto part = [&](ptx::MatrixRole role, Type type, const Operand* registers) {
    return MatrixPart{ptx::Fragment(role, shape, type, ptx::FragmentOf::Mma), type, registers};
  };
  const Operand* const after_sums = step.list + step.list_written;
  const MatrixPart sums = part(ptx::MatrixRole::C, step.type, step.list);
  WarpgroupProduct product{{sums, part(ptx::MatrixRole::A, step.second_type, after_sums),
                            part(ptx::MatrixRole::B, m.third_type, nullptr), sums, shape}};
  product.in_registers = step.list_size - step.list_written > 1;
  if (m.layout == ptx::MatrixLayout::ColumnMajor) product.major_a = MatrixMajor::Side;
  if (m.second_layout == ptx::MatrixLayout::RowMajor) product.major_b = MatrixMajor::Side;
  if (m.negative_a) product.sign_a = -1;
  if (m.negative_b) product.sign_b = -1;
  return product;
}

/// Fills A by rows and B by columns, as the warp needs them, with value(type, bits, sign).
template <class T, class F>
void read_factors(Warps& warps, const Step& step, const WarpgroupProduct& product, uint32_t mask, uint32_t n,
                  Matrix<T>& a, Matrix<T>& b, F&& value) {
  const uint32_t warp = (warps.first + n) % kWarps;
  const int lane = std::countr_zero(mask);
  const auto set_a = [&](int row, int element, uint64_t bits) {
    a.at(row, element) = value(product.a.type, bits, product.sign_a);
  };
  if (product.in_registers) {
    for_each_element(warps, product.a, n, set_a);
  } else {
    const SharedMatrix matrix(cells<const uint64_t>(warps, *product.a.registers, n)[lane], product.major_a,
                              product.a.type, static_cast<int>(kWarps) * product.shape.rows);
    const uint32_t first = 2 * warp;
    access_chunks(warps, step, matrix, kLanes, n,
                  [&](uint32_t l) { return Chunk{first + l / kChunks % 2, l / kChunks / 2, l % kChunks}; });
    read_matrix(warps, matrix, first, first + 2, [&](int row, int element, uint64_t bits) {
      set_a(row - static_cast<int>(kSides * first), element, bits);
    });
  }
  const SharedMatrix matrix(cells<const uint64_t>(warps, step.source[1], n)[lane], product.major_b,
                            product.b.type, product.shape.columns);
  const uint32_t share = matrix.cores() * kDepths * kChunks / kWarps;
  for (uint32_t done = 0; done < share; done += kLanes)
    access_chunks(warps, step, matrix, std::min<uint32_t>(share - done, kLanes), n, [&](uint32_t l) {
      const uint32_t chunk = warp * share + done + l;
      return Chunk{chunk / kChunks % matrix.cores(), chunk / kChunks / matrix.cores(), chunk % kChunks};
    });
  read_matrix(warps, matrix, 0, matrix.cores(), [&](int column, int element, uint64_t bits) {
    b.at(column, element) = value(product.b.type, bits, product.sign_b);
  });
}

/// True if the four warps of the warpgroup exist with all their lanes; if not, it is reported.
bool is_warpgroup(Warps& warps, const Step& step, uint32_t n) {
  const BlockState& block = warps.block;
  const uint32_t first = (warps.first + n) / kWarps * kWarps;
  bool whole = first + kWarps <= block.existing.size();
  for (uint32_t warp = first; whole && warp < first + kWarps; ++warp)
    whole = block.existing[warp] == kAllLanes.bits;
  if (!whole)
    warps.block.report(
        trace::HazardKind::DivergentBarrier, step, (warps.first + n) * kLanes,
        "executes wgmma in a warpgroup that is not whole: four warps of 32 threads compute it, "
        "the first of them a multiple of four; launch blocks of 128 threads or a multiple of that");
  return whole;
}

/// Calls f(a, b, adds, mask, n) for each warp with its factors as value(type, bits, sign); `adds`: the
/// product is added to D.
template <class T, class V, class F>
void for_each_product(Warps& warps, const Step& step, const WarpgroupProduct& product, V&& value, F&& f) {
  constexpr uint8_t kThirdSource = 4;
  const uint32_t flip = step.negated & kThirdSource ? ~uint32_t{0} : 0;
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    if (mask == 0 || warps.block.stopped || !is_warpgroup(warps, step, n)) return;
    meet_lanes(warps.block, warps.first + n);
    Matrix<T> a(product.shape.rows, product.shape.depth);
    Matrix<T> b(product.shape.columns, product.shape.depth);
    read_factors(warps, step, product, mask, n, a, b, value);
    if (warps.block.stopped) return;
    const uint32_t adds =
        (*cells<const uint32_t>(warps, step.source[2], n) ^ flip) >> std::countr_zero(mask) & 1;
    f(a, b, adds != 0, mask, n);
  });
}

void multiply_floats(Warps& warps, const Step& step) {
  const WarpgroupProduct product = warpgroup_product_of(warps, step);
  const TensorSum how = sum_of(product, Op::wgmma_mma_async, product.shape.depth);
  const auto count = static_cast<size_t>(product.shape.depth);
  const auto value = [](Type type, uint64_t bits, double sign) {
    Factor made = factor(type, bits);
    made.value *= sign;
    return made;
  };
  for_each_product<Factor>(
      warps, step, product, value,
      [&](const Matrix<Factor>& a, const Matrix<Factor>& b, bool adds, uint32_t mask, uint32_t n) {
        Matrix<double> sums(product.shape.rows, product.shape.columns);
        for_each_element(warps, product.c, n, [&](int row, int column, uint64_t bits) {
          sums.at(row, column) =
              sum_of_products(how, product.d.type, {a.row(row), count}, {b.row(column), count},
                              adds ? number(product.c.type, bits) : 0);
        });
        write_elements(warps, product.d, mask, n, [&](int row, int column) -> uint32_t {
          const double sum = sums.at(row, column);
          return product.d.type == Type::f16 ? uint32_t{to_half(to_odd(sum)).bits} : float_bits(sum);
        });
      });
}

void multiply_integers(Warps& warps, const Step& step) {
  const WarpgroupProduct product = warpgroup_product_of(warps, step);
  const bool saturates = modifiers_of(warps, step).saturate_finite;
  const auto value = [](Type type, uint64_t bits, double) { return integer(type, bits); };
  for_each_product<int64_t>(
      warps, step, product, value,
      [&](const Matrix<int64_t>& a, const Matrix<int64_t>& b, bool adds, uint32_t mask, uint32_t n) {
        Matrix<uint32_t> sums(product.shape.rows, product.shape.columns);
        for_each_element(warps, product.c, n, [&](int row, int column, uint64_t bits) {
          int64_t sum = adds ? integer(Type::s32, bits) : 0;
          for (int k = 0; k < product.shape.depth; ++k) sum += a.row(row)[k] * b.row(column)[k];
          if (saturates) sum = std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX);
          sums.at(row, column) = static_cast<uint32_t>(sum);
        });
        write_elements(warps, product.d, mask, n, [&](int row, int column) { return sums.at(row, column); });
      });
}

void do_nothing(Warps&, const Step&) {}

}  // namespace

Handler warpgroup_product_handler(const ptx::Program&, const ptx::Step& step) {
  switch (step.op) {
    case Op::wgmma_mma_async:
      return step.type == Type::s32 ? multiply_integers : multiply_floats;
    case Op::wgmma_fence:
    case Op::wgmma_commit_group:
    case Op::wgmma_wait_group:
      return do_nothing;
    default:
      return nullptr;
  }
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
