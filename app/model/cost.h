// What one access costs on a device of compute capability 5.0 and later: the function that the counting sink
// calls for every access, so it has fast paths for affine addresses. Equal to count_banks and count_sectors
// on every access: tests/unit/model/cost_test.cpp compares them on random ones.

#pragma once

#include "trace/totals.h"

namespace lanescope::model {

trace::Cost cost_of(const trace::WarpAccess& access);

}  // namespace lanescope::model
