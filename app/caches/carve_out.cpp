#include "caches/carve_out.h"

#include <algorithm>
#include <array>

namespace lanescope::caches {
namespace {

constexpr uint64_t kKib = 1024;
constexpr uint64_t kMostSharedBytes = 228 * kKib;
constexpr uint64_t kReservedBytes = 1024;  // of each block
constexpr uint64_t kPieceBytes = 128;
constexpr uint32_t kWarpLanes = 32;
constexpr uint32_t kMostBlocks = 32;
constexpr uint32_t kMostWarps = 64;
constexpr uint32_t kRegisters = 65536;
constexpr uint32_t kRegisterPiece = 8;  // of a thread
constexpr std::array<uint32_t, 9> kSizes{8, 16, 32, 64, 100, 132, 164, 196, 228};

uint32_t size_for(uint64_t bytes) {
  const auto found = std::ranges::find_if(kSizes, [&](uint32_t kib) { return bytes <= kib * kKib; });
  return found == kSizes.end() ? kSizes.back() : *found;
}

/// Blocks that the driver aims at, of the `fitting` ones.
uint64_t wanted_blocks(uint64_t fitting, uint32_t threads) {
  constexpr uint32_t kLargeBlock = 896;
  if (fitting == 1 || threads > kLargeBlock) return fitting;
  return std::min(2 * fitting, fitting + (kMostBlocks - fitting) * 3 / 4);
}

}  // namespace

uint32_t carve_out_kib(const model::BlockNeeds& needs) {
  const uint32_t warps = std::max<uint32_t>(1, (needs.threads + kWarpLanes - 1) / kWarpLanes);
  uint64_t fitting = std::min(kMostBlocks, kMostWarps / warps);
  if (needs.registers_per_thread != 0) {
    const uint32_t registers =
        (needs.registers_per_thread + kRegisterPiece - 1) / kRegisterPiece * kRegisterPiece;
    fitting = std::min<uint64_t>(fitting, kRegisters / (registers * kWarpLanes * warps));
  }
  if (needs.shared_bytes == 0) {
    if (fitting <= 1) return 8;
    if (needs.threads <= 480) return 32;
    return needs.threads <= 704 ? 16 : 8;
  }
  const uint64_t of_block =
      (needs.shared_bytes + kPieceBytes - 1) / kPieceBytes * kPieceBytes + kReservedBytes;
  fitting = std::max<uint64_t>(1, std::min(fitting, kMostSharedBytes / of_block));
  constexpr uint64_t kSmallBytes = 100 * kKib;
  constexpr uint32_t kNextKib = 132;
  const uint64_t wanted = wanted_blocks(fitting, needs.threads) * of_block;
  return wanted <= kSmallBytes ? size_for(wanted) : std::max(kNextKib, size_for(fitting * of_block));
}

}  // namespace lanescope::caches
