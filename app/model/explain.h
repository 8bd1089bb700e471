// Explains the cost of an access in one or two short sentences with its actual values. Method: the first case
// that fits, from the most specific (a formula of the lane) to the most general (the counts). Every number
// comes from the report or the access. Tests: tests/unit/model/explain_test.cpp

#pragma once

#include "base/text.h"
#include "model/banks.h"
#include "model/sectors.h"
#include "trace/access.h"

#include <string>

namespace lanescope::model {

/// `report` is count_banks(access). Empty for an access without lanes.
std::string explain(const BankReport& report, const trace::WarpAccess& access, Language language);
/// `report` is count_sectors(access). Empty for an access that has no sectors.
std::string explain(const SectorReport& report, const trace::WarpAccess& access, Language language);

}  // namespace lanescope::model
