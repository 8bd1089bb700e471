// Several extern __shared__ arrays of a kernel, all of which begin at the same address. Tests:
// tests/unit/emulator/own_array_test.cpp

#pragma once

#include "emulator/values/code.h"
#include "trace/hazard.h"

#include <optional>

namespace lanescope::emulator {

/// Note on the first access to a second extern array; absent if the kernel accesses at most one.
std::optional<trace::Hazard> note_on_overlap(const Code& code);

}  // namespace lanescope::emulator
