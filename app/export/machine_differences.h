// What the assembler changed of a kernel's memory instructions, by source line. Used by the report of the
// machine code and by the comparison with counters. Tests: tests/unit/export/machine_report_test.cpp

#pragma once

#include "sass/machine_level.h"
#include "trace/trace.h"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::exporting {

/// Sites of one source line and kind, of which the assembler made the same. Sites that it merged may be of
/// several lines.
struct MachineDifference {
  Location where;            // of the first site
  std::set<int> lines = {};  // of all sites
  trace::Operation operation;
  sass::Fate fate = sass::Fate::Removed;
  uint32_t sites = 0;
  bool is_counted = false;                  // as the machine code has it; else as the PTX
  bool is_apart = false;                    // lanes reconverge elsewhere: sass/reconvergence.h
  bool has_absent = false;                  // lanes without wavefronts: sass::FoldingSink::absent
  std::vector<uint32_t> instructions = {};  // indices in Match::accesses
  std::vector<std::string> names = {};      // of the instructions: "LDS.128"
  trace::Totals ptx;
  trace::Totals machine;
  sass::Election election = sass::Election::NoAtomic;  // of the last site
  uint64_t uneven = 0;                                 // FoldedTotals::uneven
};

/// Differences in the order of the sites. Sites that nothing executed are left out. `trace`: of the run, with
/// any totals.
std::vector<MachineDifference> machine_differences(const trace::Trace& trace,
                                                   const sass::MachineLevel& level);

/// "merged", "removed".
std::string_view word_of(sass::Fate fate);

/// "k.cu:7, 8: 2 shared loads of 4 bytes of the PTX are LDS.64 in the machine code: requests 64 -> 32", ready
/// for a terminal, without a line feed.
std::string text_of(const MachineDifference& difference);

}  // namespace lanescope::exporting
