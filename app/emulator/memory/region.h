// Where memory of a run lies in this process. A run usually has its own; one in place works on memory that
// outlives it, as that of a program whose launches follow one another (app/driver). Tests:
// tests/unit/emulator/memory_in_place_test.cpp

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace lanescope::emulator {

/// Bytes that may be accessed at offsets [0, size).
struct Region {
  std::byte* data = nullptr;
  uint64_t size_bytes = 0;
};

/// Memory in place of the contents of a launch's buffers: it is read and written where it is.
struct MemoryInPlace {
  std::vector<Region>
      buffers;  // [buffer of the launch]; of size 0 where there is none. Empty: their contents
  bool has_buffers() const { return !buffers.empty(); }
  /// Variables in global memory that are one of the buffers, by their name in the PTX. They are not
  /// initialized again.
  std::vector<std::pair<std::string, uint32_t>> variables = {};
};

}  // namespace lanescope::emulator
