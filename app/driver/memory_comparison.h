// What a launch that was captured on a GPU left in memory, there and in the emulator. Method: allocations lie
// at other addresses in the emulator, so words that are addresses of captured memory on the GPU are rewritten
// before the two are compared. Tests: tests/unit/driver/memory_comparison_test.cpp

#pragma once

#include "launch/launch.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace lanescope::driver {

/// An allocation of the GPU, and where it lies in the emulator.
struct Relocation {
  uint64_t from = 0, to = 0, size_bytes = 0;
};

/// Rewrites the aligned words of 8 bytes that are addresses in `allocations`, or right behind the end of one.
/// Any number that happens to be such an address is taken for one.
void relocate(std::span<std::byte> bytes, std::vector<Relocation> allocations);

struct BufferDifference {
  std::string element;        // the first that differs: "out[3][17]"
  std::string type;           // of the elements: "f32"
  bool looks_so = false;      // the type is not known: all bits are those of ordinary floats
  std::string gpu, emulator;  // its values
  uint64_t different = 0, elements = 0;
  std::optional<double> largest_relative;  // of elements that are floats: |difference| / |the GPU's|
  bool operator==(const BufferDifference&) const = default;
};

struct MemoryComparison {
  uint64_t buffers = 0, bytes = 0;
  std::vector<BufferDifference> differences;  // of the buffers that differ
  std::vector<std::string> causes;            // sentences on what the kernel leaves open
  bool operator==(const MemoryComparison&) const = default;
};

/// Adds a buffer as both left it. Both have as many bytes as its type and shape say; bytes whose type is not
/// known are compared as floats if both look like them, else as words of 4.
void compare(MemoryComparison& comparison, launch::Buffer buffer, std::span<const std::byte> gpu,
             std::span<const std::byte> emulator);

/// "3 buffers, 768 bytes: equal to the GPU's", or what differs, one sentence for each buffer.
std::vector<std::string> sentences_of(const MemoryComparison& comparison);

nlohmann::json to_json(const MemoryComparison& comparison);

}  // namespace lanescope::driver
