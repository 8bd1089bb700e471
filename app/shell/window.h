// The window of the program: a session behind it, a workspace in it, a loop around it.
// Method: the loop draws when something happened (an event, a new snapshot, an animation) and sleeps
// otherwise; it never waits for the session. Tests: tests/gui/*

#pragma once

#include "session/session.h"
#include "shell/cell_painter.h"
#include "shell/gl_window.h"
#include "view/workspace.h"

#include <filesystem>
#include <optional>

namespace lanescope::shell {

/// What the window needs of the project, and where it keeps its arrangement.
struct WindowFiles {
  std::filesystem::path fonts;
  std::filesystem::path shaders;
  std::filesystem::path settings;  // where panels stand, look; empty: not kept
};

/// How one frame spent its time, in seconds.
struct FrameTime {
  double own = 0;    // building the frame: what this program does
  double whole = 0;  // with the driver's part
};

/// The window without its loop: one call per frame. Tests and screenshots drive it themselves.
class Frames {
 public:
  static Result<Frames> open(session::Session& session, const WindowFiles& files,
                             const WindowRequest& request);
  Frames(Frames&&) noexcept = default;
  Frames& operator=(Frames&&) = delete;
  ~Frames() = default;

  /// Draws the whole window, or one panel alone.
  FrameTime draw(std::optional<view::PanelId> alone = {});
  GlWindow& window() { return window_; }
  view::Workspace& workspace() { return *workspace_; }
  const session::Snapshot& shown() const { return *shown_; }
  /// Whether there is a snapshot that was not drawn yet.
  bool has_news() const;

 private:
  Frames(session::Session& session, WindowFiles files, GlWindow window, CellPainter painter,
         view::Faces faces);

  session::Session* session_;
  WindowFiles files_;
  GlWindow window_;  // goes last: what follows needs its context
  std::unique_ptr<CellPainter> painter_;
  view::Faces faces_;
  std::unique_ptr<view::Workspace> workspace_;
  view::Actions actions_;
  std::shared_ptr<const session::Snapshot> shown_;
};

/// Opens the window and returns its exit status when it was closed.
Result<int> run_window(session::Session& session, const WindowFiles& files);

struct ScreenshotRequest {
  std::filesystem::path file;  // PNG
  int width = 1600, height = 900;
  plot::Theme theme = plot::Theme::Light;
  float text = view::kOrdinaryText;    // points
  std::optional<view::PanelId> panel;  // alone; nothing: the whole window
};

/// Draws the window without a screen and writes it to a file. Waits for the session to have done its work.
Result<void> write_screenshot(session::Session& session, const WindowFiles& files,
                              const ScreenshotRequest& request);

}  // namespace lanescope::shell
