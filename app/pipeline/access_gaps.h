// How many instructions a warp executes before each of its accesses to memory, and how many of them divide
// integers, for the timing model: the time before a block's first load is not hidden by the block, and a
// division is a subroutine on a GTX 280. Method: the shortest path in the PTX from the start, or from any
// access, to the access; a trace does not record the path. MODEL. Tests:
// tests/unit/pipeline/access_gaps_test.cpp

#pragma once

#include "model/access_gaps.h"
#include "trace/site.h"

#include <span>
#include <string_view>

namespace lanescope::pipeline {

/// For the first kernel whose name in the PTX or in the source is `kernel`. `sites` are those of its trace;
/// their gaps are empty where the PTX does not have them, as are those of sites in functions that it calls.
model::AccessGaps find_access_gaps(std::string_view ptx_text, std::string_view kernel,
                                   std::span<const trace::Site> sites);

}  // namespace lanescope::pipeline
