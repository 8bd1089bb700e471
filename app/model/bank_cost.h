// The counts of banks.h without their detail, quickly: for cost_of, which is called for every access of a
// run.

#pragma once

#include "trace/totals.h"

namespace lanescope::model {

/// Fills wavefronts and ideal_wavefronts of a shared-memory access.
trace::Cost bank_cost(const trace::WarpAccess& access);

}  // namespace lanescope::model
