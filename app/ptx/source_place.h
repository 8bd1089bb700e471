// The source line of a line of PTX, found by its text alone: for PTX that is refused, and so has no Module.
// Source: PTX ISA, "Debugging Directives: .loc, .file". Tests: tests/unit/ptx/source_place_test.cpp

#pragma once

#include "base/error.h"

#include <optional>
#include <string_view>

namespace lanescope::ptx {

/// What the last .loc at or before line `ptx_line`, counted from 1, of its function names; absent if there is
/// none.
std::optional<Location> source_place_of(std::string_view ptx, int ptx_line);

}  // namespace lanescope::ptx
