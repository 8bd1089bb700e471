// Memory of a program's device. Each allocation is a memfd, which the program maps too, and a buffer of the
// emulator, in place. An allocation and its buffer have one number: device pointers are emulator addresses.
// Tests: tests/unit/driver/device_memory_test.cpp

#pragma once

#include "base/error.h"
#include "driver/server/device_images.h"
#include "emulator/memory/heap.h"
#include "emulator/memory/region.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace lanescope::driver {

/// Users of an allocation's addresses: kernels alone, or the host too. Shared addresses (managed, mapped and
/// pinned memory) can be mapped by a process: they are below 84 TiB, where Linux begins to place programs.
/// Those of a variable, which may be a managed one, are not, and a process maps them if it can.
enum class Visibility : uint8_t { Device, Shared, Variable };

/// Initial contents of an allocation. The emulator recognizes uninitialized memory by its pattern
/// (emulator/memory/fresh_memory.h).
enum class Contents : uint8_t { Zeros, Uninitialized };

/// An allocation that the program has freed.
struct FreedAllocation {
  uint64_t size_bytes = 0;
  uint64_t launches_before = 0;  // the program's launches until then
};

struct Allocation {
  emulator::Region region;
  int descriptor = -1;  // of the memfd; it belongs to the DeviceMemory
  Visibility visibility = Visibility::Device;
  std::byte* view = nullptr;  // see private_view(); null until it is asked for
  uint32_t device = 0;        // counted from 1, whose peers need to be enabled; 0: any device has access
  uint32_t key = 0;           // of the pattern of uninitialized memory; 0: it began as zeros
  std::vector<std::atomic<uint8_t>> pages = {};  // as in emulator::FreshBuffer; empty: all hold the pattern
};

class DeviceMemory {
 public:
  /// `limit_bytes`: most bytes of all allocations together.
  explicit DeviceMemory(uint64_t limit_bytes) : limit_bytes_(limit_bytes) {}
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  /// The number of a new allocation. Errors: Limit where there is no room for it; Usage for no bytes.
  Result<uint32_t> allocate(uint64_t bytes, Visibility visibility, Contents contents = Contents::Zeros);
  /// `launches_before`: the program's launches until now. Errors: Usage where no allocation begins at the
  /// address.
  Result<void> free(uint64_t address, uint64_t launches_before = 0);
  /// [number] What was freed, until the number is used again.
  const std::map<uint32_t, FreedAllocation>& freed() const { return freed_; }
  /// `device`: as Allocation::device.
  void set_device(uint32_t number, uint32_t device) { allocations_[number].device = device; }
  /// Frees all.
  void clear();
  const Allocation& allocation(uint32_t number) const { return allocations_[number]; }
  /// [number] Bytes of each allocation; of size 0 if no allocation has the number.
  std::vector<emulator::Region> regions() const;
  /// Private copy-on-write mapping of an allocation: a write there does not change the allocation. nullopt if
  /// the system cannot map it.
  std::optional<emulator::Region> private_view(uint32_t number);
  /// Heap of malloc in kernels: an allocation that the first call makes and that lives until clear(). Errors:
  /// those of allocate().
  Result<emulator::Heap*> make_heap();
  /// Heap of malloc in kernels; null before make_heap().
  emulator::Heap* heap() { return heap_.begin() == 0 ? nullptr : &heap_; }
  const emulator::Heap* heap() const { return heap_.begin() == 0 ? nullptr : &heap_; }
  /// Errors: Usage if a heap of another size exists.
  Result<void> set_heap_size(uint64_t bytes);
  /// [number] Key and page states of the allocation's pattern; a key of 0 if it began as zeros.
  std::vector<emulator::FreshBuffer> fresh() const;
  /// Writes the pattern to a page of uninitialized memory if the system reports the page as untouched.
  void give_pattern(uint32_t number, uint64_t page);
  /// Pages that give_pattern() has written, so far.
  uint64_t patterns() const { return patterns_.load(std::memory_order_relaxed); }
  uint64_t used_bytes() const { return used_bytes_; }
  /// Texture and surface objects over the allocations; one ends with its allocation.
  DeviceImages& images() { return images_; }
  const DeviceImages& images() const { return images_; }

 private:
  uint32_t free_number(Visibility visibility) const;

  uint64_t limit_bytes_ = 0, used_bytes_ = 0;
  uint32_t last_key_ = 0;
  uint64_t heap_bytes_ = emulator::Heap::kSizeBytes;
  std::atomic<uint64_t> patterns_ = 0;
  emulator::Heap heap_;
  DeviceImages images_;
  std::vector<Allocation> allocations_;  // [number]
  std::map<uint32_t, FreedAllocation> freed_;
};

}  // namespace lanescope::driver
