#include "launch/large_pages.h"

#include <sys/mman.h>

namespace lanescope::launch {
namespace {

constexpr uintptr_t kPage = 4096;
constexpr uint64_t kWorthIt = uint64_t{8} << 20;  // four large pages

/// Requests large pages for the whole pages of `size_bytes` from `begin` on. The system may ignore it.
void advise(const void* begin, uint64_t size_bytes, int advice) {
  if (size_bytes < kWorthIt) return;
  const auto address = reinterpret_cast<uintptr_t>(begin);
  const uintptr_t first = (address + kPage - 1) / kPage * kPage;
  const uintptr_t end = (address + size_bytes) / kPage * kPage;
  static_cast<void>(madvise(reinterpret_cast<void*>(first), end - first, advice));
}

}  // namespace

std::vector<std::byte> room_for(uint64_t size_bytes) {
  std::vector<std::byte> bytes;
  bytes.reserve(size_bytes);
  advise(bytes.data(), size_bytes, MADV_HUGEPAGE);
  return bytes;
}

std::shared_ptr<const std::vector<std::byte>> zeros(uint64_t size_bytes) {
  auto bytes = std::make_shared<std::vector<std::byte>>(room_for(size_bytes));
  bytes->resize(size_bytes);
  // Released private pages read as zeros again, all from one page that the system shares.
  advise(bytes->data(), size_bytes, MADV_DONTNEED);
  return bytes;
}

}  // namespace lanescope::launch
