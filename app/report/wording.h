// Sentences that the written reports share, in the language of the reader. Tests:
// tests/unit/report/written_reports_test.cpp

#pragma once

#include "model/bound.h"
#include "report/report.h"
#include "report/words.h"

#include <string>

namespace lanescope::report {

/// "1 sector", "1,048 wavefronts"; empty without a unit.
std::string cost_words(Language language, uint64_t cost, Unit unit);

/// "16", "16 x 8", "16 x 8 x 2".
std::string extent_words(Dim3 extent);

/// "4.2 us", "1.3 ms".
std::string duration_words(Language language, double seconds);

/// "emulated".
std::string_view provenance_words(Language language, Provenance provenance);

/// "worse".
std::string_view verdict_words(Language language, Change::Verdict verdict);

/// "the DRAM".
std::string_view level_words(Language language, model::Level level);

/// "global load" of LineCost::access and Finding::access; in French "lecture globale".
std::string access_words(Language language, std::string_view access);

/// Makes a first small letter, of English or an é, a capital one.
void begin_with_capital(std::string& sentence);

/// A short heading for a kind of finding: "Excess sectors".
std::string heading_of(Language language, const std::string& kind);

/// What a kind of finding is, and of a cost what to change; empty for an unknown one.
std::string_view meaning_of(Language language, const std::string& kind);

/// "It takes at least 4.2 us, which the DRAM decides; without the excess of all lines 1.50 times faster".
std::string bound_words(Language language, const Bound& bound);

/// "kernel.cu:17"; empty where the line is not known.
std::string place_words(const Location& where);

/// "about 2.31 times faster", "no gain: the DRAM decides"; empty where it is not known.
std::string gain_words(Language language, const Finding& finding);

/// What a change of a measure is: "1,024 -> 2,048 sectors (+100.0 %)".
std::string change_words(Language language, const Change& change);

/// "Launch 2, one of 3 alike: grid 16, block 32 x 8".
std::string launch_words(Language language, const LaunchReport& launch);

/// Of a launch that counts the machine code, a sentence with the share that is matched; else empty.
std::string level_sentence(Language language, const LaunchReport& launch);

/// The outcome in a sentence: "2 launches of 1 kernel; 1 hazard, 3 lines or launches to improve."
std::string summary_of(const Report& report);

/// The comparison in a sentence: "Worse than base.json: 1 new finding, 2 measures worse by more than 1 %."
std::string verdict_of(Language language, const Comparison& comparison);

/// What the numbers are and how they came about, sentences.
std::string method_of(const Report& report);

}  // namespace lanescope::report
