// Which instructions of a function are in a loop: those between a label and a later branch to it, as
// compilers lay loops out. Tests: tests/unit/gpu/access_groups_test.cpp

#pragma once

#include "ptx/module.h"

#include <vector>

namespace lanescope::gpu {

/// [instruction]
std::vector<bool> in_loops(const ptx::Function& function);

}  // namespace lanescope::gpu
