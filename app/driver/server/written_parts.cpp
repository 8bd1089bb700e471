#include "driver/server/written_parts.h"

#include "emulator/memory/fresh_memory.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <unistd.h>

namespace lanescope::driver {

std::vector<Extent> written_extents(const Allocation& allocation) {
  const uint64_t bytes = allocation.region.size_bytes;
  std::vector<Extent> extents;
  for (uint64_t at = 0; at < bytes;) {
    const off_t begin = lseek(allocation.descriptor, static_cast<off_t>(at), SEEK_DATA);
    if (begin < 0 && errno == ENXIO) break;
    const off_t end = begin < 0 ? begin : lseek(allocation.descriptor, begin, SEEK_HOLE);
    if (end <= begin) return {{0, bytes}};
    extents.push_back({static_cast<uint64_t>(begin), std::min(static_cast<uint64_t>(end), bytes)});
    at = extents.back().end;
  }
  return extents;
}

Uninitialized uninitialized_part(const Allocation& allocation, const std::vector<Extent>& written) {
  if (allocation.key == 0) return Uninitialized::None;
  uint64_t fresh = 0, words = 0, bytes = 0;
  for (const Extent& extent : written) {
    bytes += extent.end - extent.begin;
    for (uint64_t at = extent.begin; at + sizeof(uint32_t) <= extent.end; at += sizeof(uint32_t)) {
      uint32_t word = 0;
      std::memcpy(&word, allocation.region.data + at, sizeof word);
      ++words;
      fresh += word == emulator::fresh_word(allocation.key, at / sizeof word) ? 1 : 0;
    }
  }
  if (fresh == words) return Uninitialized::All;
  return fresh > 0 || bytes < allocation.region.size_bytes ? Uninitialized::Part : Uninitialized::None;
}

}  // namespace lanescope::driver
