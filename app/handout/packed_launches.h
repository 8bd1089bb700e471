// Launches of a person's file in a page: its source, the PTX of each choice of its macros, what its buffers
// begin with, and a file in JSON that says how they are launched. The program writes them, and the module of
// the page reads them. Test: tests/unit/handout/packed_launches_test.cpp

#pragma once

#include "handout/files.h"
#include "handout/subject.h"

#include <filesystem>
#include <string>
#include <vector>

namespace lanescope::handout {

/// Bytes of all files that buffers begin with, at most.
inline constexpr uint64_t kMostArrayBytes = uint64_t{4} << 20;
/// Texts that the macros' choices may make.
inline constexpr size_t kMostTexts = 64;

/// "NAME=A,B" as the macro NAME with its values. Errors: Usage.
Result<Offer> parse_macros(const std::vector<std::string>& words);

/// Takes the macros of `launches.macros` out of the definitions of its options and launches. Returns the
/// settings that a reader begins with: the value that a definition gave, else the first.
lesson::Settings take_macros(FileLaunches& launches);

/// The launches with the macros at these values.
pipeline::LaunchFile launches_at(const FileLaunches& launches, const lesson::Settings& settings);

/// Errors: Limit for buffers' files that are larger than kMostArrayBytes, or more than kMostTexts; File.
Result<PackedFiles> files_of(const FileLaunches& launches, const model::Device& device,
                             const pipeline::Options& options, pipeline::Execution& execution);

/// What files_of() packed, at its place; `options` get the PTX as their compiler. Errors: File, Syntax.
Result<FileLaunches> read_packed_launches(const std::filesystem::path& file, pipeline::Options& options);

}  // namespace lanescope::handout
