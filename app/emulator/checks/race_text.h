// Sentences of the findings: the accesses of two threads to an address, and what to try.
// Tests: tests/unit/emulator/{race,uninitialized}_test.cpp

#pragma once

#include "emulator/checks/findings.h"
#include "emulator/memory/memory.h"
#include "emulator/values/code.h"
#include "trace/hazard.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

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
  std::optional<Dim3> owner;       // of shared memory: its block, if that is another one
  bool copy_awaited_late = false;  // the other side is a copy: RaceReporter::note_late_wait()
  bool may_lack_fence = false;     // AccessTraits::hands_over
};

/// Verb for the access of a step: "reads", "copies".
std::string_view verb_of(const Code& code, uint32_t step);
/// Text " at line 12", " at line 12 of tools.h" or " at PTX line 40". `here`: the other side, whose file is
/// not named.
std::string line_of(const Code& code, uint32_t step, const RaceSide& here);
/// Hazard at the step and thread of `here`, without a message.
trace::Hazard hazard_at(const Code& code, const RaceSide& here, trace::HazardKind kind);
/// Text "tile[3]" or "out[0][3]"; empty where the shape of the array is not known.
std::string element_of_place(const RacePlace& place);
/// Text "tile[3], byte 12 of 'tile' in shared memory"; "offset 12 of 'out'" where the element has no name.
std::string name_of_place(const RacePlace& place);

/// Hazard of a race. `there` is the earlier access.
trace::Hazard race_hazard(const RacePlace& place, const RaceSide& here, const RaceSide& there);
trace::Hazard unwritten_hazard(const RacePlace& place, const RaceSide& here);
/// Hazard of an access to shared memory of a block that may not have begun, or may have ended.
trace::Hazard absence_hazard(const RacePlace& place, const RaceSide& here);
/// Hazard of an access to the device heap outside its live pieces.
trace::Hazard heap_hazard(const RacePlace& place, const RaceSide& here, const HeapFault& fault);

}  // namespace lanescope::emulator
