// The lessons' PTX, kept in assets/ptx so that every toggle works with no compiler: one file per kernel and
// set of macros, named by its content key. Made by the target store_ptx;
// tests/unit/pipeline/stored_ptx_test.cpp holds it fresh.

#pragma once

#include "pipeline/job.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::pipeline {

/// The release of NVRTC whose output is kept: the one that the set-up fetches. Another one may write other
/// PTX.
inline constexpr int kStoredMajor = 13;
inline constexpr int kStoredMinor = 0;

/// Where the PTX of this job is kept, whether or not it is there.
std::filesystem::path stored_ptx_file(const std::filesystem::path& assets, const Job& job);

/// A text that the toggles of a lesson can make, and settings that make it.
struct LessonText {
  std::string lesson;
  lesson::Settings settings;
  std::string key;  // its content key, the name of its stored PTX
  Job job;          // without a launch
};
/// Every text of every lesson, each once.
Result<std::vector<LessonText>> all_lesson_texts(const Options& options);

/// The text of a stored file: a line that says what it is, and the PTX.
std::string stored_text(const Job& job, std::string_view ptx);

/// Compiles what is missing or differs, removes what no lesson needs; returns how many files were written.
Result<size_t> store_all(const Options& options, const compile::Compiler& compiler);

}  // namespace lanescope::pipeline
