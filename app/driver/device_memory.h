// The memory of a program's device: each allocation is a memfd, which the program maps too, and a buffer of
// the emulator, in place. Its number is the buffer's, so that device pointers are the emulator's addresses.
// Tests: tests/unit/driver/device_memory_test.cpp

#pragma once

#include "base/error.h"
#include "emulator/memory/region.h"

#include <cstdint>
#include <vector>

namespace lanescope::driver {

/// Who uses an allocation's addresses. Shared ones (managed, mapped and pinned memory) lie where a process
/// can map them: below 84 TiB, where Linux begins to place programs.
enum class Visibility : uint8_t { Device, Shared };

struct Allocation {
  emulator::Region region;
  int descriptor = -1;  // of the memfd; it belongs to the DeviceMemory
};

class DeviceMemory {
 public:
  /// `limit_bytes`: of all allocations together.
  explicit DeviceMemory(uint64_t limit_bytes) : limit_bytes_(limit_bytes) {}
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  /// The number of a new allocation of zeros. Errors: Limit where there is no room for it; Usage for no
  /// bytes.
  Result<uint32_t> allocate(uint64_t bytes, Visibility visibility);
  /// Errors: Usage where no allocation begins at the address.
  Result<void> free(uint64_t address);
  /// Frees all.
  void clear();
  const Allocation& allocation(uint32_t number) const { return allocations_[number]; }
  /// [number] where each allocation is; of size 0 where there is none.
  std::vector<emulator::Region> regions() const;
  uint64_t used_bytes() const { return used_bytes_; }

 private:
  uint32_t free_number(Visibility visibility) const;

  uint64_t limit_bytes_ = 0, used_bytes_ = 0;
  std::vector<Allocation> allocations_;  // [number]
};

}  // namespace lanescope::driver
