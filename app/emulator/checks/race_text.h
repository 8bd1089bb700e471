// The sentences of the checks: what two threads did to which place, and what to try.
// Tests: tests/unit/emulator/{race,uninitialized}_test.cpp

#pragma once

#include "emulator/checks/findings.h"
#include "emulator/code.h"
#include "emulator/memory/memory.h"
#include "trace/hazard.h"

#include <cstdint>
#include <optional>
#include <string>

namespace lanescope::emulator {

/// An instruction and the thread of a block that executed it.
struct RaceSide {
  uint32_t step = Findings::kNoStep;
  uint32_t thread = 0;
  Dim3 block;
  bool is_some_lane = false;  // of the thread's warp; which one is not known
};

struct RacePlace {
  const Code& code;
  const Memory& memory;
  ptx::Space space = ptx::Space::Global;
  uint64_t address = 0;
  uint32_t bytes = 0;  // of the access
  Finding finding = Finding::RaceOfWarps;
  std::optional<Dim3> owner;  // of shared memory: the block whose it is, where that is another one
};

/// "offset 12 of 'tile' in shared memory", "offset 12 of 'out'".
std::string name_of_place(const RacePlace& place);

/// `there` came first.
trace::Hazard race_hazard(const RacePlace& place, const RaceSide& here, const RaceSide& there);
trace::Hazard unwritten_hazard(const RacePlace& place, const RaceSide& here);
/// An access to the memory of a block that need not have begun, or may have ended.
trace::Hazard absence_hazard(const RacePlace& place, const RaceSide& here);

}  // namespace lanescope::emulator
