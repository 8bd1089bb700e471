// The history of one warp, for `lanescope trace --history`: a line per instruction with its changes, and the
// same as JSON. Tests: tests/unit/export/history_report_test.cpp

#pragma once

#include "export/json.h"
#include "trace/history.h"

#include <cstdint>
#include <span>
#include <string>

namespace lanescope::exporting {

/// "7" for equal values, "0, 4 .. 124" for evenly spaced ones, else all of them.
std::string lanes_text(trace::History::Meaning meaning, uint32_t bytes, std::span<const uint64_t> values);

/// `grid` gives the block's coordinates.
std::string history_text(const trace::History& history, Dim3 grid);
Json history_json(const trace::History& history, Dim3 grid);

}  // namespace lanescope::exporting
