// The instruction, the thread and the lanes that a hazard names, in the terms of the source. Tests:
// tests/unit/emulator/{race,sync}_test.cpp

#pragma once

#include "base/dim3.h"
#include "emulator/values/code.h"
#include "trace/hazard.h"

#include <cstdint>
#include <string>

namespace lanescope::emulator {

/// Access of a step. `block`, `thread`: positions of the thread that made it.
trace::Culprit culprit_at(const Code& code, uint32_t step, Dim3 block, Dim3 thread);
/// Hazard at a step of the thread with this number in its block, without a message. `block`: its position.
trace::Hazard hazard_at(const Code& code, uint32_t step, uint32_t thread, Dim3 block, trace::HazardKind kind);

/// Text "lane 3" or "lanes 0-7, 9".
std::string name_lanes(uint32_t mask);

}  // namespace lanescope::emulator
