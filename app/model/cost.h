// What one access costs on a device of compute capability 5.0 and later: the function that the counting sink
// calls for every access, so it has fast paths for affine addresses. Always equal to count_banks and
// count_sectors: tests/unit/model/cost_test.cpp compares them on random accesses.

#pragma once

#include "trace/totals.h"

namespace lanescope::model {

trace::Cost cost_of(const trace::WarpAccess& access);

}  // namespace lanescope::model
