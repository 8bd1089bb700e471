// Which panels of the window are where: those of the lesson or file that is open, in a layout that suits the
// size of the window, until a person moves one. Test: tests/gui/layout_test.cpp

#include "session/opened_file.h"
#include "session/whole_program.h"
#include "view/lecture_panels.h"
#include "view/workspace.h"

#include <utility>

namespace lanescope::view {

namespace {

/// Docks share what a window grows by unevenly, so one that grew much is arranged again.
bool is_like(ImVec2 size, ImVec2 before) {
  constexpr float kMost = 1.2f;
  return size.x < before.x * kMost && before.x < size.x * kMost && size.y < before.y * kMost &&
         before.y < size.y * kMost;
}

}  // namespace

void Workspace::arrange(const Theme& theme, ImGuiID dock_space, ImVec2 corner, ImVec2 size) {
  // Docks need some frames to settle; from then on a change is the user's.
  constexpr int kFramesToSettle = 4;
  if (arrangement_ && *arrangement_ != Arrangement::Own) {
    if (++frames_arranged_ == kFramesToSettle) places_ = places_of_panels();
    if (frames_arranged_ > kFramesToSettle && places_of_panels() != places_) arrangement_ = Arrangement::Own;
  }
  if (size.x <= 0 || size.y <= 0) return;  // a window without room for panels
  const Arrangement wanted = arrangement_for(size / theme.em());
  if (arrangement_ == Arrangement::Own || (arrangement_ == wanted && is_like(size, arranged_size_))) return;
  arrange_panels(dock_space, corner, size, wanted, shown_);
  arrangement_ = wanted;
  arranged_size_ = size;
  frames_arranged_ = 0;
}

/// Another lesson or file shows its own panels, in their places; the first is as the window was left. Nothing
/// else moves a panel, but the first run of a file, which says what the file has panels for.
void Workspace::follow_opening(const session::Snapshot& now) {
  const lesson::Lesson* const lesson = now.choices.lesson.get();
  // A lecture arranges the panels once, for all its steps.
  const lesson::Lecture* const lecture = shown_lecture(now);
  const std::string subject = lecture != nullptr  ? lecture->file.string()
                              : lesson != nullptr ? lesson->folder.string()
                                                  : "";
  if (now.openings != openings_ || subject != subject_) {
    if (now.openings != openings_ && openings_ > 0) reset_layout();
    openings_ = now.openings;
    subject_ = subject;
    has_panels_ = lesson != nullptr;
    show_panels(lecture != nullptr  ? panels_named(lecture->panels)
                : lesson != nullptr ? panels_named(lesson->panels)
                                    : std::vector<PanelId>());
  } else if (!has_panels_ && now.run && !now.busy) {
    has_panels_ = true;
    show_panels(panels_of_run(*now.run));
  }
}

/// The places of figures are those of `panels` from now on.
void Workspace::show_panels(std::vector<PanelId> panels) {
  shown_ = std::move(panels);
  if (arrangement_ != Arrangement::Own) arrangement_.reset();
}

void Workspace::reset_layout() {
  arrangement_.reset();
  preferences_.shown.fill(true);
  enlarged_.reset();
}

/// Opening a file shows how it is launched, opening a lesson its text.
void Workspace::bring_forward(const session::Snapshot& now) {
  constexpr int kFramesToAppear = 10;
  const std::string opened = now.choices.file ? now.choices.file->path.string() : std::string();
  if (opened != opened_) {
    opened_ = opened;
    // The list of a program's launches is read with the launch that is opened.
    const bool is_launch =
        now.program || (now.whole_program && now.whole_program->source != now.choices.file->path);
    comes_forward_ = opened.empty() ? PanelId::Lesson : is_launch ? PanelId::Program : PanelId::Launch;
    frames_until_forward_ = 0;
  }
  if (!comes_forward_) return;
  const bool in_sight = place(*comes_forward_).has_value();
  if (!in_sight) ImGui::SetWindowFocus(window_of(*comes_forward_).c_str());
  if (in_sight || ++frames_until_forward_ > kFramesToAppear) comes_forward_.reset();
}

}  // namespace lanescope::view
