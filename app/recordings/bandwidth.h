// Recorded or measured bandwidth of a lesson's kernels with the current settings, with the counts of the
// hardware and of the emulator. Tests: tests/unit/recordings/bandwidth_test.cpp

#pragma once

#include "lesson/lesson.h"
#include "pipeline/options.h"
#include "plot/figures.h"
#include "recordings/kernel_key.h"
#include "recordings/recording.h"

#include <optional>
#include <vector>

namespace lanescope::recordings {

/// The settings with which each kernel of the lesson is compared with the chosen one: the current toggles,
/// with the kernel's presets where it has some, in the current size; the chosen kernel has exactly the
/// current ones. In the order of `lesson.kernels`; empty for a kernel that the toggles exclude.
std::vector<std::optional<lesson::Settings>> settings_beside(const lesson::Lesson& lesson,
                                                             const lesson::Settings& settings);

/// The emulator's counts under the names of the hardware's: global sectors and requests, shared wavefronts.
trace::HardwareCounts emulated_counts(const trace::Trace& trace);

/// The sizes at which the chosen kernel was recorded with the other toggles as they are, rising.
std::vector<uint32_t> sizes_of(const Recording& recording, const lesson::Lesson& lesson,
                               const lesson::Settings& settings, const pipeline::Options& options,
                               KernelKeys& keys, pipeline::Execution& execution);

/// A number for each kernel of the lesson, equal for those that must write the same.
size_t work_of(const lesson::Lesson& lesson, const lesson::Kernel& kernel);

/// The bars of all recorded kernels; absent where the chosen kernel or the size was not recorded. The size is
/// that of the settings; as long as that is the initial one, Lesson::times_size where it was recorded: a run
/// of the emulator is too small to fill a GPU. `provenance` is that of `recording`: Recorded, or Measured in
/// this session.
std::optional<plot::Bandwidth> bandwidth_of(const Recording& recording, Provenance provenance,
                                            const lesson::Lesson& lesson, const lesson::Settings& settings,
                                            Language language, const pipeline::Options& options,
                                            KernelKeys& keys, pipeline::Execution& execution);

}  // namespace lanescope::recordings
