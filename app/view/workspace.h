// The whole window for one frame: toolbar, docked panels, timeline, dialogs, keys.
// Method: panels are windows of Dear ImGui in one dock space, arranged at first as the default layout says;
// each dock node is drawn as a card. Reads a snapshot, posts commands, never waits.
// Tests: tests/gui/*

#pragma once

#include "view/announcement.h"
#include "view/comparison.h"
#include "view/continue_card.h"
#include "view/dialogs/dialogs.h"
#include "view/dialogs/file_dialog.h"
#include "view/dialogs/leave_dialog.h"
#include "view/dialogs/lecture_dialog.h"
#include "view/dialogs/lecture_export_dialog.h"
#include "view/dialogs/session_dialog.h"
#include "view/dialogs/trace_dialog.h"
#include "view/first_draws.h"
#include "view/keyboard_focus.h"
#include "view/keys.h"
#include "view/layout.h"
#include "view/lecture_bar.h"
#include "view/lecture_notes.h"
#include "view/panel.h"
#include "view/preferences.h"
#include "view/toggles.h"
#include "view/toolbar.h"
#include "view/turns.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::view {

class Workspace {
 public:
  Workspace();
  /// Everything, in the size of the main viewport.
  void draw(const session::Snapshot& now, const Theme& theme, const Actions& actions);
  /// One panel alone, as large as the viewport: for pictures.
  void draw_alone(PanelId id, const session::Snapshot& now, const Theme& theme, const Actions& actions);

  Preferences& preferences() { return preferences_; }
  /// Docks come from Dear ImGui's settings: the default layout is not applied.
  void keep_arrangement() { arrangement_ = Arrangement::Own; }
  /// How long after the last frame the next one may come if there is no event: zero while something moves,
  /// infinity if nothing does.
  double seconds_until_motion() const;
  /// Where the panel was drawn in the last frame, in pixels of the window; nothing: it was not in sight.
  std::optional<ImRect> place(PanelId id) const { return drawn_at_[static_cast<size_t>(id)]; }
  /// The figure that a panel shows now; null where it shows none or is not in sight.
  const plot::Figure* figure(PanelId id) const;
  /// What the panel shows of the run A of a comparison; null where there is none.
  const plot::Figure* figure_of_a(PanelId id) const { return comparison_.figure_of_a(id); }
  const Notices& notices() const { return notices_; }
  const Announcement& announcement() const { return announcement_; }
  /// A notice of what became of a picture; `place`: the file as the person knows it; empty: the clipboard.
  void say_written(const session::Snapshot& now, const Result<void>& done, const std::string& place);
  const Highlight& highlight() const { return highlight_; }
  const Prediction& prediction() const { return prediction_; }
  /// What the keys of the keyboard press now, for a screen reader.
  const ControlName& focused_control() const { return focus_.control(); }
  std::optional<PanelId> enlarged() const { return enlarged_; }
  /// Whether the window may close now; if not, asks the person, and leaves() says what became of it.
  bool may_leave(const session::Snapshot& now);
  bool leaves() const { return leave_dialog_.leaves(); }
  /// Texts that the snapshot does not have yet.
  std::vector<session::EditedText> typed(const session::Snapshot& now) const;
  session::OpenedSession session_of_window() const;
  /// Shows the next step of the lecture, or the one before, as the keys do.
  void turn_lecture(Turn turn) { lecture_turns_.push_back(turn); }
  /// What the notes of the lecture say now; nothing where none is open.
  std::optional<NotesPage> notes(const session::Snapshot& now) const;
  /// When panels draw a run for the first time.
  FirstDraws& first_draws() { return first_draws_; }
  /// Asks whether to do Actions::continue_kept.
  void ask_to_continue() { continue_card_.open(); }

 private:
  Context begin_frame(const session::Snapshot& now, const Theme& theme, const Actions& actions);
  LeaveDialog::Typing typing(const session::Snapshot& now) const;
  Panel& panel(PanelId id) const { return *panels_[static_cast<size_t>(id)]; }
  void draw_panel(PanelId id, const Context& context);
  void draw_bars_and_panels(const Context& context);
  void draw_toolbar(const Context& context, ImVec2 corner, float width, float height);
  void draw_stage(const Context& context, ImVec2 corner, ImVec2 size);
  void draw_dock_space(const Context& context, ImVec2 corner, ImVec2 size);
  void draw_stepper(const Context& context, ImVec2 corner, ImVec2 size);
  void draw_lecture(const Context& context, ImVec2 corner, ImVec2 size);
  void draw_progress(const Context& context, ImVec2 corner, float width);
  void arrange(const Theme& theme, ImGuiID dock_space, ImVec2 corner, ImVec2 size);
  double busy_seconds() const;  // how long the session has been at work; negative: it is not
  void take_keys(const Context& context);
  void open_file(const Context& context);
  void bring_forward(const session::Snapshot& now);
  void draw_enlarged(const Context& context, ImVec2 corner, ImVec2 size);
  void take_export_request(const Context& context);
  void copy(const Context& context, KeyRequests::Copy what);
  void follow_opening(const session::Snapshot& now);
  void reset_layout();
  void show_panels(std::vector<PanelId> panels);
  void follow_session(const session::Snapshot& now);
  void follow_lecture(const session::Snapshot& now);

  Preferences preferences_;
  Highlight highlight_, hovered_;
  std::optional<PanelId> export_request_;
  int frames_until_export_ = 0;                          // how long the request has waited for its panel
  std::array<std::optional<ImRect>, kPanels> drawn_at_;  // [PanelId]; in the last frame
  std::array<std::unique_ptr<Panel>, kPanels> panels_;   // [PanelId]
  std::vector<PanelId> shown_;                           // have the places of figures
  bool has_panels_ = false;                              // they are those of what is open
  std::string subject_;  // the lecture or the folder of the lesson whose panels are shown; empty: a file
  Comparison comparison_;
  LectureBar lecture_bar_;
  uint64_t lecture_showings_ = 0;    // of the step whose panels were brought to the front
  std::vector<Turn> lecture_turns_;  // to be made in the next frame
  Toolbar toolbar_;
  Announcement announcement_;
  ExportDialog export_dialog_;
  LeaveDialog leave_dialog_;
  ContinueCard continue_card_;
  HelpOverlay help_;
  FileDialog file_dialog_;
  SessionDialog session_dialog_;
  TraceDialog trace_dialog_;
  LectureDialog lecture_dialog_;
  LectureExportDialog lecture_export_dialog_;
  std::shared_ptr<const session::OpenedSession> session_;  // whose panels are shown
  uint64_t openings_ = 0;                                  // what the panels are those of
  std::string opened_;                                     // the file that is open; empty: a lesson
  std::optional<PanelId> comes_forward_;                   // until it is in front
  int frames_until_forward_ = 0;
  std::optional<PanelId> enlarged_;       // fills the place of all panels
  std::optional<PanelId> hovered_panel_;  // the pointer was over it last
  Notices notices_;
  std::vector<session::Notice> new_notices_;  // of this frame
  Prediction prediction_;
  std::optional<Arrangement> arrangement_;  // nothing: to be chosen
  ImVec2 arranged_size_;
  int frames_arranged_ = 0;
  Turns turns_;
  FirstDraws first_draws_;
  KeyboardFocus focus_;
  ImGuiID places_ = 0;  // of the panels, once arranged: what the user changed is kept
  bool busy_shown_ = false;
  double busy_since_ = -1;
};

}  // namespace lanescope::view
