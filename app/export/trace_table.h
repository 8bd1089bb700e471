// The report of `lanescope trace` as a table for people: totals, then a row for each source line and kind of
// access, those that waste most first. Method: an access wastes what it transfers beyond the ideal, 32 bytes
// for a sector and 128 for a wavefront; copies of a line that the compiler unrolled or inlined at several
// places are one row, and what the functions of a header access counts for the line that calls them. Tests:
// tests/unit/export/trace_table_test.cpp, tests/cli/trace_test.cpp

#pragma once

#include "export/cost_rows.h"
#include "model/device.h"
#include "trace/trace.h"

#include <string>

namespace lanescope::exporting {

struct TableStyle {
  TableRows rows = TableRows::Lines;
  bool colored = false;  // with escape sequences: green is ideal, yellow is excess
};

/// Each line ends with a line feed; no text of the trace or the source can contain a control character.
std::string trace_table(const trace::Trace& trace, const TableSource& source, const TableStyle& style);

/// The costs of the stored accesses in the units of a device older than compute capability 5.0, as a table;
/// empty for later ones, whose units are those of trace_table(). MODEL: the rules of these devices
/// (model/device_counts.h).
std::string device_table(const trace::Trace& trace, const model::Device& device);

}  // namespace lanescope::exporting
