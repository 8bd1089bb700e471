// Recorded or measured bandwidth of a lesson's kernels side by side, as its toggles stand, with what the
// hardware counted beside what the emulator did. Tests: tests/unit/recordings/bandwidth_test.cpp

#pragma once

#include "lesson/lesson.h"
#include "pipeline/options.h"
#include "plot/figures.h"
#include "recordings/kernel_key.h"
#include "recordings/recording.h"

#include <optional>
#include <vector>

namespace lanescope::recordings {

/// The settings under which each kernel of the lesson stands beside the chosen one: the toggles as they are,
/// its own presets where it has some, the chosen one with exactly these; in the order of `lesson.kernels`,
/// empty for one that these toggles cannot make.
std::vector<std::optional<lesson::Settings>> settings_beside(const lesson::Lesson& lesson,
                                                             const lesson::Settings& settings);

/// What the emulator counted, under the hardware's names: global sectors and requests, shared wavefronts.
trace::HardwareCounts emulated_counts(const trace::Trace& trace);

/// None where the chosen kernel or the size was not recorded: a kernel of which that is so is left out. The
/// provenance is `recording`'s: Recorded, or Measured for one that was made just now.
std::optional<plot::Bandwidth> bandwidth_of(const Recording& recording, Provenance provenance,
                                            const lesson::Lesson& lesson, const lesson::Settings& settings,
                                            Language language, const pipeline::Options& options,
                                            KernelKeys& keys, pipeline::Execution& execution);

}  // namespace lanescope::recordings
