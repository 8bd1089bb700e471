// What each line of a source costs over the whole grid. Tests: tests/unit/pipeline/line_costs_test.cpp

#pragma once

#include "model/device.h"
#include "pipeline/run.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace lanescope::pipeline {

/// [line - 1] of the source `source_name`, which has `lines` lines: the totals of the sites on that line.
/// `totals`: [site].
std::vector<LineCost> cost_of_lines(const trace::Trace& trace, const std::vector<trace::Totals>& totals,
                                    std::string_view source_name, size_t lines);

/// Sets the totals by the rules of an older device, and the costs of the lines.
void set_totals(Run& run, std::vector<trace::Totals> totals);
/// Sets the totals by the rules of the device and, where the source is known, the costs of its lines. The
/// caches of the run come before.
void add_costs(Run& run, const model::Device& device);

}  // namespace lanescope::pipeline
