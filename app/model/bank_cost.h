// Fast version of banks.h without its detail: for cost_of, which is called for every access of a run.

#pragma once

#include "trace/totals.h"

namespace lanescope::model {

/// Fills wavefronts and ideal_wavefronts of a shared-memory access.
trace::Cost bank_cost(const trace::WarpAccess& access);

}  // namespace lanescope::model
