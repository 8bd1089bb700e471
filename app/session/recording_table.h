// assets/recordings/README.md: kernels x sizes x figures of every recording there, and what its slices cost,
// as Markdown. Made by the target store_recordings; tests/unit/session/recording_table_test.cpp holds it
// fresh.

#pragma once

#include "session/options.h"

#include <string>

namespace lanescope::session {

/// Of the lessons' kernels with the toggles as a lesson begins, in its own size of element.
Result<std::string> recording_tables(const Options& options);

}  // namespace lanescope::session
