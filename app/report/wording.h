// Sentences that the written reports share. Tests: tests/unit/report/written_reports_test.cpp

#pragma once

#include "report/report.h"

#include <string>

namespace lanescope::report {

/// "1,048,576".
std::string count(uint64_t value);

/// "1 sector", "1,048 wavefronts"; empty without a unit.
std::string cost_words(uint64_t cost, Unit unit);

/// "16", "16 x 8", "16 x 8 x 2".
std::string extent_words(Dim3 extent);

/// "4.2 us", "1.3 ms".
std::string duration_words(double seconds);

/// "It takes at least 4.2 us, which the DRAM decides; without the excess of all lines 1.50 times faster".
std::string bound_words(const Bound& bound);

/// "kernel.cu:17"; empty where the line is not known.
std::string place_words(const Location& where);

/// "about 2.31 times faster", "no gain: the DRAM decides"; empty where it is not known.
std::string gain_words(const Finding& finding);

/// What a change of a measure is: "1,024 -> 2,048 sectors (+100.0 %)".
std::string change_words(const Change& change);

/// The outcome in a sentence: "2 launches of 1 kernel; 3 findings, 1 hazard; 1 finding is suppressed."
std::string summary_of(const Report& report);

/// The comparison in a sentence: "Worse than base.json: 1 new finding, 2 measures worse by more than 1 %."
std::string verdict_of(const Comparison& comparison);

/// What the numbers are and how they came about, sentences.
std::string method_of(const Report& report);

}  // namespace lanescope::report
