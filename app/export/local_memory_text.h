// What a thread's local memory is for, as lines of a report and as JSON. Tests:
// tests/unit/export/machine_report_test.cpp

#pragma once

#include "export/json.h"
#include "sass/local_memory.h"

#include <string>

namespace lanescope::exporting {

/// "  k.cu:7, 9: an array that is indexed by a variable: 12 bytes of each thread in local memory", and "  8
/// bytes of each thread are spilled by the assembler: k.cu:12 (2 stores), k.cu:30 (2 loads)", each with a
/// line feed; empty where there is neither.
std::string local_memory_text(const sass::LocalMemory& local);

/// {"arrays": [{"bytes", "lines"}], "spilled_bytes", "spills": [{"file", "line", "loads", "stores"}]}
Json local_memory_json(const sass::LocalMemory& local);

}  // namespace lanescope::exporting
