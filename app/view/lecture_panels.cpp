#include "view/lecture_panels.h"

#include "view/layout.h"

#include <algorithm>
#include <string_view>

namespace lanescope::view {
namespace {

bool has_wrong_kernels(const lesson::Lesson& lesson) {
  return std::ranges::any_of(lesson.kernels, &lesson::Kernel::hazards);
}

}  // namespace

const lesson::Lecture* shown_lecture(const session::Snapshot& now) {
  const bool is_of_step =
      now.lecture && now.choices.lesson && now.lecture->shown().lesson->folder == now.choices.lesson->folder;
  return is_of_step && !now.lecture->lecture->panels.empty() ? now.lecture->lecture.get() : nullptr;
}

bool expects_errors(const session::Snapshot& now) {
  if (const lesson::Lecture* const lecture = shown_lecture(now))
    return std::ranges::any_of(lecture->steps,
                               [](const auto& step) { return has_wrong_kernels(*step.lesson); });
  return now.choices.lesson && has_wrong_kernels(*now.choices.lesson);
}

std::vector<PanelId> looked_at(const session::Snapshot& now) {
  return now.lecture ? panels_named(now.lecture->shown().look) : std::vector<PanelId>();
}

bool is_looked_at(const session::Snapshot& now, const ImGuiDockNode& node) {
  if (node.VisibleWindow == nullptr) return false;
  return std::ranges::any_of(looked_at(now), [&](PanelId panel) {
    return std::string_view(node.VisibleWindow->Name).ends_with(window_of(panel));
  });
}

}  // namespace lanescope::view
