// The accesses of a kernel by source line: those of a line that do the same are one, as an unrolled loop has
// many. Tests: tests/unit/caches/savings_test.cpp

#pragma once

#include "caches/cache_report.h"
#include "trace/trace.h"

#include <vector>

namespace lanescope::caches {

struct LineAccesses {
  const trace::Site* site = nullptr;  // the first of them
  SiteCaches caches;
  trace::Totals totals;
};

/// Accesses that were made, in the order of their first sites. Borrows from `trace`.
std::vector<LineAccesses> line_accesses(const trace::Trace& trace, const CacheReport& report);

}  // namespace lanescope::caches
