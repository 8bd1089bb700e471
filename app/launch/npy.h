// NumPy's .npy files: the header that says type and shape, before the raw elements. Method: versions 1.0 to
// 3.0 are read, little-endian, in row-major order; 1.0 is written. Source: NumPy documentation,
// "numpy.lib.format". Tests: tests/unit/launch/npy_test.cpp

#pragma once

#include "launch/launch.h"

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::launch {

struct NpyHeader {
  ElementType type = ElementType::F32;
  std::vector<uint64_t> shape;  // slowest first; empty for a single number
  size_t data_at = 0;           // where the elements begin
};

/// Reads the header of a file that begins with `bytes` (its first 64 KiB suffice). bool is u8; two bytes of
/// no known type are bf16. Errors: File, without a location.
Result<NpyHeader> read_npy_header(std::string_view bytes);

/// What precedes the elements in a file of version 1.0; its length is a multiple of 64.
std::string npy_header(ElementType type, const std::vector<uint64_t>& shape);

}  // namespace lanescope::launch
