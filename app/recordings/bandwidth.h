// Recorded or measured bandwidth of a lesson's kernels side by side, as its toggles stand, with what the
// hardware counted beside what the emulator did. Tests: tests/unit/recordings/bandwidth_test.cpp

#pragma once

#include "lesson/lesson.h"
#include "pipeline/options.h"
#include "plot/figures.h"
#include "recordings/recording.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::recordings {

/// Content keys of texts, kept so that a toggle reads no kernel's file again: as long as neither the file nor
/// the header that all share was written.
class TextKeys {
 public:
  Result<std::string> key_of(const lesson::Lesson& lesson, const lesson::Settings& settings,
                             const pipeline::Options& options);

 private:
  struct Known {
    std::filesystem::file_time_type written;  // of the newer of the two files
    std::string key;
  };
  std::map<std::string, Known> known_;  // [file and macros]
};

/// The side of the lesson's matrix, if it is square.
std::optional<uint32_t> side_of(const lesson::Settings& settings);

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
                                            TextKeys& keys);

}  // namespace lanescope::recordings
