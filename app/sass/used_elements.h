// Which elements of a vector that a step loads are used. Method: an element is used if a later step of its
// basic block reads its slot before another writes it, or a block that may follow needs it: lowering gives
// one slot to several registers. Tests: tests/unit/sass/match_test.cpp

#pragma once

#include "ptx/program.h"
#include "ptx/reconvergence.h"

#include <cstdint>
#include <optional>

namespace lanescope::sass {

/// Elements [first, end) of the vector, the unused ones between them too.
struct UsedElements {
  uint32_t first = 0, end = 0;
};

/// Of the step with this number, in basic block `block`. No value where it loads no vector, or none is used.
std::optional<UsedElements> used_elements(const ptx::Program& program, const ptx::Successors& successors,
                                          uint32_t block, uint32_t step);

}  // namespace lanescope::sass
