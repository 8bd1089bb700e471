#include "caches/l2_memory.h"

#include <algorithm>

namespace lanescope::caches {
namespace {

constexpr double kH100Bytes = 50 << 20;
constexpr double kSmaller = 0.8, kLarger = 1.2;

Rules rules_on(const model::CacheParameters& device, Rules rules) {
  rules.halves = rules.halves && device.l2_partitions > 1;
  return rules;
}

}  // namespace

L2Memory::L2Memory(const model::CacheParameters& device, const Rules& rules)
    : device_(device),
      rules_(rules_on(device, rules)),
      exact_(device.l2_bytes / 2, rules_, std::min(1.0, static_cast<double>(device.l2_bytes) / kH100Bytes)) {}

void L2Memory::begin_launch(uint64_t bytes) {
  exact_.begin_launch();
  if (smaller_) {
    smaller_->begin_launch();
    larger_->begin_launch();
    return;
  }
  constexpr uint64_t kParts = 2;  // of the places of the L2 that fewer lines fill
  const uint64_t copies = rules_.halves ? 2 : 1;
  const uint64_t lines = exact_.counts().lines_held + bytes / kLineBytes * copies;
  if (lines < device_.l2_bytes / kLineBytes / kParts) return;
  const auto half = static_cast<double>(device_.l2_bytes) / 2;
  smaller_ = exact_.resized(static_cast<uint64_t>(half * kSmaller));
  larger_ = exact_.resized(static_cast<uint64_t>(half * kLarger));
}

L2Cache::Found L2Memory::read(uint32_t partition, uint64_t line, SectorMask sectors, uint32_t fetched_bytes,
                              bool leaves_first) {
  if (smaller_) {
    smaller_->read(partition, line, sectors, fetched_bytes, leaves_first);
    larger_->read(partition, line, sectors, fetched_bytes, leaves_first);
  }
  return exact_.read(partition, line, sectors, fetched_bytes, leaves_first);
}

void L2Memory::expect_read(uint32_t partition, uint64_t line) const {
  exact_.expect_read(partition, line);
  if (!smaller_) return;
  smaller_->expect_read(partition, line);
  larger_->expect_read(partition, line);
}

void L2Memory::write(uint64_t line, const std::array<uint32_t, kSectorsOfLine>& bytes) {
  if (smaller_) {
    smaller_->write(line, bytes);
    larger_->write(line, bytes);
  }
  exact_.write(line, bytes);
}

void L2Memory::copy(const Copy& copy) {
  if (copy.bytes == 0) return;
  constexpr uint64_t kStays = 64 << 10;
  const bool leaves_first = copy.is_of_host && copy.bytes > kStays;
  const uint64_t end = (copy.first + copy.bytes - 1) / kLineBytes + 1;
  // Of a longer copy the end alone can be there.
  const uint64_t most = 2 * device_.l2_bytes / kLineBytes;
  const uint64_t first = std::max(copy.first / kLineBytes, end - std::min(end, most));
  for (L2Cache* const cache : {&exact_, smaller_ ? &*smaller_ : nullptr, larger_ ? &*larger_ : nullptr})
    for (uint64_t line = first; cache != nullptr && line < end; ++line)
      cache->bring(line, leaves_first, copy.is_written && !copy.is_of_host);
}

std::optional<L2Memory::Band> L2Memory::dram_reads() const {
  if (!smaller_) return std::nullopt;
  const auto [low, high] =
      std::minmax({exact_.counts().dram_read, smaller_->counts().dram_read, larger_->counts().dram_read});
  return Band{low, high};
}

}  // namespace lanescope::caches
