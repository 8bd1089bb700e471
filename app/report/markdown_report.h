// A report as Markdown, short enough for the summary of a CI's job or a comment. Names and texts of the
// source are text, whatever markup they hold. Tests: tests/unit/report/written_reports_test.cpp

#pragma once

#include "report/report.h"

#include <string>
#include <string_view>

namespace lanescope::report {

/// `text` in which no character is markup of Markdown or HTML, in one line.
std::string markdown_text(std::string_view text);

/// The same as code; empty for an empty text.
std::string markdown_code(std::string_view text);

std::string markdown_report(const Report& report);

}  // namespace lanescope::report
