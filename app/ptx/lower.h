// Lowers a checked module to a program: operands become slots, types are final, branches have reconvergence
// points. Method: a list of passes, each in its own file: steps (one per instruction), control flow (basic
// blocks and post-dominators), slots (registers that are never live together share one). Source: PTX ISA;
// Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm". Tests: tests/unit/ptx/lower_test.cpp

#pragma once

#include "base/error.h"
#include "ptx/module.h"
#include "ptx/program.h"

#include <string_view>

namespace lanescope::ptx {

/// The kernel whose PTX name is `entry`. Errors: Usage where there is none of that name, Unsupported where an
/// instruction or an operand cannot be lowered, Limit where the kernel has more registers than slots.
Result<Program> lower(const Module& module, std::string_view entry);

}  // namespace lanescope::ptx
