// The modelled caches of a launch whose accesses are stored, as a saved trace has them. MODEL: as
// caches/simulate.h, without the barriers of the blocks, which are not stored. Tests:
// tests/unit/report/launch_report_test.cpp

#pragma once

#include "base/error.h"
#include "caches/cache_report.h"
#include "model/device.h"
#include "trace/trace.h"

namespace lanescope::report {

/// Whether every access of the launch is stored, or at least those of its first blocks.
bool has_first_accesses(const trace::Trace& trace);

/// Of a launch of which the first blocks are stored, these are modelled. Errors: Unsupported if the caches of
/// the device are not known, or if the accesses of no block are stored.
Result<caches::CacheReport> caches_of_stored(const trace::Trace& trace, const model::Device& device);

}  // namespace lanescope::report
