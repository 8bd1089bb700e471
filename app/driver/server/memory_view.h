// View of the device's memory for a run whose effects may be dropped: private mappings of the allocations, of
// which the system copies a page when it is first written. The cost of a run depends on the pages that it
// writes, not on the size of the allocations. Source: mmap(2), MAP_PRIVATE; Linux, pagemap.rst. Tests:
// tests/unit/driver/memory_view_test.cpp

#pragma once

#include "driver/messages.h"
#include "driver/server/device_memory.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lanescope::driver {

class MemoryView {
 public:
  /// The view is empty where an allocation could not be mapped. `memory` must outlive it and change no
  /// allocation.
  explicit MemoryView(DeviceMemory& memory);
  /// Discards the writes, unless finish() was called.
  ~MemoryView();
  MemoryView(const MemoryView&) = delete;
  MemoryView& operator=(const MemoryView&) = delete;

  /// [number of the allocation]
  const std::vector<emulator::Region>& regions() const { return regions_; }
  /// [number of the allocation] whether the view was written there; nullopt if the system does not tell.
  std::optional<std::vector<bool>> written() const;
  /// Discards all writes to the view, which then equals the device's memory again.
  void drop();
  /// Returns the first and the last changed byte of each changed allocation, and resets the view. With
  /// Effects::Kept, the changes are copied to the device's memory first.
  enum class Effects : uint8_t { Kept, Dropped };
  std::vector<LanescopeWritten> finish(Effects effects);

 private:
  DeviceMemory& memory_;
  std::vector<emulator::Region> regions_;
  bool is_finished_ = false;
};

}  // namespace lanescope::driver
