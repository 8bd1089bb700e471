// What the modelled caches did, as text and as JSON. Tests: tests/cli/caches_test.cpp

#pragma once

#include "caches/cache_report.h"
#include "export/json.h"
#include "model/device.h"
#include "trace/trace.h"

#include <string>

namespace lanescope::exporting {

/// Requests, sectors and hit rates of the L1, what goes to and from the L2 and the DRAM, the lines of the
/// source that the DRAM serves most, the time that the launch needs at least, and what bank conflicts and
/// excess sectors cost of it. Each line ends with a line feed.
std::string cache_text(const trace::Trace& trace, const caches::CacheReport& report,
                       const model::Device& device);

/// What cache_text() says, for programs: docs/schemas/trace.schema.json.
Json cache_json(const trace::Trace& trace, const caches::CacheReport& report, const model::Device& device);

}  // namespace lanescope::exporting
