// The parts that the reports of `trace` and of `run` share: totals by space and kind of access, and hazards.
// The names are a contract that scripts rely on. Tests: tests/cli/trace_test.cpp, tests/cli/run_test.cpp

#pragma once

#include "export/json.h"
#include "trace/hazard.h"
#include "trace/traffic.h"

#include <vector>

namespace lanescope::exporting {

/// The totals of one row of the report: "global_load".
struct TrafficTotals {
  trace::Space space = trace::Space::Global;
  trace::Traffic traffic = trace::Traffic::Load;
  trace::Totals totals;
  bool operator==(const TrafficTotals&) const = default;
};

/// [row] in the order of the report. For shared memory atomics and reductions are one row.
std::vector<TrafficTotals> traffic_totals(const trace::Trace& trace);

/// {"global_load": {"requests": n, ...}, ...}
Json totals_json(const std::vector<TrafficTotals>& totals);

/// What the accesses of this space cost: wavefronts of shared memory, sectors and lines of the others.
void add_costs(Json& json, trace::Space space, const trace::Totals& totals);

/// [{"file": ..., "line": n}, ...]
Json callers_json(const std::vector<Location>& called_from);

/// [{"kind": "race", "file": ..., "line": n, "message": ..., "block": [x,y,z], "thread": [x,y,z], ...}]
Json hazards_json(const std::vector<trace::Hazard>& hazards);

}  // namespace lanescope::exporting
