// Memory of a large buffer in large pages: filling a gigabyte page by page of 4 KiB costs more than running a
// kernel on it. Source: madvise(2), MADV_HUGEPAGE. Measured: tests/benchmark, count_padded_16384.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lanescope::launch {

/// An empty vector with room for `size_bytes`, which the system was asked to back with large pages where that
/// is worth it. Fill it by resize() or assign(). Throws std::bad_alloc like any vector.
std::vector<std::byte> room_for(uint64_t size_bytes);

}  // namespace lanescope::launch
