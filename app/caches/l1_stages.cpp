#include "caches/l1_stages.h"

#include <algorithm>
#include <array>
#include <bit>

namespace lanescope::caches {
namespace {

/// Words of a sector of which a byte is wanted, bit n is word n.
constexpr uint32_t words_of_sector(uint32_t bytes) {
  uint32_t words = (bytes | bytes >> 1 | bytes >> 2 | bytes >> 3) & 0x11111111u;
  words = (words | words >> 3) & 0x03030303u;
  words = (words | words >> 6) & 0x000f000fu;
  return (words | words >> 12) & 0xffu;
}
static_assert(words_of_sector(0x80000001u) == 0x81u && words_of_sector(0x00f02400u) == 0x2cu);

/// Banks of the words of a line that are wanted, bit n is bank n.
uint32_t banks_of(const TouchedLine& line) {
  uint32_t banks = 0;
  for (uint32_t sector = 0; sector < kSectorsOfLine; ++sector)
    banks |= words_of_sector(line.bytes[sector]) << (sector * kSectorBytes / 4);
  return banks;
}

/// Counts how often each of 32 banks is wanted. Method: bit n of the counts of all banks is one word.
class BankCounts {
 public:
  void add(uint32_t banks) {
    for (size_t n = 0; banks != 0; ++n) {
      const uint32_t carry = bits_[n] & banks;
      bits_[n] ^= banks;
      banks = carry;
    }
  }
  uint32_t most() const {
    uint32_t most = 0, banks = ~uint32_t{0};  // banks that have the bits of `most`
    for (size_t n = kBits; n-- != 0;) {
      if ((bits_[n] & banks) == 0) continue;
      most |= 1u << n;
      banks &= bits_[n];
    }
    return most;
  }

 private:
  static constexpr size_t kBits = 7;  // a warp touches 64 lines at most
  std::array<uint32_t, kBits> bits_{};
};

}  // namespace

uint32_t tag_cycles_of(std::span<const TouchedLine> lines) {
  if (lines.size() <= 1) return static_cast<uint32_t>(lines.size());
  std::array<uint32_t, kL1Partitions> count{};
  for (const TouchedLine& line : lines) ++count[l1_partition_of_line(line.number)];
  return std::ranges::max(count);
}

uint32_t data_cycles_of(std::span<const TouchedLine> lines) {
  if (lines.size() <= 1) return static_cast<uint32_t>(lines.size());
  BankCounts counts;
  for (const TouchedLine& line : lines) counts.add(banks_of(line));
  return counts.most();
}

}  // namespace lanescope::caches
