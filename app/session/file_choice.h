// Changes of the file that is open, as commands ask for them: each leaves a new state in the choices, which
// is to be run. Tests: tests/unit/session/opened_file_test.cpp

#pragma once

#include "pipeline/options.h"
#include "session/command.h"
#include "session/snapshot.h"

#include <filesystem>
#include <optional>
#include <string>

namespace lanescope::session {

/// The lesson that this path means: a lesson's folder or its lesson.toml; empty for other files.
std::optional<std::string> lesson_at(const std::filesystem::path& path);

/// Opens a lesson, by its name or folder, in place of the lesson or file that is open.
Result<void> open_lesson(Choices& choices, const pipeline::Options& options, const std::string& name);
/// Opens a source, PTX or a launch file in place of the lesson or file that is open; its headers are searched
/// in these folders too. Errors: what is wrong with the file at first sight; then nothing changes.
Result<void> open_file(Choices& choices, const pipeline::Options& options, const std::filesystem::path& path,
                       const std::vector<std::string>& include_directories);
/// The same of a file that was read.
void open_file(Choices& choices, OpenedFile file);
void set_launches(Choices& choices, const pipeline::LaunchFile& launches);
/// Errors: those of guess_launch_file().
Result<void> take_host_launches(Choices& choices);
/// Errors: Usage for a kernel that the file lacks.
Result<void> choose_kernel(Choices& choices, const std::string& kernel);
/// The file was changed by another program: it is to be read again.
void forget_contents(Choices& choices);

}  // namespace lanescope::session
