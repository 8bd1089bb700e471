// The report of one launch: its costs by line, and what to change. Method: a line that costs more than its
// ideal is a finding; what it gains is the bound without its excess (caches/savings.h), with the caches of
// the run or, of a saved trace, of its stored accesses. Tests: tests/unit/report/launch_report_test.cpp

#pragma once

#include "model/device.h"
#include "pipeline/run.h"
#include "report/report.h"
#include "report/source_texts.h"

namespace lanescope::report {

/// `device`: of compute capability 5.0 or later, by whose caches the time is modelled. Fills all but number
/// and times; `all` is the cost of one launch. The names of files are as the run has them, and the sentences
/// in `language`.
LaunchReport launch_report(const pipeline::Run& run, const model::Device& device, SourceTexts& sources,
                           Language language);

}  // namespace lanescope::report
