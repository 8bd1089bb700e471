// The shapes of the arrays that a CUDA source declares __shared__: PTX has their bytes alone. Method: a scan
// of the tokens for declarations; extents are evaluated as far as the text shows their values, and the size
// of an element is that of its type. A structure has no elements to name, since its fields lie in between.
// Source: CUDA C++ Programming Guide, "__shared__". Tests: tests/unit/compile/shared_arrays_test.cpp

#pragma once

#include "base/array_shape.h"
#include "compile/source_tokens.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

struct SharedArray {
  std::string name;
  ArrayShape shape;  // a first extent of 0 is not known, or is the launch's: extern
};

/// Arrays of all files whose elements have a size and whose extents, except perhaps the first, are known.
/// `defines`: "NAME" or "NAME=VALUE". The texts must outlive the call only.
std::vector<SharedArray> shared_arrays_of(std::span<const SourceText> files,
                                          std::span<const std::string> defines);
/// Arrays of all texts, whose tokens are found first.
std::vector<SharedArray> shared_arrays_of(std::span<const std::string_view> texts,
                                          std::span<const std::string> defines);

/// The shape of the array `name` that has `size_bytes` bytes, 0 for an extern one; with no element bytes
/// where no array fits, or several that differ.
ArrayShape shape_of(std::span<const SharedArray> arrays, std::string_view name, uint64_t size_bytes);

}  // namespace lanescope::compile
