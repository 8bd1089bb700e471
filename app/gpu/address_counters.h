// Counts that patched machine code makes from the addresses of what it executes: no arbitration noise, and
// no permission needed. Method: CUPTI's SASS metrics; the sums of all instructions of the functions executed.
// Tests: tests/unit/gpu/counters_test.cpp

#pragma once

#include "gpu/cupti.h"
#include "trace/hardware_counts.h"

#include <functional>

namespace lanescope::gpu {

/// Does `work` once with patched code and adds the address-based counts to `counts`. A count that this GPU's
/// CUPTI does not know stays absent.
Result<void> count_addresses(const Context& context, const Cupti& cupti,
                             const std::function<Result<void>()>& work, trace::HardwareCounts& counts);

}  // namespace lanescope::gpu
