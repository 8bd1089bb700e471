// Reasons why a kernel's results may differ between a GPU and the emulator though both are correct. Method:
// find the instructions whose result PTX leaves open. Source: PTX ISA 9.0, "Floating Point Instructions"
// (approximations), "atom", "red" (no order). Tests: tests/unit/driver/difference_causes_test.cpp

#pragma once

#include "ptx/program.h"

#include <string>
#include <vector>

namespace lanescope::driver {

/// A sentence for each cause, which names the instructions; empty where every result is determined.
std::vector<std::string> causes_of_difference(const ptx::Program& program);

}  // namespace lanescope::driver
