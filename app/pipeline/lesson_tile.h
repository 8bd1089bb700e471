// The layout lab's question about the tile that a lesson's kernel arranges by its toggles. Tests:
// tests/unit/pipeline/lesson_tile_test.cpp

#pragma once

#include "layout/report.h"
#include "lesson/lesson.h"

#include <optional>

namespace lanescope::pipeline {

/// None where the kernel has no such tile. A kernel that pads and swizzles has the padding in the strides of
/// its layout. Errors: those of the lesson's expressions.
Result<std::optional<layout::QuestionText>> tile_question(const lesson::Lesson& lesson,
                                                          const lesson::Settings& settings);

}  // namespace lanescope::pipeline
