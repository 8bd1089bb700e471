// The key by which recorded times of a kernel are found: what it computes and how it is launched, not its
// text. Method: XXH3, 128 bits, of the PTX without comments, line numbers and debug sections, and of the
// launch with the lesson's size toggle at two fixed sizes, a whole and a ragged one. An edited comment, or a
// new toggle that is off, leaves it as it is. Tests: tests/unit/recordings/kernel_key_test.cpp

#pragma once

#include "lesson/lesson.h"
#include "pipeline/execution.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::recordings {

/// PTX without comments, .loc, .file and .section, one instruction a line: equal for texts that run the same.
std::string bare_ptx(std::string_view ptx);

/// Grid, block, buffers and arguments of the kernel at two sizes, or at the current settings where the lesson
/// has no size toggle. Errors: those of lesson::make_launch().
Result<std::string> launch_shapes(const lesson::Lesson& lesson, const lesson::Settings& settings);

/// 32 hexadecimal digits; `shapes` is launch_shapes().
std::string kernel_key(std::string_view ptx, std::string_view entry, std::string_view shapes);

/// Keys of kernels, kept so that a toggle compiles and reads nothing again: as long as no file of the kernel
/// was written.
class KernelKeys {
 public:
  /// Errors: those of Execution::ptx_text() and launch_shapes().
  Result<std::string> key_of(const lesson::Lesson& lesson, const lesson::Settings& settings,
                             const pipeline::Options& options, pipeline::Execution& execution);

  /// Whether key_of() would return at once.
  bool knows(const lesson::Lesson& lesson, const lesson::Settings& settings,
             const pipeline::Options& options) const;

 private:
  struct Known {
    std::vector<std::filesystem::file_time_type> written;  // [file of the kernel]
    std::string key;
  };
  std::map<std::string, Known> known_;  // [files, macros and launch]
};

}  // namespace lanescope::recordings
