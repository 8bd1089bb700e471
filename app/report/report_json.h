// A report as JSON, and what another report is compared with read back. The names are a contract:
// app/docs/schemas/report.schema.json. Tests: tests/unit/report/written_reports_test.cpp,
// tests/documents/schemas_test.py

#pragma once

#include "base/error.h"
#include "report/comparison.h"
#include "report/report.h"

#include <filesystem>
#include <string>

namespace lanescope::report {

std::string json_report(const Report& report);

/// The baseline in a report's file. Errors: File; Syntax where it is no report, or of another format.
Result<Baseline> read_baseline(const std::filesystem::path& file);

}  // namespace lanescope::report
