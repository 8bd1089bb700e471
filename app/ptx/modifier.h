// The modifiers between an instruction's name and its operands, decoded: `.lo`, `.rn`, `.global`, `.v4`, ...
// Method: each modifier belongs to a group, a group is one field of Modifiers, and a row of opcode.def lists
// the groups that its instruction takes. Types are no modifiers: they are an instruction's `types`.
// Source: PTX ISA, the section of each instruction. Spellings: modifier.def. Tests:
// tests/unit/ptx/instruction_test.cpp

#pragma once

#include "base/memory_operation.h"
#include "ptx/type.h"

#include <array>
#include <cstdint>
#include <optional>

namespace lanescope::ptx {

/// Parameter holds the arguments of the launch; Frame, which has no spelling, those of functions: it is in
/// local memory, next to the caller's and the callee's variables. Texture and Surface have no spelling
/// either: they are what the instructions for them access.
enum class Space : uint8_t {
  Generic,
  Global,
  Shared,
  SharedCluster,
  Local,
  Constant,
  Parameter,
  Frame,
  Texture,
  Surface
};
/// Where accesses through this space are recorded; absent for generic addresses, where the address decides,
/// and for parameters, which are not recorded.
constexpr std::optional<MemorySpace> memory_space(Space space) {
  switch (space) {
    case Space::Global:
      return MemorySpace::Global;
    case Space::Shared:
    case Space::SharedCluster:
      return MemorySpace::Shared;
    case Space::Local:
      return MemorySpace::Local;
    case Space::Constant:
      return MemorySpace::Constant;
    case Space::Texture:
      return MemorySpace::Texture;
    case Space::Surface:
      return MemorySpace::Surface;
    case Space::Generic:
    case Space::Parameter:
    case Space::Frame:
      break;
  }
  return {};
}
enum class Rounding : uint8_t { None, NearestEven, Zero, Down, Up, NearestAway, Stochastic };
/// cvt and the like to an integral value: .rni, .rzi, .rmi, .rpi.
enum class IntegerRounding : uint8_t { None, NearestEven, Zero, Down, Up };
/// mul, mad: which half of the double-width product; Wide keeps all of it. Cc and carries are flags.
enum class ProductPart : uint8_t { None, Low, High, Wide };
/// The last eight are true also when an operand is NaN. Lo, Ls, Hi, Hs are the unsigned orders.
enum class Comparison : uint8_t {
  None,
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  Lo,
  Ls,
  Hi,
  Hs,
  Equ,
  Neu,
  Ltu,
  Leu,
  Gtu,
  Geu,
  Num,
  Nan
};
/// setp and set combine the comparison with a third operand.
enum class Combination : uint8_t { None, And, Or, Xor };
enum class AtomicOperation : uint8_t { None, And, Or, Xor, Cas, Exch, Add, Inc, Dec, Min, Max };
enum class MemoryOrder : uint8_t {
  None,
  Weak,
  Volatile,
  Relaxed,
  Acquire,
  Release,
  AcquireRelease,
  SequentiallyConsistent,
  Mmio
};
enum class Scope : uint8_t { None, Cta, Cluster, Gpu, System };
/// Hints only: none changes a value.
enum class CacheOperator : uint8_t { None, Ca, Cg, Cs, Lu, Cv, Wb, Wt };
enum class EvictionPriority : uint8_t { None, Normal, First, Last, Unchanged, NoAllocate };
enum class Prefetch : uint8_t { None, B64, B128, B256 };
enum class CacheLevel : uint8_t { None, L1, L2 };
enum class ShuffleMode : uint8_t { None, Up, Down, Butterfly, Index };
enum class VoteMode : uint8_t { None, All, Any, Uniform };
enum class FunnelDirection : uint8_t { None, Left, Right };
/// shf and the integer shifts: what an amount of 32 and more does.
enum class ShiftMode : uint8_t { None, Clamp, Wrap };
/// prmt's special modes; None is the general selector.
enum class PermuteMode : uint8_t {
  None,
  Forward4Extract,
  Backward4Extract,
  Replicate8,
  EdgeClampLeft,
  EdgeClampRight,
  Replicate16
};

/// Rows of D and A, columns of D and B, and what is summed over.
struct MatrixShape {
  uint8_t rows = 0;
  uint16_t columns = 0;
  uint16_t depth = 0;
  bool operator==(const MatrixShape&) const = default;
};
/// The layout of a matrix in memory.
enum class MatrixLayout : uint8_t { None, RowMajor, ColumnMajor };
/// Which bytes (`unit` 1) or half-words (2) of its registers a video instruction takes: digit n, 4 bits each,
/// the lowest first. Unit 0: nothing was written.
struct Selector {
  uint8_t unit = 0;
  uint8_t count = 0;
  uint16_t digits = 0;
  bool operator==(const Selector&) const = default;
};
/// What a video instruction does to its result with the third operand.
enum class VideoOperation : uint8_t { None, Add, Minimum, Maximum };
/// vmad: bits that the result is shifted right by; PlusOne adds one to it.
enum class VideoScale : uint8_t { None, Shift7, Shift15, PlusOne };

/// The dimensions of a texture or surface; Layers1, Layers2 and LayersCube are arrays of such of one and two
/// and of cubes.
enum class Geometry : uint8_t { None, Plain1, Plain2, Plain3, Layers1, Layers2, Cube, LayersCube };
constexpr bool has_layers(Geometry geometry) {
  return geometry == Geometry::Layers1 || geometry == Geometry::Layers2 || geometry == Geometry::LayersCube;
}
constexpr bool is_cube(Geometry geometry) {
  return geometry == Geometry::Cube || geometry == Geometry::LayersCube;
}
/// Coordinates of one layer; of a cube those of a direction.
constexpr int dimensions(Geometry geometry) {
  switch (geometry) {
    case Geometry::None:
      return 0;
    case Geometry::Plain1:
    case Geometry::Layers1:
      return 1;
    case Geometry::Plain2:
    case Geometry::Layers2:
      return 2;
    case Geometry::Plain3:
    case Geometry::Cube:
    case Geometry::LayersCube:
      return 3;
  }
  return 0;
}
/// suld, sust: what is done outside of the surface.
enum class Boundary : uint8_t { None, Trap, Clamp, Zero };
/// tld4: which channel of the four texels.
enum class Channel : uint8_t { None, Red, Green, Blue, Alpha };

/// What fma negates. No instruction is written so: it comes of a difference that was fused (ptx::contract).
enum class FusedSign : uint8_t { Plain, NegativeProduct, NegativeAddend };

struct Modifiers {
  Space space = Space::Generic;  // of cvta.to: the space of the result
  Rounding rounding = Rounding::None;
  IntegerRounding integer_rounding = IntegerRounding::None;
  ProductPart part = ProductPart::None;
  Comparison comparison = Comparison::None;
  Combination combination = Combination::None;
  AtomicOperation atomic = AtomicOperation::None;
  MemoryOrder order = MemoryOrder::None;
  Scope scope = Scope::None;
  CacheOperator cache = CacheOperator::None;
  EvictionPriority eviction = EvictionPriority::None;
  Prefetch prefetch = Prefetch::None;
  CacheLevel level = CacheLevel::None;  // prefetch
  ShuffleMode shuffle = ShuffleMode::None;
  VoteMode vote = VoteMode::None;
  FunnelDirection direction = FunnelDirection::None;
  ShiftMode shift = ShiftMode::None;
  PermuteMode permute = PermuteMode::None;
  MatrixShape shape;
  MatrixLayout layout = MatrixLayout::None;         // of A, or of the one matrix; of wgmma: imm-trans
  MatrixLayout second_layout = MatrixLayout::None;  // of B
  FusedSign fused_sign = FusedSign::Plain;
  VideoOperation video = VideoOperation::None;
  VideoScale video_scale = VideoScale::None;
  Geometry geometry = Geometry::None;
  Boundary boundary = Boundary::None;
  Channel channel = Channel::None;
  std::array<Selector, 3> selectors{};  // of the destination and the first two sources
  Type third_type = Type::b32;          // of B, or of a video instruction's second source
  Type fourth_type = Type::b32;         // of C
  uint8_t vector_width = 1;             // .v2, .v4, .v8
  uint8_t matrices = 1;                 // .x1, .x2, .x4
  bool uniform = false;                 // .uni: all active threads go the same way
  bool aligned = false;                 // .aligned: all threads of the warp execute the same instruction
  bool saturate = false;                // .sat
  bool flush_to_zero = false;           // .ftz
  bool no_flush_to_zero = false;        // .noftz (atom on halves)
  bool approximate = false;             // .approx
  bool full_range = false;              // .full (div.full)
  bool non_coherent = false;            // .nc
  bool carry_out = false;               // .cc
  bool nan = false;                     // .NaN (min, max): a NaN operand gives NaN
  bool magnitude_sign = false;          // .xorsign.abs (min, max): the sign of the product of the operands
  bool relu = false;                    // .relu
  bool shift_amount = false;            // .shiftamt (bfind)
  bool saturate_finite = false;         // .satfinite: the largest number instead of infinity
  bool cache_hint = false;              // .L2::cache_hint: a policy follows the operands
  bool transposed = false;              // .trans (ldmatrix, stmatrix)
  bool no_increment = false;            // .noinc (cp.async.mbarrier.arrive)
  bool source_only = false;             // .read (cp.async.bulk.wait_group)
  bool population = false;              // .popc (mma of single bits)
  bool negative_a = false;              // imm-scale-a of wgmma.mma_async is -1
  bool negative_b = false;              // imm-scale-b
  bool operator==(const Modifiers&) const = default;
};

}  // namespace lanescope::ptx
