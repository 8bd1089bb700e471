// A report as one HTML page, which needs no network and runs nothing: light and dark as the reader's system
// asks for, printable, and on narrow screens with tables as cards. Names and texts of the source are text,
// whatever markup they hold. Tests: tests/unit/report/written_reports_test.cpp,
// tests/documents/report_page_test.py

#pragma once

#include "base/error.h"
#include "report/report.h"

#include <string>

namespace lanescope::report {

/// Errors: Internal where a picture cannot be drawn.
Result<std::string> html_report(const Report& report);

}  // namespace lanescope::report
