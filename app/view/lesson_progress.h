// What a student has done of a lesson, in words, and which lesson comes next. Test:
// tests/gui/lesson_panel_test.cpp

#pragma once

#include "view/context.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace lanescope::view {

/// "3 of 11 kernels, 1 of 4 exercises", of Available::lessons[lesson].
std::string progress_text(const Context& context, size_t lesson);
/// Whether a submission passed all checks of the exercise of the open lesson.
bool is_solved(const Context& context, std::string_view exercise);
/// The lesson after the open one: index of Available::lessons. Nothing after the last one.
std::optional<size_t> next_lesson(const Context& context);

}  // namespace lanescope::view
