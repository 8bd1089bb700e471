// What the assembler made of a kernel's memory instructions, beside what the PTX says: the differences by
// source line, as text and as JSON. Tests: tests/unit/export/machine_report_test.cpp,
// tests/cli/level_test.cpp

#pragma once

#include "export/json.h"
#include "model/device.h"
#include "sass/machine_level.h"
#include "trace/trace.h"

#include <string>

namespace lanescope::exporting {

/// Registers, local memory and what it is for, the blocks that they leave room for on a multiprocessor of the
/// device, the share of the requests whose instructions are known, a line for each source line whose counts
/// differ, and one for each whose lanes diverge. Each line ends with a line feed. `trace`: of the run, with
/// any totals.
std::string machine_text(const trace::Trace& trace, const sass::MachineLevel& level,
                         const model::Device& device);

/// What machine_text() says, for programs: docs/schemas/trace.schema.json.
Json machine_json(const trace::Trace& trace, const sass::MachineLevel& level, const model::Device& device);

}  // namespace lanescope::exporting
