// The PTX that is pasted in before a memory instruction and at the start of a function.
// Method: the lanes that are together (activemask, and of these the ones in the same space) look whether
// their addresses go up in equal steps: a whole warp first in those that are expected, by two shuffles and a
// vote, then in any; others by the first two lanes' step. Totals: the pattern (step, mask, place in the line)
// is looked up in the site's dictionary and counted by one lane; a pattern's cost is the host's to know.
// Records: the first lane writes 16 or 32 bytes. Addresses with no step go to a list. All is inline: a called
// function would see lanes of both arms of a branch together. Nothing is written but the recorder's own
// registers and memory. Source: PTX ISA. Tests: tests/unit/gpu/instrument_test.cpp

#pragma once

#include "gpu/recording_plan.h"

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::gpu {

/// Where the addresses of a recorder are: in global or constant memory 64 bits matter, in shared and local
/// memory 32, and a generic address may be in any of the four.
enum class AddressKind : uint8_t { Wide, Narrow, Generic };

struct RecorderPlace {
  unsigned number = 0;  // of the recorder in the module: makes its labels its own
  uint32_t site = 0;    // of a generic access the first of its four
  AddressKind kind = AddressKind::Wide;
  uint32_t phase_mask = 127;  // bits of the address that its cost depends on
  std::string address;        // PTX that puts it into %lanescope_a (64 bits) or %lanescope_lo
  std::string skip_unless;    // "%p1", "!%p1" or empty: lanes that do not access
  std::optional<ExpectedSteps> expected;
  uint32_t lanes = kLanes;  // those that supply addresses: the first so many
  uint32_t accesses = 1;    // that it stands for
};

/// `{ ... }`, to stand before the instruction.
std::string recorder_text(const RecordingPlan& plan, const RecorderPlace& place);

/// Registers that live throughout a function, and what fills them.
enum class FunctionKind : uint8_t { Kernel, Called };
std::string prologue_text(const RecordingPlan& plan, FunctionKind kind);

/// Keeps the address of a variable, by the grid's first thread. `variables` are (slot, PTX name, is shared).
struct VariableName {
  std::string name;
  enum class Width : uint8_t { Narrow, Wide } width = Width::Wide;
};
std::string variables_text(const RecordingPlan& plan, const std::vector<VariableName>& variables);

}  // namespace lanescope::gpu
