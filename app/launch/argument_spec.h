// Parses --arg: n=i32:1024, bytes:0011aabb, out=f32[1024x1024]:zeros, f32[64]:random(7), f32[9]:file(in.raw),
// f32[9]:none, file(in.npy), text(hello), an earlier buffer again as out or out+64, and a struct by its
// fields {i32:3,f32:0.5,out}. Grammar: the command line's documentation. Files are read here; a buffer's size
// is bounded by `kMaximumBufferBytes`. Tests: tests/unit/launch/argument_spec_test.cpp

#pragma once

#include "launch/launch.h"

#include <optional>
#include <string_view>

namespace lanescope::launch {

inline constexpr uint64_t kMaximumBufferBytes = uint64_t{8} << 30;

/// Adds the argument that `spec` describes to `launch`, and its buffer if it is one.
Result<void> add_argument(Launch& launch, std::string_view spec);

/// A buffer as INIT of the grammar describes it: zeros, iota, fill(V), random(SEED), file(PATH), text(WORDS).
/// `none`, an uninitialized buffer, is handled by add_argument.
Result<Contents> make_contents(ElementType type, const std::vector<uint64_t>& shape, std::string_view init);

/// None where no type has this name.
std::optional<ElementType> type_named(std::string_view name);

/// "X[,Y[,Z]]" with whole numbers from 1.
Result<Dim3> parse_dim3(std::string_view text);

}  // namespace lanescope::launch
