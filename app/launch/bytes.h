// The bytes of a buffer. A new vector of them is zeros, like any other, but a large one takes no memory until
// it is written, since the system gives out zeros: filling a gigabyte on one thread would take longer than
// running a kernel on it. It is in large pages, where the system has them: page by page of 4 KiB costs more.
// Source: mmap(2), MAP_ANONYMOUS; madvise(2), MADV_HUGEPAGE. Measured: tests/benchmark,
// count_padded_16384. Tests: tests/unit/launch/bytes_test.cpp

#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace lanescope::launch {

/// Zeros; at a large page if there are many. Throws std::bad_alloc.
void* allocate_zeros(size_t size_bytes);
void free_zeros(void* memory, size_t size_bytes) noexcept;

/// Gives out zeros, so that a new element without a value need not be written. Where a vector of them shrinks
/// and grows again, the new elements are what the old ones were: give them a value.
template <class T>
struct ZeroAllocator {
  using value_type = T;  // NOLINT(readability-identifier-naming): the standard's name

  ZeroAllocator() = default;
  template <class U>
  explicit ZeroAllocator(const ZeroAllocator<U>&) {}

  T* allocate(size_t count) { return static_cast<T*>(allocate_zeros(count * sizeof(T))); }
  void deallocate(T* memory, size_t count) noexcept { free_zeros(memory, count * sizeof(T)); }
  template <class U>
  void construct(U*) noexcept {}
  template <class U, class... Arguments>
  void construct(U* at, Arguments&&... arguments) {
    std::construct_at(at, std::forward<Arguments>(arguments)...);
  }
  bool operator==(const ZeroAllocator&) const = default;
};

using Bytes = std::vector<std::byte, ZeroAllocator<std::byte>>;

/// A copy of bytes that lie elsewhere.
inline Bytes copy_of(std::span<const std::byte> bytes) { return {bytes.begin(), bytes.end()}; }

}  // namespace lanescope::launch

// Compiled once, with optimization: without it a vector's destructor goes through the bytes one by one.
extern template class std::vector<std::byte, lanescope::launch::ZeroAllocator<std::byte>>;
