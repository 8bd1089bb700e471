// The JSON report of `lanescope layout`. The names are a contract that scripts rely on. Tests:
// tests/cli/layout_test.cpp

#pragma once

#include "layout/report.h"
#include "layout/search.h"

#include <optional>
#include <string>
#include <vector>

namespace lanescope::exporting {

/// `emulated`: what a run of the generated kernels counted, [access]; empty where none was asked for.
struct LayoutCounts {
  std::vector<layout::AccessCost> emulated;
  std::optional<layout::Found> found;
};

std::string layout_report(const layout::Report& report, const LayoutCounts& counts);

}  // namespace lanescope::exporting
