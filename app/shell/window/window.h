// The window of the program: connects a session and a workspace in a main loop. Method: the loop draws when
// something happened (an event, a new snapshot, an animation) and sleeps otherwise; it never waits for the
// session. Tests: tests/gui/*

#pragma once

#include "session/session.h"
#include "shell/window/cell_painter.h"
#include "shell/window/gl_window.h"
#include "shell/window/lecture_process.h"
#include "shell/window/notes_process.h"
#include "shell/window/settings.h"
#include "shell/window/window_state.h"
#include "view/workspace.h"

#include <chrono>
#include <deque>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace lanescope::shell {

/// Folders that the window needs, and the file of its settings.
struct WindowFiles {
  std::filesystem::path fonts;
  std::filesystem::path shaders;
  std::filesystem::path settings;   // how the window was left; empty: not kept
  std::filesystem::path lessons{};  // of the program
  std::filesystem::path program{};  // this one, for the window of the notes; empty: there is none
  std::filesystem::path state{};    // a folder: what it was doing, for when it ends; empty: not kept
};

/// Time of one frame, in seconds.
struct FrameTime {
  double own = 0;    // building the frame, in this program
  double whole = 0;  // including the driver
  double drawn = 1;  // share of the pixels that were drawn anew
};

/// When frames came to the screen, and how long the last one took.
struct FrameClock {
  std::deque<std::chrono::steady_clock::time_point> shown;  // within the last second
  FrameTime last;
};

/// What the window asks of a page.
struct PageActions {
  std::string address;  // without '#'
  std::function<void()> choose_file;
  std::function<void(const std::string&, const std::filesystem::path&)> hand_in;
  std::function<Result<void>(const std::shared_ptr<const trace::Trace>&, const std::filesystem::path&)>
      save_trace;
  float least_control = 0;                                                  // view::Theme has it
  double seconds_of_first_draws = std::numeric_limits<double>::infinity();  // view::FirstDraws::spread has it
};

/// The window without its loop: one call per frame. Tests and screenshots drive it themselves.
class Frames {
 public:
  static Result<Frames> open(session::Session& session, const WindowFiles& files,
                             const WindowRequest& request);
  Frames(Frames&&) noexcept = default;
  Frames& operator=(Frames&&) = delete;
  ~Frames() = default;

  /// Draws the whole window, or only one panel.
  FrameTime draw(std::optional<view::PanelId> alone = {});
  GlWindow& window() { return window_; }
  view::Workspace& workspace() { return *workspace_; }
  /// From now on the window is drawn as for a class, as if it filled the screen with text for a projector, or
  /// for a reader again.
  void present(view::Audience audience);
  const session::Snapshot& shown() const { return *shown_; }
  enum class Asking { MenuOnly, Card };
  /// Offers to show again what was kept in this folder (session/kept_state.h).
  /// `discard` is called where the person wants none of it.
  void offer_to_continue(const std::filesystem::path& folder, std::function<void()> discard, Asking asking);
  /// Lets a page's browser open files, and links lead to the page.
  void connect(const PageActions& page);
  /// Opens the window with the notes once there is a lecture.
  void want_notes() { wishes_->notes = true; }
  /// Whether there is a new snapshot to draw, or a key was pressed in the window of the notes.
  bool has_news() const;

 private:
  Frames(session::Session& session, WindowFiles files, GlWindow window, CellPainter painter,
         view::Faces faces);

  session::Session* session_;
  WindowFiles files_;
  bool presents_ = false;  // to a class, whether or not the window fills the screen
  float least_control_ = 0;
  GlWindow window_;  // destroyed last: the other members need its context
  std::unique_ptr<CellPainter> painter_;
  view::Faces faces_;
  std::unique_ptr<view::Workspace> workspace_;
  view::Actions actions_;
  /// What panels asked for in a frame.
  struct Wishes {
    bool full_screen = false;
    bool notes = false;  // the window with the notes
    std::optional<view::PictureRequest> picture;
    int frames = 0;  // since the picture was asked for
  };
  void take_picture();
  std::string place_of(const std::filesystem::path& file) const;
  void open_notes();
  void show_notes();
  std::unique_ptr<Wishes> wishes_ = std::make_unique<Wishes>();
  std::shared_ptr<NotesKeys> notes_keys_ = std::make_shared<NotesKeys>();
  std::optional<NotesProcess> notes_;
  std::unique_ptr<LectureProcesses> lectures_;  // null: none can be started
  std::unique_ptr<FrameClock> clock_ = std::make_unique<FrameClock>();
  std::shared_ptr<const session::Snapshot> shown_;
};

/// Decides when to draw. Method: after the last event, snapshot or change of size some frames follow, since
/// Dear ImGui's layout lags by one or two and it takes one change of a key per frame; then it waits.
class MainLoop {
 public:
  explicit MainLoop(Frames& frames) : frames_(&frames) {}
  /// Waits for an event or a snapshot where nothing moves, and draws if there was one. Returns whether it
  /// drew.
  bool turn();
  /// The next turn draws.
  void wake() { settling_ = 1; }

 private:
  /// What was there before a frame was drawn: any difference is a reason for the next.
  struct Seen {
    int width = 0, height = 0;
    float scale = 0;
    bool operator==(const Seen&) const = default;
  };
  /// From now. The workspace counts from the last frame, since only a frame advances Dear ImGui's clock.
  double seconds_until_motion() const;

  Frames* frames_;
  Seen seen_;
  int settling_ = 1;
  std::chrono::steady_clock::time_point drawn_at_{};
};

/// Whether the notes of a lecture are opened with it.
enum class Notes : uint8_t { Hidden, Shown };

/// The window as the person left it, with what is kept of it. One call per turn, for who has a loop: a
/// desktop's program, or a browser.
class RunningWindow {
 public:
  /// Opens it as `settings` have it.
  static Result<std::unique_ptr<RunningWindow>> open(session::Session& session, const WindowFiles& files,
                                                     const WindowSettings& settings, Notes notes);
  /// Waits and draws as MainLoop::turn() does, and keeps what changed. Whether it drew.
  bool turn();
  /// Whether the person closed it, who is asked first where something would be lost.
  bool is_over();
  /// Keeps what is there at the end.
  void close();
  Frames& frames() { return frames_; }
  /// The next turn draws.
  void wake() { loop_.wake(); }

 private:
  using How = void (WindowState::*)(const session::Snapshot&, const session::OpenedSession&,
                                    const std::vector<session::EditedText>&);
  RunningWindow(session::Session& session, WindowFiles files, Frames frames);
  void keep_settings();
  void keep_state(How how);

  session::Session& session_;
  WindowFiles files_;
  Frames frames_;
  MainLoop loop_;
  WindowState state_;
  WindowSettings kept_;  // as they were written last
  bool has_drawn_ = false;
};

/// Opens the window as `settings` have it; returns the exit status after it is closed. What the person
/// changes is kept in the file of the settings.
Result<int> run_window(session::Session& session, const WindowFiles& files, const WindowSettings& settings,
                       Notes notes = Notes::Hidden);

struct ScreenshotRequest {
  std::filesystem::path file;  // PNG
  int width = 1600, height = 900;
  plot::Theme theme = plot::Theme::Light;
  float text = view::kOrdinaryText;  // points
  view::Audience audience = view::Audience::Reader;
  std::optional<view::PanelId> panel;  // only this panel; empty: the whole window
};

/// Draws the window without a screen and writes it to a file. Waits until the session is idle.
Result<void> write_screenshot(session::Session& session, const WindowFiles& files,
                              const ScreenshotRequest& request);

}  // namespace lanescope::shell
