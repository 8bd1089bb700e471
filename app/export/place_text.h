// A place in a source, in a line of a report. Tests: tests/unit/export/machine_report_test.cpp

#pragma once

#include "base/error.h"

#include <string>

#include <fmt/format.h>

namespace lanescope::exporting {

/// "k.cu:7"; "(no line)" where the PTX does not say it.
inline std::string place_text(const Location& where) {
  return where.line == 0 ? "(no line)" : fmt::format("{}:{}", where.file, where.line);
}

}  // namespace lanescope::exporting
