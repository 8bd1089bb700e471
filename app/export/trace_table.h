// The report of `lanescope trace` as a table for people: totals, then a row for each source line and kind of
// access, those that waste most first. Method: an access wastes what it transfers beyond the ideal, 32 bytes
// for a sector and 128 for a wavefront; copies of a line that the compiler unrolled or inlined at several
// places are one row, and what the functions of a header access counts for the line that calls them. Tests:
// tests/unit/export/trace_table_test.cpp, tests/cli/trace_test.cpp

#pragma once

#include "trace/trace.h"

#include <string>

namespace lanescope::exporting {

enum class TableRows : uint8_t { Lines, Sites };

struct TableStyle {
  TableRows rows = TableRows::Lines;
  bool colored = false;  // with escape sequences: green is ideal, yellow is excess
};

/// The file of the kernel, whose lines the rows are.
struct TableSource {
  std::string file;
  std::string text;
};

/// Each line ends with a line feed; no text of the trace or the source can contain a control character.
std::string trace_table(const trace::Trace& trace, const TableSource& source, const TableStyle& style);

}  // namespace lanescope::exporting
