// Buffers of another element type than the source declares for the parameter, as of doubles for a float*.
// Tests: tests/unit/emulator/argument_type_test.cpp

#pragma once

#include "emulator/values/code.h"
#include "launch/launch.h"
#include "trace/hazard.h"

#include <vector>

namespace lanescope::emulator {

/// A note for each parameter whose buffer has another element type, on the kernel's first access through it.
std::vector<trace::Hazard> notes_on_types(const Code& code, const launch::Launch& launch);

}  // namespace lanescope::emulator
