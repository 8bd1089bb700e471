// A stored kernel on a matrix: its launch, as its lesson makes it from the toggles.

#pragma once

#include "lesson/launch_plan.h"
#include "support/stored_kernel.h"

#include <fmt/format.h>

namespace lanescope::tests {

/// The lesson of the transposes.
inline Result<lesson::Lesson> matrix_lesson(const std::filesystem::path& project = tests::source_dir()) {
  return lesson::find_lesson(project / "assets/lessons", "transpose");
}

/// The lesson's kernel with this source.
inline const lesson::Kernel& kernel_of(const lesson::Lesson& lesson, const StoredKernel& stored) {
  return *std::ranges::find(lesson.kernels, stored.file, &lesson::Kernel::file);
}

inline Result<launch::Launch> launch_of(const lesson::Lesson& lesson, const StoredKernel& stored,
                                        lesson::MatrixSize size) {
  lesson::Settings settings = lesson::initial_settings(lesson);
  const lesson::Kernel& kernel = kernel_of(lesson, stored);
  settings.kernel = kernel.name;
  settings.values["size"] = fmt::format("{}x{}", size.width, size.height);
  for (const lesson::Toggle& toggle : lesson.toggles)
    for (const lesson::Choice& choice : toggle.choices)
      if (const auto define = stored.defines.find(toggle.define);
          define != stored.defines.end() && define->second == choice.define)
        settings.values[toggle.name] = choice.value;
  return lesson::make_launch(lesson, kernel, settings);
}

}  // namespace lanescope::tests
