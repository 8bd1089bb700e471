// Parses --arg: n=i32:1024, bytes:0011aabb, out=f32[1024x1024]:zeros, f32[64]:random(7), f32[9]:file(in.raw),
// f32[9]:none, file(in.npy), text(hello), an earlier buffer again as out or out+64, and a struct by its
// fields {i32:3,f32:0.5,out}. Grammar: the command line's documentation. Files are read here; a buffer's size
// is bounded by `kMaximumBufferBytes`. Tests: tests/unit/launch/argument_spec_test.cpp

#pragma once

#include "launch/launch.h"

#include <string_view>

namespace lanescope::launch {

/// Adds the argument that `spec` describes to `launch`, and its buffer if it is one.
Result<void> add_argument(Launch& launch, std::string_view spec);

/// "X[,Y[,Z]]" with whole numbers from 1.
Result<Dim3> parse_dim3(std::string_view text);

}  // namespace lanescope::launch
