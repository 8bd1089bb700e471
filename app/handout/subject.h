// What a page shows and may run again: a lesson, launches of a person's file, or a run whose trace is kept.

#pragma once

#include "lesson/lesson.h"
#include "pipeline/file_job.h"
#include "pipeline/launch_file.h"
#include "pipeline/run.h"

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace lanescope::handout {

/// The settings that a reader may choose: values of toggles, and of "kernel". A toggle that is not here keeps
/// the value that the kernel begins with.
using Offer = std::vector<std::pair<std::string, std::vector<std::string>>>;

/// Launches whose buffers have the sizes that a run needed. They are of one file.
struct FileLaunches {
  pipeline::LaunchFile launches;  // without the macros of `macros`
  pipeline::FileOptions options;
  Offer macros;  // that the reader may choose values of
};

/// A run has nothing to choose; it may be of a saved trace.
using Subject =
    std::variant<std::shared_ptr<const lesson::Lesson>, FileLaunches, std::shared_ptr<const pipeline::Run>>;

}  // namespace lanescope::handout
