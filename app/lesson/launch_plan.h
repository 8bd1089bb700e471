// The launch of a lesson's kernel: the plan's expressions with the toggles' current values.
// A toggle counts as the number that its macro gets; one that the kernel ignores has its initial value.
// Tests: tests/unit/lesson/lesson_test.cpp

#pragma once

#include "launch/launch.h"
#include "lesson/lesson.h"

namespace lanescope::lesson {

/// What the buffers of a launch hold.
enum class Filling {
  Contents,  // as the lesson says
  Zeros,     // nothing is filled: for runs whose addresses alone matter
  None       // no bytes at all: for the shape of a launch alone
};

/// The launch of `kernel` (one of the lesson's, or a reference). `previous` is a launch of the same lesson
/// with the same filling: contents of buffers of equal name, type and shape are shared, since filling them
/// takes longer than many a kernel. Errors: Usage and Limit with the line of the lesson.
Result<launch::Launch> make_launch(const Lesson& lesson, const Kernel& kernel, const Settings& settings,
                                   const launch::Launch* previous = nullptr,
                                   Filling filling = Filling::Contents);

/// "image.png" of the contents "file(image.png)", a file in the lesson's folder; none for other contents.
std::optional<std::string_view> file_of_contents(std::string_view contents);

/// The value of `expression` with this kernel's toggles.
Result<int64_t> value_of(const Lesson& lesson, const Kernel& kernel, const Settings& settings,
                         const Expression& expression);

/// Error (Syntax) where a name of the expression is none of the lesson's toggles.
Result<void> check_names(const Lesson& lesson, const Expression& expression);

}  // namespace lanescope::lesson
