// The names that the live numbers of a lesson's text may use, and their values in a run: counts of the
// accesses, of a marked source line, banks, instructions, hazards, partitions, toggles, elements of buffers
// (app/docs/lessons.md lists them). Tests:
// tests/unit/pipeline/lesson_prose_test.cpp

#pragma once

#include "lesson/lesson.h"
#include "pipeline/run.h"

#include <string_view>

namespace lanescope::pipeline {

/// What a text speaks of.
struct Told {
  const lesson::Lesson& lesson;
  const lesson::Settings& settings;
  const Run& run;
  /// Those of the run where the text is about its device, else sectors and wavefronts.
  model::CostUnits units = model::CostUnits::Sectors;
  int banks = 32;
};

/// The units of a lesson's text: it is about one device, by whose rules its numbers are counted where that is
/// the chosen one.
model::CostUnits units_of_text(const lesson::Lesson& lesson, const model::Device& device);

/// What a text on the run says with `device` chosen. Borrows from all but the device.
Told told_of(const lesson::Lesson& lesson, const lesson::Settings& settings, const Run& run,
             const model::Device& device);

/// The value of one name: "sectors_per_request", "shared_load.wavefronts", "column.lanes", "hazards",
/// "padding", "out[3]", "sum.out". Errors: Usage, with what there is.
Result<double> live_number(const Told& told, std::string_view name);

}  // namespace lanescope::pipeline
