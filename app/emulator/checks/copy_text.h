// The sentences about races with asynchronous copies: what is under way, and which wait is missing or too
// short. Tests: tests/unit/emulator/copy_race_test.cpp

#pragma once

#include "emulator/checks/race_text.h"
#include "emulator/memory/async_copies.h"

namespace lanescope::emulator {

/// `place.finding` is CopyUnderWay or CopySource. `copies`: those of the block, with its threads' waits.
trace::Hazard copy_hazard(const RacePlace& place, const RaceSide& here, const AsyncCopy& copy,
                          const AsyncCopies& copies);

}  // namespace lanescope::emulator
