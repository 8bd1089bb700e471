// Buffers of another element type than the source declares for the parameter, as of doubles for a float*.
// Tests: tests/unit/emulator/argument_type_test.cpp

#pragma once

#include "emulator/code.h"
#include "launch/launch.h"
#include "trace/hazard.h"

#include <vector>

namespace lanescope::emulator {

/// A note for each such parameter that the kernel accesses, on the first access.
std::vector<trace::Hazard> notes_on_types(const Code& code, const launch::Launch& launch);

}  // namespace lanescope::emulator
