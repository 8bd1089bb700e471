// Lines whose lanes diverge, with how the machine code lets them reconverge: as lines of a report and as
// JSON. Tests: tests/unit/export/machine_report_test.cpp

#pragma once

#include "export/json.h"
#include "sass/machine_level.h"
#include "trace/trace.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::exporting {

/// Accesses of a source line of which fewer than three quarters of the lanes take part, on average.
struct DivergentLine {
  enum class How : uint8_t {
    Barrier,    // a BSSY encloses them, and lanes wait at its BSYNC
    Predicate,  // they are predicated: no lane branches, and none waits
    Apart,      // no barrier encloses them: where their lanes reconverge is not in the code
  };
  Location where;
  trace::Operation operation;
  uint64_t requests = 0, lanes = 0;
  How how = How::Apart;
  bool is_guarded = false;                             // by a predicate
  sass::ConvergenceInstruction bssy = {}, bsync = {};  // for How::Barrier
};

/// In the order of the sites; those of one line, kind and barrier together.
std::vector<DivergentLine> divergent_lines(const trace::Trace& trace, const sass::MachineLevel& level);

/// "  k.cu:9: 3.2 of 32 lanes on average; those that pass k.cu:6 (BSSY at 0x70) wait for each other at
/// k.cu:14 (BSYNC at 0x380)", a line for each.
std::string divergence_text(const trace::Trace& trace, const sass::MachineLevel& level);
Json divergence_json(const trace::Trace& trace, const sass::MachineLevel& level);

}  // namespace lanescope::exporting
