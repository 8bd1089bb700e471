// A matrix operand of wgmma in shared memory: what the 64 bits of its descriptor say, and where its elements
// are. Method: the matrix is made of core matrices, each eight chunks of 16 bytes; two of them make up the
// depth of one instruction. A swizzle exchanges the chunks of 128, 64 or 32 bytes, by bits of the address.
// Source: PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions": "Shared Memory Matrix Layout",
// "Strides", "Matrix Descriptor Format". Tests: tests/unit/ptx/warpgroup_test.cpp

#pragma once

#include <cstdint>

namespace lanescope::ptx {

/// What follows one another within a chunk: elements of the depth (imm-trans 0) or of the rows of A, columns
/// of B (imm-trans 1).
enum class MatrixMajor : uint8_t { Depth, Side };

class MatrixDescriptor {
 public:
  static constexpr uint32_t kChunkBytes = 16;

  constexpr explicit MatrixDescriptor(uint64_t bits)
      : start_(field(bits, 0)),
        leading_(field(bits, 16)),
        stride_(field(bits, 32)),
        first_row_(static_cast<uint32_t>(bits >> 49 & 7)),
        chunks_(chunks_of(static_cast<uint32_t>(bits >> 62))) {}

  /// The offset in shared memory of chunk `n` (0 to 7) of the core matrix number `side` along the rows of A
  /// or the columns of B, and `depth` (0 or 1) along the depth.
  constexpr uint32_t address(MatrixMajor major, uint32_t side, uint32_t depth, uint32_t n) const {
    if (chunks_ == 1) return start_ + kChunkBytes * n + stride_ * side + leading_ * depth;
    const uint32_t row = start_ + kChunkBytes * chunks_ * n;
    if (major == MatrixMajor::Depth) return swizzled(row + kChunkBytes * depth + stride_ * side);
    return swizzled(row + kChunkBytes * (side % chunks_) + leading_ * (side / chunks_) + stride_ * depth);
  }

 private:
  /// 14 bits that are multiples of 16.
  static constexpr uint32_t field(uint64_t bits, int first) {
    return static_cast<uint32_t>(bits >> first & 0x3fff) << 4;
  }
  /// Chunks of a row that the swizzle exchanges.
  static constexpr uint32_t chunks_of(uint32_t mode) {
    constexpr uint32_t kNone = 0;
    constexpr uint32_t k128Bytes = 1;
    constexpr uint32_t k64Bytes = 2;
    return mode == kNone ? 1 : mode == k128Bytes ? 8 : mode == k64Bytes ? 4 : 2;
  }
  /// The pattern repeats every 1024, 512 or 256 bytes; `first_row_`, the base offset, says where it begins.
  constexpr uint32_t swizzled(uint32_t address) const {
    const uint32_t row = (address >> 7) - first_row_;
    return address ^ (row & (chunks_ - 1)) * kChunkBytes;
  }

  uint32_t start_;      // offset in shared memory
  uint32_t leading_;    // bytes
  uint32_t stride_;     // bytes
  uint32_t first_row_;  // units of 128 bytes
  uint32_t chunks_;
};

}  // namespace lanescope::ptx
