// A lecture as slides: for each step the figures that its sentence is about, and the sentence. A step that
// asks for a prediction becomes two slides: the question without figures, and the answer. Tests:
// tests/cli/lecture_test.cpp

#pragma once

#include "export/slides.h"
#include "session/session.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace lanescope::shell {

/// The steps from `first` to `last`, from 1; 0: to the end.
struct StepRange {
  size_t first = 1, last = 0;
};
/// "2-5", "3", or "" for all. Errors: Usage.
Result<StepRange> parse_steps(const std::string& text);

/// Calls f with what is shown at each of these steps, after its run. Errors: those of a step and of f; Usage
/// for steps that there are not.
Result<void> for_each_step(session::Session& session, const std::string& lecture, StepRange steps,
                           const std::function<Result<void>(const session::Snapshot&)>& f);

/// The slides of these steps of the lecture, each after its run. Errors: those of a step; Usage for steps
/// that there are not.
Result<std::vector<exporting::Slide>> slides_of(session::Session& session, const std::string& lecture,
                                                StepRange steps);

/// Writes slides, or with the program ffmpeg a film (.mp4). Returns the files. Errors: those of
/// exporting::write_slides(); Unsupported where ffmpeg is missing or fails.
Result<std::vector<std::filesystem::path>> write_lecture(const std::vector<exporting::Slide>& slides,
                                                         const std::filesystem::path& file,
                                                         const exporting::Style& style);
/// Errors: Usage for an extension that is none of those.
Result<void> check_lecture_format(const std::filesystem::path& file);

}  // namespace lanescope::shell
