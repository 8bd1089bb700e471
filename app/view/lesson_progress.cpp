#include "view/lesson_progress.h"

#include "session/student_progress.h"

#include <algorithm>

namespace lanescope::view {
namespace {

const session::LessonProgress& progress_of(const session::Snapshot& now, const std::string& lesson) {
  static const session::LessonProgress kNone;
  if (!now.student) return kNone;
  const auto found = now.student->lessons.find(lesson);
  return found == now.student->lessons.end() ? kNone : found->second;
}

}  // namespace

std::string progress_text(const Context& context, size_t lesson) {
  const session::Available& available = context.now.available;
  const session::LessonProgress& done = progress_of(context.now, available.lessons[lesson]);
  const auto [kernels, exercises] = available.lesson_sizes[lesson];
  // What a later version of a lesson no longer has does not count.
  std::string text =
      context.phrase(Text::window_progress_kernels, std::min(done.kernels.size(), kernels), kernels);
  if (exercises > 0)
    text += ", " + context.phrase(Text::window_progress_exercises, std::min(done.exercises.size(), exercises),
                                  exercises);
  return text;
}

bool is_solved(const Context& context, std::string_view exercise) {
  const auto& lesson = context.now.choices.lesson;
  return lesson && progress_of(context.now, lesson->name).exercises.contains(std::string(exercise));
}

std::optional<size_t> next_lesson(const Context& context) {
  const session::Snapshot& now = context.now;
  if (!now.choices.lesson) return {};
  const auto& lessons = now.available.lessons;
  const auto open = std::ranges::find(lessons, now.choices.lesson->name);
  if (open == lessons.end() || open + 1 == lessons.end()) return {};
  return static_cast<size_t>(open - lessons.begin()) + 1;
}

}  // namespace lanescope::view
