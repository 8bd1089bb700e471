// assets/recordings/README.md: kernels x sizes x figures of every recording there, and what its slices cost,
// as Markdown. Made by the target store_recordings; tests/unit/recordings/recording_table_test.cpp holds it
// fresh.

#pragma once

#include "pipeline/options.h"

#include <string>

namespace lanescope::recordings {

/// Of the lessons' kernels with the toggles as a lesson begins, in its own size of element.
Result<std::string> recording_tables(const pipeline::Options& options);

}  // namespace lanescope::recordings
