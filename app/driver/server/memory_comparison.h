// Comparison of the memory after a captured launch, on the GPU and in the emulator. Method: allocations have
// other addresses in the emulator, so words that are addresses of captured memory on the GPU are rewritten
// before the launch and the comparison. Tests: tests/unit/driver/memory_comparison_test.cpp

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

/// Addresses of an allocation on the GPU (`from`) and in the emulator (`to`).
struct Relocation {
  uint64_t from = 0, to = 0, size_bytes = 0;
};

/// Rewrites the aligned words of 8 bytes that are addresses in `allocations`, or the end of one. A number
/// that equals such an address by chance is rewritten too.
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

/// Adds a buffer's contents on both sides, which have as many bytes as its type and shape say. Bytes of
/// unknown type are compared as f32 if both sides look like floats, else as u32.
void compare(MemoryComparison& comparison, launch::Buffer buffer, std::span<const std::byte> gpu,
             std::span<const std::byte> emulator);

/// "memory after it is equal to the GPU's (3 buffers, 768 bytes)", or one sentence for each buffer that
/// differs and for each possible cause.
std::vector<std::string> sentences_of(const MemoryComparison& comparison);

nlohmann::json to_json(const MemoryComparison& comparison);

}  // namespace lanescope::driver
