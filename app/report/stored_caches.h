// The modelled caches of a launch whose accesses are stored, as a saved trace has them. MODEL: as
// caches/simulate.h, without the barriers of the blocks and the cache operators of the instructions, which
// are not stored. Tests: tests/unit/report/launch_report_test.cpp

#pragma once

#include "base/error.h"
#include "caches/cache_report.h"
#include "model/device.h"
#include "trace/trace.h"

namespace lanescope::report {

/// Whether every access of the launch is stored. A block without accesses has no entry in a saved trace.
bool has_every_access(const trace::Trace& trace);

/// Errors: Unsupported if the caches of the device are not known, or if not every access is stored.
Result<caches::CacheReport> caches_of_stored(const trace::Trace& trace, const model::Device& device);

}  // namespace lanescope::report
