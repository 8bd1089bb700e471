// Numbers of PTX text, and constants as an operand of some type sees them.
// Source: PTX ISA, "Constants". Tests: tests/unit/ptx/literal_test.cpp

#pragma once

#include "ptx/instruction.h"

#include <optional>
#include <string_view>

namespace lanescope::ptx {

/// The value of 12, 017, 0x1F, 0b101, 12U, 0f3F800000, 0d3FF0000000000000, 1.5, 2.5e-3.
/// Absent if it is none of these or does not fit in 64 bits.
std::optional<Immediate> parse_literal(std::string_view text);

}  // namespace lanescope::ptx
