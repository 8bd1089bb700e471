// Stepping through a list whose entries belong to source lines: the accesses of a warp, or its instructions.
// Tests: tests/unit/pipeline/selection_test.cpp

#pragma once

#include <cstdint>
#include <functional>

namespace lanescope::pipeline {

enum class StepTo : uint8_t { First, Previous, Next, Last, PreviousOnLine, NextOnLine };

/// Index of the entry that a step leads to from entry `current` of `count`; `current` where there is no such
/// entry, 0 in an empty list. `on_current_line(i)`: whether entry i is on the source line of the current one.
uint32_t step_target(uint32_t current, uint32_t count, StepTo to,
                     const std::function<bool(uint32_t)>& on_current_line);

}  // namespace lanescope::pipeline
