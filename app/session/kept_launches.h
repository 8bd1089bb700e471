// The launches that a person chose for a file, kept between starts. Method: a launch file for each opened
// file in a folder of the person's configuration, named by the file's name and a hash of its path.
// Tests: tests/unit/session/opened_file_test.cpp

#pragma once

#include "pipeline/launch_file.h"

#include <filesystem>
#include <optional>

namespace lanescope::session {

/// Nothing where none are kept, or what is kept cannot be read. An empty `folder` keeps none.
std::optional<pipeline::LaunchFile> find_kept_launches(const std::filesystem::path& folder,
                                                       const std::filesystem::path& file);
/// A folder that cannot be written keeps nothing: the launches are a convenience.
void keep_launches(const std::filesystem::path& folder, const std::filesystem::path& file,
                   const pipeline::LaunchFile& launches);

}  // namespace lanescope::session
