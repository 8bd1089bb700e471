// What is to be run once: text, macros, kernel, launch, and what the output must be.
// Tests: tests/unit/pipeline/job_test.cpp

#pragma once

#include "compile/compile.h"
#include "launch/launch.h"
#include "lesson/check.h"
#include "lesson/lesson.h"
#include "pipeline/options.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::pipeline {

/// What a lesson's kernel must have written into buffer 1 from buffer 0.
struct ExpectedOutput {
  std::string check;
  lesson::MatrixSize size;
  uint32_t element_bytes = 4;
  uint32_t tile = 32;
};

struct Job {
  enum class Text { Cuda, Ptx };
  Text text = Text::Cuda;
  compile::Source source;
  compile::Options options;
  std::string kernel;  // as written in the source or in the PTX; empty: the only one
  std::shared_ptr<const launch::Launch> launch;
  std::optional<ExpectedOutput> expected;
};

/// The job of a lesson as its toggles stand. Errors: File when a kernel's file cannot be read, Usage for a
/// toggle. `previous` may lend the contents of its buffers.
Result<Job> job_of(const lesson::Lesson& lesson, const lesson::Settings& settings, const Options& options,
                   const launch::Launch* previous = nullptr);

/// The same without a launch: enough to compile.
Result<Job> text_job_of(const lesson::Lesson& lesson, const lesson::Settings& settings,
                        const Options& options);

/// The source of a lesson's kernel with its headers, without a launch.
Result<compile::Source> source_of(const std::filesystem::path& kernels, const std::string& file);

/// A file of the user's, .cu or .ptx; the launch is for the caller to fill.
Result<Job> job_of_file(const std::filesystem::path& file);

/// The whole file; errors (File) say why not: missing, a folder, unreadable, larger than `limit_bytes`.
Result<std::string> read_text(const std::filesystem::path& file, uint64_t limit_bytes = uint64_t{64} << 20);

}  // namespace lanescope::pipeline
