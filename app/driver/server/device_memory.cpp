#include "driver/server/device_memory.h"

#include "emulator/memory/fresh_memory.h"
#include "trace/access.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

namespace lanescope::driver {
namespace {

/// Linux places position-independent programs in the TiB or two from 0x5555'5555'4000 on: buffers 0 to 82 lie
/// below them, and those from 87 on above, so that an address of the host is mostly no address of a buffer.
constexpr uint32_t kFirstVariable = 83;
constexpr uint32_t kFirstDeviceOnly = 87;
constexpr uint32_t kMostAllocations = 1 << 16;
/// A larger allocation gets its pattern page by page, when a page is first read: an unused page costs neither
/// time nor memory.
constexpr uint64_t kMostPatternBytes = uint64_t{4} << 20;

void release(const Allocation& allocation) {
  munmap(allocation.region.data, allocation.region.size_bytes);
  if (allocation.view != nullptr) munmap(allocation.view, allocation.region.size_bytes);
  close(allocation.descriptor);
}

}  // namespace

DeviceMemory::~DeviceMemory() { clear(); }

void DeviceMemory::clear() {
  for (const Allocation& allocation : allocations_)
    if (allocation.descriptor >= 0) release(allocation);
  allocations_.clear();
  freed_.clear();
  images_ = {};
  heap_.reset(0);
  used_bytes_ = 0;
}

uint32_t DeviceMemory::free_number(Visibility visibility) const {
  uint32_t number = visibility == Visibility::Shared     ? 0
                    : visibility == Visibility::Variable ? kFirstVariable
                                                         : kFirstDeviceOnly;
  while (number < allocations_.size() && allocations_[number].descriptor >= 0) ++number;
  return number;
}

Result<uint32_t> DeviceMemory::allocate(uint64_t bytes, Visibility visibility, Contents contents) {
  if (bytes == 0)
    return fail(ErrorKind::Usage, "an allocation of no bytes was asked for; ask for one or more");
  if (bytes > limit_bytes_ - used_bytes_)
    return fail(ErrorKind::Limit,
                fmt::format("{} bytes were asked for, {} of the device's {} are free; allocate less", bytes,
                            limit_bytes_ - used_bytes_, limit_bytes_));
  const uint32_t number = free_number(visibility);
  const uint32_t most = visibility == Visibility::Shared ? kFirstVariable : kMostAllocations;
  if (number >= most)
    return fail(ErrorKind::Limit, fmt::format("there are at most {} allocations of this kind at a time; free "
                                              "some, or join them",
                                              most));
  Allocation made;
  made.descriptor = memfd_create("lanescope-device-memory", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  // The program has the descriptor too; the seals keep it from shrinking memory that is mapped here.
  if (made.descriptor < 0 || ftruncate(made.descriptor, static_cast<off_t>(bytes)) != 0 ||
      fcntl(made.descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    if (made.descriptor >= 0) close(made.descriptor);
    return fail(ErrorKind::Limit, fmt::format("the system has no room for {} bytes; allocate less", bytes));
  }
  void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, made.descriptor, 0);
  if (data == MAP_FAILED) {
    close(made.descriptor);
    return fail(ErrorKind::Limit, fmt::format("the system has no room for {} bytes; allocate less", bytes));
  }
  made.region = {static_cast<std::byte*>(data), bytes};
  made.visibility = visibility;
  if (contents == Contents::Uninitialized) {
    made.key = last_key_ += 2;
    if (bytes <= kMostPatternBytes)
      emulator::write_pattern(made.region, made.key, 0, bytes);
    else
      made.pages = std::vector<std::atomic<uint8_t>>((bytes + emulator::kFreshPageBytes - 1) /
                                                     emulator::kFreshPageBytes);
  }
  if (number >= allocations_.size()) allocations_.resize(number + 1);
  allocations_[number] = std::move(made);
  freed_.erase(number);
  used_bytes_ += bytes;
  return number;
}

Result<void> DeviceMemory::free(uint64_t address, uint64_t launches_before) {
  const uint32_t number = trace::buffer_of(address);
  const bool is_start = trace::has_buffer(address) && trace::offset_of(address) == 0;
  if (!is_start || number >= allocations_.size() || allocations_[number].descriptor < 0)
    return fail(
        ErrorKind::Usage,
        fmt::format("{:#x} is to be freed, and no allocation begins there; free what was allocated, once",
                    address));
  release(allocations_[number]);
  freed_[number] = {allocations_[number].region.size_bytes, launches_before};
  used_bytes_ -= allocations_[number].region.size_bytes;
  allocations_[number] = {};
  images_.end_those_over(number);
  return {};
}

std::vector<emulator::FreshBuffer> DeviceMemory::fresh() const {
  std::vector<emulator::FreshBuffer> fresh;
  fresh.reserve(allocations_.size());
  for (const Allocation& allocation : allocations_)
    fresh.push_back(
        {.key = allocation.key, .pages = allocation.pages.empty() ? nullptr : allocation.pages.data()});
  return fresh;
}

void DeviceMemory::give_pattern(uint32_t number, uint64_t page) {
  Allocation& allocation = allocations_[number];
  const uint64_t offset = page * emulator::kFreshPageBytes;
  const auto at = static_cast<off_t>(offset);
  const off_t data = lseek(allocation.descriptor, at, SEEK_DATA);
  // A page whose state lseek() does not report counts as written.
  const bool is_untouched = data > at || (data < 0 && errno == ENXIO);
  if (is_untouched) {
    emulator::write_pattern(allocation.region, allocation.key, offset,
                            std::min(emulator::kFreshPageBytes, allocation.region.size_bytes - offset));
    patterns_.fetch_add(1, std::memory_order_relaxed);
  }
  allocation.pages[page].store(1, std::memory_order_release);
}

std::optional<emulator::Region> DeviceMemory::private_view(uint32_t number) {
  Allocation& allocation = allocations_[number];
  if (allocation.view == nullptr && allocation.region.size_bytes > 0) {
    void* const view = mmap(nullptr, allocation.region.size_bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_NORESERVE, allocation.descriptor, 0);
    if (view == MAP_FAILED) return std::nullopt;
    allocation.view = static_cast<std::byte*>(view);
  }
  return emulator::Region{allocation.view, allocation.region.size_bytes};
}

Result<emulator::Heap*> DeviceMemory::make_heap() {
  if (heap() == nullptr) {
    TRY(const uint32_t number, allocate(heap_bytes_, Visibility::Device));
    heap_.reset(trace::global_address(number, 0), heap_bytes_);
  }
  return heap();
}

Result<void> DeviceMemory::set_heap_size(uint64_t bytes) {
  if (heap() != nullptr && bytes != heap_bytes_)
    return fail(
        ErrorKind::Usage,
        fmt::format("the heap of malloc in kernels has {} bytes since a kernel first used it; set its "
                    "size before",
                    heap_bytes_));
  heap_bytes_ = std::max<uint64_t>(bytes, 1);
  return {};
}

std::vector<emulator::Region> DeviceMemory::regions() const {
  std::vector<emulator::Region> regions;
  regions.reserve(allocations_.size());
  for (const Allocation& allocation : allocations_) regions.push_back(allocation.region);
  return regions;
}

}  // namespace lanescope::driver
