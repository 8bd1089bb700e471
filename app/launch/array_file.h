// Files that hold the contents of a buffer: raw bytes, NumPy's .npy and .png images, told apart by the file's
// name. Tests: tests/unit/launch/array_file_test.cpp

#pragma once

#include "launch/launch.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace lanescope::launch {

/// Type and shape of the array that a file holds. A .png has u8 elements: [height][width] of a gray image,
/// else [height][width][3], or 4 with an alpha channel. Errors: File, also for a raw file, which has neither.
struct ArrayShape {
  ElementType type = ElementType::F32;
  std::vector<uint64_t> shape;
};
Result<ArrayShape> shape_of_file(const std::filesystem::path& path);

/// Fills `bytes` with the elements of the file, which has exactly as many. A .npy must have elements of
/// `type`. A .png is converted to the channels that `shape` has, [height][width] or [height][width][1 to 4],
/// of u8, or of f32 from 0 to 1. Errors: File, with what was expected and found.
Result<void> read_array(std::span<std::byte> bytes, ElementType type, const std::vector<uint64_t>& shape,
                        const std::filesystem::path& path);

/// The content of a file for this array: of a name that ends in .npy with NumPy's header, else the raw bytes.
std::string array_file(const std::filesystem::path& path, ElementType type,
                       const std::vector<uint64_t>& shape, std::span<const std::byte> bytes);

}  // namespace lanescope::launch
