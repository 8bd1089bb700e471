// Stepping through a list whose entries belong to source lines: the accesses of a warp, or its instructions.
// Tests: tests/unit/pipeline/selection_test.cpp

#pragma once

#include <cstdint>
#include <functional>

namespace lanescope::pipeline {

/// PreviousOnLine and NextOnLine stay on the source line of the current entry. PreviousLine and NextLine go
/// to the first entry of the stretch before or after it that is on another line.
enum class StepTo : uint8_t {
  First,
  Previous,
  Next,
  Last,
  PreviousOnLine,
  NextOnLine,
  PreviousLine,
  NextLine
};

/// Index of the entry that a step leads to from entry `current` of `count`; `current` where there is no such
/// entry, 0 in an empty list. `same_line(i, j)`: whether entries i and j are on one source line.
uint32_t step_target(uint32_t current, uint32_t count, StepTo to,
                     const std::function<bool(uint32_t, uint32_t)>& same_line);

}  // namespace lanescope::pipeline
