// The recorder: PTX that is inserted before a memory instruction and at the start of a function.
// Method: the active lanes (activemask, and of these the ones in the same space) test whether their addresses
// form an arithmetic sequence: a whole warp first against the expected strides, by two shuffles and a vote,
// then against any; other masks by the first two lanes' stride. Totals: the pattern (strides, mask, offset in
// the line) is looked up in the site's dictionary and counted by one lane; the host computes what a pattern
// costs. Records: the first lane writes 16 or 32 bytes. Addresses without a stride go to a list. Everything
// is inline: in a called function activemask would merge the lanes of both arms of a branch. The recorder
// writes only its own registers and memory. Source: PTX ISA. Tests: tests/unit/gpu/instrument_test.cpp

#pragma once

#include "gpu/instrument/recorder_layout.h"

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::gpu {

/// Where the addresses of a recorder are: in global or constant memory 64 bits matter, in shared and local
/// memory 32, and a generic address may be in any of the four.
enum class AddressKind : uint8_t { Wide, Narrow, Generic };

struct RecorderSite {
  unsigned number = 0;  // of the recorder in the module: makes its labels unique
  uint32_t site = 0;    // the first of the four of a generic access
  AddressKind kind = AddressKind::Wide;
  uint32_t phase_mask = 127;  // bits of the address that its cost depends on
  std::string address;        // PTX that puts it into %lanescope_a (64 bits) or %lanescope_lo
  std::string skip_unless;    // "%p1", "!%p1" or empty: lanes that do not access
  std::optional<ExpectedSteps> expected;
  uint32_t lanes = kLanes;  // the first so many supply addresses
  uint32_t accesses = 1;    // that it reports
  bool chooses = false;     // skips the blocks that are not recorded, which have no copy of the kernel
};

/// `{ ... }`, to be inserted before the instruction.
std::string recorder_text(const RecorderLayout& plan, const RecorderSite& place);

/// Registers that are live throughout a function, and their initialization.
enum class FunctionKind : uint8_t { Kernel, Called };
std::string prologue_text(const RecorderLayout& plan, FunctionKind kind);

/// Sends the blocks that are not recorded to the label, behind which the kernel is without recorders
/// (plain_copy.h); empty where recorders choose themselves.
inline constexpr std::string_view kPlainLabel = "$lanescope_plain";
std::string choice_text(const RecorderLayout& plan);

/// The grid's first thread stores the addresses of the variables. `variables` are (slot, PTX name, is
/// shared).
struct VariableName {
  std::string name;
  enum class Width : uint8_t { Narrow, Wide } width = Width::Wide;
};
std::string variables_text(const RecorderLayout& plan, const std::vector<VariableName>& variables);

}  // namespace lanescope::gpu
