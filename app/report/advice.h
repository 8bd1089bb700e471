// What to change about a line that costs more than its ideal, in a sentence. Tests:
// tests/unit/report/launch_report_test.cpp

#pragma once

#include "base/text.h"
#include "export/cost_rows.h"
#include "trace/access.h"

#include <string>

namespace lanescope::report {

/// `access`: the costliest of the row; null where none is stored.
std::string advice_for(const exporting::CostRow& row, const trace::Operation& operation,
                       const trace::WarpAccess* access, Language language);

}  // namespace lanescope::report
