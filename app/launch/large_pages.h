// Memory of a large buffer in large pages: filling a gigabyte page by page of 4 KiB costs more than running a
// kernel on it. Source: madvise(2), MADV_HUGEPAGE and MADV_DONTNEED. Measured: tests/benchmark,
// count_padded_16384. Tests: tests/unit/launch/large_pages_test.cpp

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace lanescope::launch {

/// An empty vector with room for `size_bytes`; the system is asked for large pages if the buffer is large
/// enough. Fill it by resize() or assign(). Throws std::bad_alloc like any vector.
std::vector<std::byte> room_for(uint64_t size_bytes);

/// A vector of zeros, which takes no memory until it is written. Throws like room_for().
std::shared_ptr<const std::vector<std::byte>> zeros(uint64_t size_bytes);

}  // namespace lanescope::launch
