// Which figure of models is requested, and its parameters. Tests: tests/unit/study/study_test.cpp

#pragma once

#include "base/text.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lanescope::study {

enum class Study : uint8_t {
  Strides,      // two maps of addresses
  Published,    // NVIDIA's published table and the model
  Assumptions,  // the effect of each assumption of the timing model
  Widths,       // bandwidth by the width of a matrix
  Queues,       // the partition queues of two kernels
  Traffic,      // the traffic of the current run over time
  Remedies,     // remedies against partition camping
  Roofline,     // the lesson's kernels on two devices
  Bound,        // the bound and recorded times
  Device,       // the numbers of the device's file
};
inline constexpr std::array kStudies{Study::Strides, Study::Published, Study::Assumptions, Study::Widths,
                                     Study::Queues,  Study::Traffic,   Study::Remedies,    Study::Roofline,
                                     Study::Bound,   Study::Device};

/// "strides": what `plot --figure` takes.
std::string_view name_of(Study study);
Text title_of(Study study);
/// Whether it is made with the timing model, which not every device has.
bool needs_timing(Study study);
/// Whether it shows the run that the window or the command line has, not only separate runs.
bool shows_current_run(Study study);
std::optional<Study> find_study(std::string_view name);

struct StudyRequest {
  Study study = Study::Queues;
  std::string left_map = "gt200", right_map = "h200";  // of Strides
  uint32_t accesses = 128;                             // of Strides
  uint32_t width_step = 16;                            // of Widths, in floats
  uint32_t seeds = 4;                                  // of Published: random starts
  std::string beside = {};                             // of Queues: the other kernel; empty: the lesson's
  bool operator==(const StudyRequest&) const = default;
};

}  // namespace lanescope::study
