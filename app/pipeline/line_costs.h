// What each line of a source costs over the whole grid. Tests: tests/unit/pipeline/line_costs_test.cpp

#pragma once

#include "pipeline/run.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace lanescope::pipeline {

/// [line - 1] of the source `source_name`, which has `lines` lines: the totals of the sites on that line.
std::vector<LineCost> cost_of_lines(const trace::Trace& trace, std::string_view source_name, size_t lines);

}  // namespace lanescope::pipeline
