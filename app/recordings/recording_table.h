// Writes assets/recordings/README.md: tables of every recording there, kernels by sizes, and of the slices of
// the L2. Run by the target store_recordings; tests/unit/recordings/recording_table_test.cpp checks that the
// stored file is up to date.

#pragma once

#include "pipeline/options.h"

#include <string>

namespace lanescope::recordings {

/// Markdown tables of the lessons' kernels with their initial settings.
Result<std::string> recording_tables(const pipeline::Options& options);

}  // namespace lanescope::recordings
