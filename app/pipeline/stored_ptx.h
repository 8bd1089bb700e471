// The PTX of each lesson's kernels at their presets, kept in assets/ptx/LESSON/KERNEL.ptx so that they run
// with no compiler. Other toggles are compiled when they are flipped. Method: the first line says what the
// file was compiled from, with its content key; a file whose key is another one is not used. Made by the
// target store_ptx; tests/unit/pipeline/stored_ptx_test.cpp holds it fresh.

#pragma once

#include "pipeline/job.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::pipeline {

/// The release of NVRTC whose output is kept: the one that the set-up fetches. Another one may write other
/// PTX.
inline constexpr int kStoredMajor = 13;
inline constexpr int kStoredMinor = 0;

/// A text that the toggles of a lesson can make, and settings that make it.
struct LessonText {
  std::string lesson;
  lesson::Settings settings;
  std::string key;  // its content key
  Job job;          // without a launch
};
/// Every text that the toggles of a lesson can make, each once.
Result<std::vector<LessonText>> all_texts(const lesson::Lesson& lesson, const Options& options);
/// The same of every lesson.
Result<std::vector<LessonText>> all_lesson_texts(const Options& options);
/// Each kernel and reference of every lesson at its presets: what is stored.
Result<std::vector<LessonText>> preset_texts(const Options& options);

/// Where the PTX of a preset is kept, whether or not it is there.
std::filesystem::path stored_ptx_file(const std::filesystem::path& assets, const LessonText& text);
/// The text of a stored file: a line that says what it is, and the PTX.
std::string stored_text(const Job& job, std::string_view ptx);
/// The stored PTX of this very text; none where it is no preset, or was stored from another one.
std::optional<std::string> find_stored_ptx(const std::filesystem::path& assets, const Job& job);

/// Compiles what is missing or differs, removes what no lesson needs; returns how many files were written.
Result<size_t> store_all(const Options& options, const compile::Compiler& compiler);

}  // namespace lanescope::pipeline
