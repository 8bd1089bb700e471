// The device's memory for a run whose effects may be dropped: private mappings of the allocations, of which
// the system copies a page when it is first written (copy on write). So a run costs what it touches, whatever
// is allocated. Source: mmap(2), MAP_PRIVATE; the kernel's Documentation/admin-guide/mm/pagemap.rst. Tests:
// tests/unit/driver/memory_view_test.cpp

#pragma once

#include "driver/device_memory.h"
#include "driver/messages.h"

#include <cstdint>
#include <vector>

namespace lanescope::driver {

class MemoryView {
 public:
  /// The view is empty where an allocation could not be mapped. `memory` must outlive it and change no
  /// allocation.
  explicit MemoryView(DeviceMemory& memory);
  /// Drops what was written.
  ~MemoryView();
  MemoryView(const MemoryView&) = delete;
  MemoryView& operator=(const MemoryView&) = delete;

  /// [number of the allocation]
  const std::vector<emulator::Region>& regions() const { return regions_; }
  /// What was written is forgotten: the view is the device's memory again.
  void drop();
  /// The first and the last byte of each allocation that were changed. `effects` says whether the changes
  /// become the device's; the view is the device's memory again.
  enum class Effects : uint8_t { Kept, Dropped };
  std::vector<LanescopeWritten> finish(Effects effects);

 private:
  DeviceMemory& memory_;
  std::vector<emulator::Region> regions_;
  bool is_finished_ = false;
};

}  // namespace lanescope::driver
