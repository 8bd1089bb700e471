#include "launch/large_pages.h"

#include <sys/mman.h>

namespace lanescope::launch {
namespace {

constexpr uintptr_t kPage = 4096;
constexpr uint64_t kWorthIt = uint64_t{8} << 20;  // four large pages

}  // namespace

std::vector<std::byte> room_for(uint64_t size_bytes) {
  std::vector<std::byte> bytes;
  bytes.reserve(size_bytes);
  if (size_bytes >= kWorthIt) {
    const auto begin = reinterpret_cast<uintptr_t>(bytes.data());
    const uintptr_t first = (begin + kPage - 1) / kPage * kPage;
    const uintptr_t end = (begin + size_bytes) / kPage * kPage;
    // Advice: where it is not taken, small pages do.
    static_cast<void>(madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE));
  }
  return bytes;
}

}  // namespace lanescope::launch
