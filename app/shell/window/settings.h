// What the window finds again at the next start: look, arrangement, place, and what was open. Method: a TOML
// file in the person's configuration; what cannot be read in it is as at the first start.
// Tests: tests/gui/settings_test.cpp

#pragma once

#include "session/session.h"
#include "session/snapshot.h"
#include "shell/window/gl_window.h"
#include "view/workspace.h"

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lanescope::shell {

struct WindowSettings {
  view::Preferences preferences;
  std::string arrangement;  // of the panels, as Dear ImGui writes it
  std::optional<Language> language;
  std::string device;                                        // empty: not chosen yet, as all that follow
  std::string lesson;                                        // its name or folder
  std::vector<std::pair<std::string, std::string>> toggles;  // of the lesson, "kernel" first
  std::string file;                                          // a person's own, in place of a lesson
  std::optional<WindowPlace> place;
  bool operator==(const WindowSettings&) const = default;
};

WindowSettings read_settings(const std::filesystem::path& file);
/// A folder that cannot be written keeps nothing.
void write_settings(const std::filesystem::path& file, const WindowSettings& settings);

/// The person's look and window without what was open and its panels: what is chosen at the start has its
/// own.
WindowSettings look_of(const WindowSettings& settings);

/// Opens the file or the lesson that was open, the lesson with those of its toggles that it still has;
/// without one the first lesson.
void open_what_was_left(session::Session& session, const std::filesystem::path& assets,
                        const WindowSettings& settings);

/// Gives the workspace its look and arrangement.
void show(const WindowSettings& settings, view::Workspace& workspace);
WindowSettings settings_of(view::Workspace& workspace, const session::Snapshot& now, WindowPlace place);

}  // namespace lanescope::shell
