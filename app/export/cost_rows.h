// What the accesses of a trace cost, in rows: one for each source line and kind of access, or one for each
// site. Method: copies of a line that the compiler unrolled or inlined at several places are one row, and
// what the functions of a header access counts for the line that calls them. Tests:
// tests/unit/export/trace_table_test.cpp, tests/unit/report/launch_report_test.cpp

#pragma once

#include "base/error.h"
#include "trace/trace.h"
#include "trace/traffic.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::exporting {

enum class TableRows : uint8_t { Lines, Sites };

/// The file of the kernel, whose lines the rows are.
struct TableSource {
  std::string file;
  std::string text;
};

struct CostRow {
  std::string line;    // "17", "tools.h:17"; "-": the compiler merged several lines
  std::string access;  // "global load"; of a site its instruction
  std::string source;  // the line's text; after that of a caller, "(in tools.h)"
  Location where;      // of that line; line 0 where it is not known
  bool is_shared = false;
  bool has_cost = true;  // not of textures and surfaces, which have no addresses
  trace::Totals totals;
  std::vector<SiteId> sites = {};      // that it sums up, at least one
  std::optional<uint32_t> start = {};  // byte in a sector at which the lanes of an unaligned access begin
};

/// Wavefronts of shared memory, sectors of other.
uint64_t cost_of(const CostRow& row);
uint64_t ideal_of(const CostRow& row);
/// Bytes that are transferred beyond the ideal: 32 for a sector, 128 for a wavefront.
uint64_t waste_of(const CostRow& row);
/// Whether each request takes a sector too many since its lanes, which fill their sectors, begin within one.
bool is_unaligned(const CostRow& row);

/// Rows of lines are in the order of their waste, rows of sites in that of the PTX. No text of a row has a
/// control character.
std::vector<CostRow> cost_rows(const trace::Trace& trace, const TableSource& source, TableRows kind);

/// How a row compares with its ideal: "ideal", "8x uncoalesced", "1.25x: starts 4 bytes into a sector".
std::string verdict_of(const CostRow& row);

/// "global load", "shared async copy".
std::string traffic_name(trace::Space space, trace::Traffic traffic);

}  // namespace lanescope::exporting
