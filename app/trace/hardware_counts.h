// Hardware counters of one launch, for comparison with the counts of a trace. Read by `gpu`, stored in
// recordings, shown by the bandwidth panel. The table of counts is hardware_counts.def. Tests:
// tests/unit/trace/hardware_counts_test.cpp

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

namespace lanescope::trace {

enum class HardwareCount : uint8_t {
#define HARDWARE_COUNT(constant, name, source, metric) constant,
#include "trace/hardware_counts.def"
#undef HARDWARE_COUNT
};

/// Source of a count: the units of the memory pipe, or patched machine code that inspects the addresses.
enum class CountSource : uint8_t { Pipe, Address };

struct HardwareCountRow {
  HardwareCount count;
  std::string_view name;  // "global_load_sectors"
  CountSource source;
  std::string_view metric;  // CUPTI's name
};

/// All rows of hardware_counts.def, in its order.
std::span<const HardwareCountRow> hardware_count_rows();
std::optional<HardwareCount> find_hardware_count(std::string_view name);

constexpr size_t kHardwareCounts = 0
#define HARDWARE_COUNT(constant, name, source, metric) +1
#include "trace/hardware_counts.def"
#undef HARDWARE_COUNT
    ;

/// The counts of one launch; a count that the GPU did not report is absent.
struct HardwareCounts {
  std::array<std::optional<uint64_t>, kHardwareCounts> values;

  std::optional<uint64_t>& operator[](HardwareCount count) { return values[static_cast<size_t>(count)]; }
  const std::optional<uint64_t>& operator[](HardwareCount count) const {
    return values[static_cast<size_t>(count)];
  }
  /// True if no count is present.
  bool empty() const;
  bool operator==(const HardwareCounts&) const = default;
};

/// The sum of these counts; absent if one of them was not counted.
std::optional<uint64_t> sum_of(const HardwareCounts& counts, std::initializer_list<HardwareCount> wanted);

/// Bytes between the multiprocessors and the L2, and between the L2 and the DRAM; absent if not counted.
std::optional<uint64_t> l2_bytes(const HardwareCounts& counts);
std::optional<uint64_t> dram_bytes(const HardwareCounts& counts);

}  // namespace lanescope::trace
