// Parts of an allocation that a program has written, for the inputs of a launch that are kept. Tests:
// tests/cli/program_test.cpp

#pragma once

#include "driver/server/device_memory.h"

#include <cstdint>
#include <vector>

namespace lanescope::driver {

/// Byte range of an allocation that was written, in whole pages. Pages outside
/// of all extents read as zeros.
struct Extent {
  uint64_t begin = 0, end = 0;
};

/// Written parts, in order. All of an allocation counts as written if lseek() does not report its holes.
std::vector<Extent> written_extents(const Allocation& allocation);

/// Share of an allocation that is uninitialized: it holds the pattern, or was
/// never touched.
enum class Uninitialized : uint8_t { None, Part, All };
Uninitialized uninitialized_part(const Allocation& allocation, const std::vector<Extent>& written);

}  // namespace lanescope::driver
