// What of the window belongs to a session or a lecture: the panels of one that was opened, those that are
// kept, what was typed and not posted yet, and what the notes say. Tests: tests/gui/continue_test.cpp,
// tests/gui/editor_test.cpp

#include "view/file_menu.h"
#include "view/lecture_panels.h"
#include "view/workspace.h"

#include <algorithm>
#include <utility>

namespace lanescope::view {

/// A session that was just opened shows its panels.
void Workspace::follow_session(const session::Snapshot& now) {
  if (now.session == session_) return;
  session_ = now.session;
  if (!session_) return;
  note_recent(session_->path, preferences_);
  enlarged_ = panel_named(session_->enlarged);
  if (session_->panels.empty()) return;
  std::ranges::fill(preferences_.shown, false);
  for (const std::string& name : session_->panels)
    if (const auto panel = panel_named(name)) preferences_.shown[static_cast<size_t>(*panel)] = true;
}

LeaveDialog::Typing Workspace::typing(const session::Snapshot& now) const {
  return typed(now).empty() ? LeaveDialog::Typing::None : LeaveDialog::Typing::UnderWay;
}

bool Workspace::may_leave(const session::Snapshot& now) { return leave_dialog_.may_leave(now, typing(now)); }

std::vector<session::EditedText> Workspace::typed(const session::Snapshot& now) const {
  std::vector<session::EditedText> texts;
  for (const auto& panel : panels_)
    if (auto text = panel->typed(now)) texts.push_back(*std::move(text));
  return texts;
}

session::OpenedSession Workspace::session_of_window() const {
  session::OpenedSession session;
  for (const PanelRow& row : panel_rows())
    if (preferences_.shows(row.id)) session.panels.emplace_back(row.name);
  if (enlarged_) session.enlarged = name_of(*enlarged_);
  return session;
}

/// The panels that a step is about come to the front where they share their place with others.
void Workspace::follow_lecture(const session::Snapshot& now) {
  const uint64_t showings = now.lecture ? now.lecture->showings : 0;
  if (showings == lecture_showings_ || now.busy) return;
  lecture_showings_ = showings;
  select_panels(looked_at(now));
}

std::optional<NotesPage> Workspace::notes(const session::Snapshot& now) const {
  if (!now.lecture) return {};
  return notes_page(now, LectureBar::is_covered(now, prediction_), preferences_.mode);
}

}  // namespace lanescope::view
