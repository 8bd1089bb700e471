// The access of the machine code that a stored access of the PTX is a part of.
// Tests: tests/unit/sass/folded_part_test.cpp

#pragma once

#include "sass/access_folder.h"
#include "trace/trace.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::sass {

struct FoldedPart {
  FoldedAccess access;
  std::vector<uint32_t> parts;  // indices among the warp's stored accesses, in rising order
};

/// Access `index` of the warp, whose site belongs to a merged access, with all accesses that the instruction
/// makes together with it. Counts what FoldingSink counts, of a block that was not suspended.
FoldedPart folded_part(const Match& match, const trace::Trace& trace, const trace::StoredBlock& block,
                       WarpId warp, uint32_t index);

/// "LDS.128": the instruction that makes such an access.
std::string instruction_name(const Match& match, const FoldedAccess& folded);

}  // namespace lanescope::sass
