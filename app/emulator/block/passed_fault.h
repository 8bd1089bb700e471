// Accesses out of bounds that did not stop the kernel (OutOfBounds::IsPassedOver).

#pragma once

#include "base/ids.h"
#include "trace/hazard.h"

#include <cstdint>

namespace lanescope::emulator {

/// Accesses of one step that were passed over: the first one, whose `count` is the number of lanes of all.
struct PassedFault {
  uint32_t step = 0;  // index in Program::steps
  CtaId block;        // of the first one
  trace::Hazard first;
};

}  // namespace lanescope::emulator
