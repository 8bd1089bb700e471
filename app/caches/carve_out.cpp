#include "caches/carve_out.h"

#include "model/sectors.h"

#include <algorithm>
#include <array>
#include <span>

namespace lanescope::caches {
namespace {

constexpr uint64_t kKib = 1024;
constexpr uint64_t kPieceBytes = 128;
constexpr uint32_t kRegisterPiece = 8;  // of a thread

struct SharedSizes {
  int from_capability = 0;
  std::span<const uint32_t> kib;
};
constexpr std::array<uint32_t, 5> kVolta{8, 16, 32, 64, 96};
constexpr std::array<uint32_t, 2> kTuring{32, 64};
constexpr std::array<uint32_t, 7> kAmpere{8, 16, 32, 64, 100, 132, 164};
constexpr std::array<uint32_t, 5> kAda{8, 16, 32, 64, 100};
constexpr std::array<uint32_t, 9> kHopper{8, 16, 32, 64, 100, 132, 164, 196, 228};
/// Sizes that a kernel can have, without 0. Source: CUDA C++ Programming Guide, compute capabilities.
constexpr std::array kSizes{SharedSizes{90, kHopper}, SharedSizes{86, kAda}, SharedSizes{80, kAmpere},
                            SharedSizes{75, kTuring}, SharedSizes{0, kVolta}};

std::span<const uint32_t> sizes_of(const model::Device& device) {
  return std::ranges::find_if(
             kSizes,
             [&](const SharedSizes& sizes) { return device.compute_capability >= sizes.from_capability; })
      ->kib;
}

/// The smallest size that holds the bytes, or the largest.
uint32_t size_for(uint64_t bytes, std::span<const uint32_t> sizes) {
  const auto found = std::ranges::find_if(sizes, [&](uint32_t kib) { return bytes <= kib * kKib; });
  return found == sizes.end() ? sizes.back() : *found;
}

/// Blocks that the driver aims at, of the `fitting` ones.
uint64_t wanted_blocks(uint64_t fitting, uint32_t threads, uint32_t most_blocks) {
  constexpr uint32_t kLargeBlock = 896;
  if (fitting == 1 || threads > kLargeBlock) return fitting;
  return std::min(2 * fitting, fitting + (most_blocks - fitting) * 3 / 4);
}

}  // namespace

uint32_t carve_out_kib(const model::BlockNeeds& needs, const model::Device& device) {
  const std::span<const uint32_t> sizes = sizes_of(device);
  const uint32_t most_blocks = device.blocks_per_multiprocessor;
  const uint32_t warps = std::max<uint32_t>(1, model::warps_of(needs));
  uint64_t fitting = std::min(most_blocks, device.warps_per_multiprocessor / warps);
  if (needs.registers_per_thread != 0) {
    const uint32_t registers =
        (needs.registers_per_thread + kRegisterPiece - 1) / kRegisterPiece * kRegisterPiece;
    fitting = std::min<uint64_t>(fitting, device.registers_per_multiprocessor / (registers * kLanes * warps));
  }
  if (needs.shared_bytes == 0) {
    constexpr uint32_t kMediumBlock = 480, kLargeBlock = 704;
    const uint64_t kib = fitting <= 1 || needs.threads > kLargeBlock ? 8
                         : needs.threads <= kMediumBlock             ? 32
                                                                     : 16;
    return size_for(kib * kKib, sizes);
  }
  const uint64_t of_block = (needs.shared_bytes + kPieceBytes - 1) / kPieceBytes * kPieceBytes +
                            device.shared_bytes_reserved_per_block;
  fitting = std::max<uint64_t>(1, std::min(fitting, device.shared_bytes_per_multiprocessor / of_block));
  constexpr uint64_t kSmallBytes = 100 * kKib;
  const uint64_t wanted = wanted_blocks(fitting, needs.threads, most_blocks) * of_block;
  if (wanted <= kSmallBytes) return size_for(wanted, sizes);
  return size_for(std::max(kSmallBytes + 1, fitting * of_block), sizes);
}

uint32_t lines_beside(uint32_t carve_out_kib, const model::CacheParameters& device) {
  constexpr uint64_t kTakenLines = 56;  // measured: of an H100's 256 KiB
  const uint64_t lines = (device.l1_bytes - carve_out_kib * kKib) / model::kLineBytes;
  return static_cast<uint32_t>(lines - kTakenLines);
}

}  // namespace lanescope::caches
