// What is to be run once: text, macros, kernel, launch, and what the output must be.
// Tests: tests/unit/pipeline/job_test.cpp

#pragma once

#include "compile/compile.h"
#include "launch/launch.h"
#include "lesson/launch_plan.h"
#include "lesson/lesson.h"
#include "pipeline/options.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::pipeline {

struct Job;

/// What a kernel must have written into a buffer: by a rule from another one, or what a reference kernel
/// writes there.
struct ExpectedOutput {
  size_t buffer = 0;
  std::optional<lesson::OutputRule> rule;
  size_t of = 0;                         // the buffer that the rule reads
  uint32_t tile = 1;                     // of the rules that move or turn tiles
  std::shared_ptr<const Job> reference;  // used where there is no rule
  size_t reference_buffer = 0;
};

struct Job {
  enum class Text { Cuda, Ptx };
  Text text = Text::Cuda;
  compile::Source source;
  compile::Options options;
  std::string kernel;   // as written in the source or in the PTX; empty: the only one
  std::string lesson;   // whose stored PTX may be used; empty: none
  bool caches = false;  // each run models them, where the device has rules
  std::string flips;    // "padding=2, element=8": toggles whose macros differ from the kernel's presets
  std::shared_ptr<const launch::Launch> launch;
  std::vector<Job> before;  // launched first, in this order, on the buffers of the same names
  std::optional<ExpectedOutput> expected;
};

/// The job of a lesson with these settings. Errors: File when a kernel's file cannot be read, Usage for a
/// toggle. `previous` may lend the contents of its buffers. Only a job with contents has an expected output.
Result<Job> job_of(const lesson::Lesson& lesson, const lesson::Settings& settings, const Options& options,
                   const launch::Launch* previous = nullptr,
                   lesson::Filling filling = lesson::Filling::Contents);

/// The same without a launch: enough to compile.
Result<Job> text_job_of(const lesson::Lesson& lesson, const lesson::Settings& settings,
                        const Options& options);

/// The files with the text of a lesson's kernel: its source, then the lesson's headers.
std::vector<std::filesystem::path> files_of(const lesson::Lesson& lesson, const lesson::Kernel& kernel,
                                            const Options& options);

/// A file of the user's, .cu or .ptx, as it is or as it is edited; the launch is for the caller to fill.
Result<Job> job_of_file(const std::filesystem::path& file,
                        const std::shared_ptr<const EditedFiles>& edited = nullptr);

/// The file as it is edited, else as it is on disk.
Result<std::string> text_of(const std::filesystem::path& file,
                            const std::shared_ptr<const EditedFiles>& edited);

}  // namespace lanescope::pipeline
