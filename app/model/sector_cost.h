// Fast version of sectors.h without its detail: for cost_of, which is called for every access of a run.

#pragma once

#include "trace/totals.h"

namespace lanescope::model {

/// Fills sectors, ideal_sectors and lines of an access to global memory.
trace::Cost global_cost(const trace::WarpAccess& access);
/// The same for local memory, which is interleaved by lane.
trace::Cost local_cost(const trace::WarpAccess& access);

}  // namespace lanescope::model
