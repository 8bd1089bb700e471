#include "launch/bytes.h"

#include <cstdint>
#include <cstdlib>
#include <new>

#include <sys/mman.h>

namespace lanescope::launch {
namespace {

#ifdef __EMSCRIPTEN__
constexpr size_t kLargePage = SIZE_MAX;  // a browser has none, and its munmap frees no part of what mmap gave
#else
constexpr size_t kLargePage = size_t{2} << 20;
#endif

size_t in_large_pages(size_t size_bytes) { return (size_bytes + kLargePage - 1) / kLargePage * kLargePage; }

}  // namespace

void* allocate_zeros(size_t size_bytes) {
  if (size_bytes < kLargePage) {
    void* const memory = std::calloc(size_bytes, 1);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
  }
  // With room to begin at a large page.
  const size_t wanted = in_large_pages(size_bytes);
  if (wanted < size_bytes) throw std::bad_alloc();
  void* const room =
      mmap(nullptr, wanted + kLargePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) throw std::bad_alloc();
  const auto begin = reinterpret_cast<uintptr_t>(room);
  const size_t before = (kLargePage - begin % kLargePage) % kLargePage;
  if (before != 0) munmap(room, before);
  auto* const memory = reinterpret_cast<void*>(begin + before);
  if (before != kLargePage) munmap(reinterpret_cast<void*>(begin + before + wanted), kLargePage - before);
  madvise(memory, wanted, MADV_HUGEPAGE);  // the system may ignore it
  return memory;
}

void free_zeros(void* memory, size_t size_bytes) noexcept {
  if (size_bytes < kLargePage) {
    std::free(memory);
  } else {
    munmap(memory, in_large_pages(size_bytes));
  }
}

}  // namespace lanescope::launch

template class std::vector<std::byte, lanescope::launch::ZeroAllocator<std::byte>>;
