#include "driver/device_memory.h"

#include "trace/access.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

namespace lanescope::driver {
namespace {

/// Linux places position-independent programs from 0x5555'5555'4000 on: buffers 0 to 82 lie below 84 TiB.
constexpr uint32_t kFirstDeviceOnly = 83;
constexpr uint32_t kMostAllocations = 1 << 16;

void release(const Allocation& allocation) {
  munmap(allocation.region.data, allocation.region.size_bytes);
  close(allocation.descriptor);
}

}  // namespace

DeviceMemory::~DeviceMemory() { clear(); }

void DeviceMemory::clear() {
  for (const Allocation& allocation : allocations_)
    if (allocation.descriptor >= 0) release(allocation);
  allocations_.clear();
  used_bytes_ = 0;
}

uint32_t DeviceMemory::free_number(Visibility visibility) const {
  const bool is_shared = visibility == Visibility::Shared;
  uint32_t number = is_shared ? 0 : kFirstDeviceOnly;
  while (number < allocations_.size() && allocations_[number].descriptor >= 0) ++number;
  return number;
}

Result<uint32_t> DeviceMemory::allocate(uint64_t bytes, Visibility visibility) {
  if (bytes == 0)
    return fail(ErrorKind::Usage, "an allocation of no bytes was asked for; ask for one or more");
  if (bytes > limit_bytes_ - used_bytes_)
    return fail(ErrorKind::Limit,
                fmt::format("{} bytes were asked for, {} of the device's {} are free; allocate less", bytes,
                            limit_bytes_ - used_bytes_, limit_bytes_));
  const uint32_t number = free_number(visibility);
  if (number >= (visibility == Visibility::Shared ? kFirstDeviceOnly : kMostAllocations))
    return fail(
        ErrorKind::Limit,
        fmt::format("there are at most {} allocations of this kind at a time; free some, or join them",
                    visibility == Visibility::Shared ? kFirstDeviceOnly : kMostAllocations));
  Allocation made;
  made.descriptor = memfd_create("lanescope-device-memory", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  // The program has the descriptor too: it must not shrink what is mapped here.
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
  if (number >= allocations_.size()) allocations_.resize(number + 1);
  allocations_[number] = made;
  used_bytes_ += bytes;
  return number;
}

Result<void> DeviceMemory::free(uint64_t address) {
  const uint32_t number = trace::buffer_of(address);
  const bool is_start = trace::has_buffer(address) && trace::offset_of(address) == 0;
  if (!is_start || number >= allocations_.size() || allocations_[number].descriptor < 0)
    return fail(
        ErrorKind::Usage,
        fmt::format("{:#x} is to be freed, and no allocation begins there; free what was allocated, once",
                    address));
  release(allocations_[number]);
  used_bytes_ -= allocations_[number].region.size_bytes;
  allocations_[number] = {};
  return {};
}

std::vector<emulator::Region> DeviceMemory::regions() const {
  std::vector<emulator::Region> regions;
  regions.reserve(allocations_.size());
  for (const Allocation& allocation : allocations_) regions.push_back(allocation.region);
  return regions;
}

}  // namespace lanescope::driver
