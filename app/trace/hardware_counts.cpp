#include "trace/hardware_counts.h"

#include <algorithm>

namespace lanescope::trace {
namespace {

constexpr std::array<HardwareCountRow, kHardwareCounts> kRows{{
#define HARDWARE_COUNT(constant, name, source, metric) \
  {HardwareCount::constant, name, CountSource::source, metric},
#include "trace/hardware_counts.def"
#undef HARDWARE_COUNT
}};

constexpr uint64_t kSectorBytes = 32;

}  // namespace

std::span<const HardwareCountRow> hardware_count_rows() { return kRows; }

std::optional<HardwareCount> find_hardware_count(std::string_view name) {
  const auto* found = std::ranges::find(kRows, name, &HardwareCountRow::name);
  if (found == kRows.end()) return {};
  return found->count;
}

bool HardwareCounts::empty() const {
  return std::ranges::none_of(values, [](const auto& value) { return value.has_value(); });
}

std::optional<uint64_t> sum_of(const HardwareCounts& counts, std::initializer_list<HardwareCount> wanted) {
  uint64_t sum = 0;
  for (const HardwareCount count : wanted) {
    if (!counts[count]) return {};
    sum += *counts[count];
  }
  return sum;
}

std::optional<uint64_t> l2_bytes(const HardwareCounts& counts) {
  const auto sectors = counts[HardwareCount::L2Sectors];
  if (!sectors) return {};
  return *sectors * kSectorBytes;
}

std::optional<uint64_t> dram_bytes(const HardwareCounts& counts) {
  return sum_of(counts, {HardwareCount::DramReadBytes, HardwareCount::DramWriteBytes});
}

}  // namespace lanescope::trace
