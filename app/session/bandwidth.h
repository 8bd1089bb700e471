// The recorded bandwidth of a lesson's kernels side by side, as its toggles stand. Tests:
// tests/unit/session/bandwidth_test.cpp

#pragma once

#include "lesson/lesson.h"
#include "plot/figures.h"
#include "session/options.h"
#include "session/recording.h"

#include <optional>

namespace lanescope::session {

/// Every kernel of the lesson with the toggles as they stand (its own presets where it has some), the chosen
/// one with exactly these. None where the chosen kernel or the size was not recorded: a kernel of which that
/// is so is left out.
std::optional<plot::Bandwidth> recorded_bandwidth(const Recording& recording, const lesson::Lesson& lesson,
                                                  const lesson::Settings& settings, Language language,
                                                  const Options& options);

}  // namespace lanescope::session
