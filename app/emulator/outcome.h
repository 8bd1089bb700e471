// Result of a run of the emulator.

#pragma once

#include "base/ids.h"
#include "launch/launch.h"
#include "trace/hazard.h"
#include "trace/operations.h"
#include "trace/output.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::emulator {

struct Suspects;  // checks/suspects.h

struct Outcome {
  /// [buffer of the launch] after the run. A buffer that the kernel cannot write is the initial one itself.
  std::vector<launch::Contents> buffers;
  std::vector<launch::Variable> variables;  // those in global memory after the run
  /// First, if there is one, the hazard that stopped the kernel: the first one of the lowest block that had
  /// one. Blocks with higher numbers may or may not have run; the result of record() does not depend on that.
  /// Then the accesses out of bounds that were passed over, one for each instruction, and races and
  /// uninitialized reads.
  std::vector<trace::Hazard> hazards;
  std::vector<trace::Hazard> notes;  // what the checks found that a correct kernel may do
  /// Not null if blocks race, or may race: another run with one worker and these suspects reports both sides
  /// of each race, and always the same ones. record() does so.
  std::shared_ptr<const Suspects> suspects;
  std::vector<std::string> unchecked;  // what the checks could not cover
  std::optional<CtaId> stopped_in;     // the hazard's block
  /// True if blocks ran one after the other, in the order of their numbers.
  bool in_order = false;
  uint64_t warp_instructions = 0;  // instructions executed by a warp, whatever its mask
  uint64_t lane_instructions = 0;  // active lanes, summed over the warp instructions
  trace::Operations operations;
  trace::Output output;
};

}  // namespace lanescope::emulator
