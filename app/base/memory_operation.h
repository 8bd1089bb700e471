// What a memory instruction does, as far as its cost depends on it: the vocabulary that the PTX front end,
// both producers, traces and models share. Tests: tests/unit/trace/access_test.cpp,
// tests/unit/ptx/lower_test.cpp

#pragma once

#include <cstdint>
#include <string_view>

namespace lanescope {

/// The state spaces whose accesses are recorded. PTX has more (ptx::Space): parameters, generic addresses.
enum class MemorySpace : uint8_t { Global, Shared, Local, Constant, Texture, Surface };

/// Whether accesses have addresses. Textures and surfaces are read by coordinates: where their texels lie in
/// memory is not documented, so their requests and lanes are counted and nothing else.
constexpr bool has_addresses(MemorySpace space) {
  return space != MemorySpace::Texture && space != MemorySpace::Surface;
}

enum class MemoryKind : uint8_t { Load, Store, Atomic, Reduction, AsyncCopy };

/// What else the cost of an access depends on. All but Bulk and Tensor are details of shared memory
/// (measured: tests/data/h200_wavefronts.csv.gz).
enum class MemoryDetail : uint8_t {
  Plain,
  CompareAndSwap,   // atom.cas
  UnusedIncrement,  // atomicAdd(p, 1) whose result is not used
  Matrix,           // ldmatrix, stmatrix: the lanes supply row addresses of 16 bytes
  Bulk,             // cp.async.bulk: the copy engine accesses memory, no request of a warp does
  BypassL1,         // cp.async.cg: what is copied does not go through the L1
  Tensor,           // wgmma: the tensor cores read their operands, no request of a warp does
};

/// How an access uses the caches. Hints of the PTX: none changes a value.
struct CacheUse {
  enum class Level1 : uint8_t {
    Allocate,
    Bypass,     // never looks into the L1: .cg, .lu, .cv, volatile, no_allocate
    EvictFirst  // its lines are the first to go: .cs, L1::evict_first
  };
  Level1 level1 = Level1::Allocate;
  bool leaves_l2_first = false;  // what it loads goes first from a full set of the L2: .cs, .lu, evict_first
  uint16_t fetched_bytes = 0;    // that a miss of the L2 reads at least: .L2::128B; 0: as the L2 does
  bool operator==(const CacheUse&) const = default;
};

constexpr std::string_view name_of(CacheUse::Level1 use) {
  switch (use) {
    case CacheUse::Level1::Allocate:
      return "allocate";
    case CacheUse::Level1::Bypass:
      return "bypass";
    case CacheUse::Level1::EvictFirst:
      return "evict_first";
  }
  return "unknown";
}

/// A generic access has one operation for each space that its addresses lie in.
struct MemoryOperation {
  MemorySpace space = MemorySpace::Global;
  MemoryKind kind = MemoryKind::Load;
  uint8_t bytes_per_lane = 4;  // 1..32: element size x vector width
  MemoryDetail detail = MemoryDetail::Plain;
  bool operator==(const MemoryOperation&) const = default;
};

constexpr std::string_view name_of(MemorySpace space) {
  switch (space) {
    case MemorySpace::Global:
      return "global";
    case MemorySpace::Shared:
      return "shared";
    case MemorySpace::Local:
      return "local";
    case MemorySpace::Constant:
      return "constant";
    case MemorySpace::Texture:
      return "texture";
    case MemorySpace::Surface:
      return "surface";
  }
  return "unknown";
}

constexpr std::string_view name_of(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::Load:
      return "load";
    case MemoryKind::Store:
      return "store";
    case MemoryKind::Atomic:
      return "atomic";
    case MemoryKind::Reduction:
      return "reduction";
    case MemoryKind::AsyncCopy:
      return "async_copy";
  }
  return "unknown";
}

constexpr std::string_view name_of(MemoryDetail detail) {
  switch (detail) {
    case MemoryDetail::Plain:
      return "plain";
    case MemoryDetail::CompareAndSwap:
      return "compare_and_swap";
    case MemoryDetail::UnusedIncrement:
      return "unused_increment";
    case MemoryDetail::Matrix:
      return "matrix";
    case MemoryDetail::Bulk:
      return "bulk";
    case MemoryDetail::BypassL1:
      return "bypass_l1";
    case MemoryDetail::Tensor:
      return "tensor";
  }
  return "unknown";
}

}  // namespace lanescope
