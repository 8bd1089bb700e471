// A test of the real window: a session on the project's lessons, the window without a screen, and Dear
// ImGui's test engine, which presses keys and moves the mouse as a person does. Method: `drive` runs a
// function in the engine's coroutine while frames are drawn; what it asserts is the session's snapshot, the
// figures on screen, or pixels.

#pragma once

#include "session/session.h"
#include "shell/window/window.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <gtest/gtest.h>
#include <imgui_te_context.h>
#include <imgui_te_engine.h>

namespace lanescope {

class GuiTest : public testing::Test {
 protected:
  GuiTest();
  ~GuiTest() override;
  void SetUp() override;
  /// Of the session that the window shows.
  virtual pipeline::Options session_options() const;

  /// Draws frames while `steps` runs. Fails if the engine could not do something.
  void drive(const std::function<void(ImGuiTestContext&)>& steps);

  // Within `drive`:
  /// Waits for the session and for frames that show its work.
  void settle(ImGuiTestContext& context);
  /// Draws frames until the snapshot is so, for at most 20 s.
  void draw_until(ImGuiTestContext& context, const std::function<bool(const session::Snapshot&)>& is_so);
  /// Presses a key and settles.
  void press(ImGuiTestContext& context, ImGuiKeyChord keys);
  /// Clicks an item of a window, named as in "toolbar", "padding/1", and settles.
  void click(ImGuiTestContext& context, const char* window, const char* item);
  /// The middle of the first pick of a panel's figure that `wanted` accepts, in pixels of the window.
  std::optional<ImVec2> place_of(ImGuiTestContext& context, view::PanelId panel,
                                 const std::function<bool(const plot::Pick&)>& wanted);
  /// Keeps the next frame as NAME.png in the folder that the variable LANESCOPE_PICTURES names, for
  /// inspection; without it, does nothing.
  void picture(ImGuiTestContext& context, const char* name);
  /// A name for a window or a child window of the root window, for the engine.
  ImGuiID window(ImGuiTestContext& context, const char* name);

  std::shared_ptr<const session::Snapshot> now() const { return session_->latest(); }
  view::Workspace& workspace() { return frames_->workspace(); }
  /// A file in a folder that goes away with the test.
  std::filesystem::path scratch(const char* name) const { return scratch_ / name; }

  std::unique_ptr<session::Session> session_;
  std::unique_ptr<shell::Frames> frames_;
  shell::Platform platform_ = shell::Platform::Offscreen;  // of the window that SetUp opens

 private:
  std::filesystem::path scratch_;
  std::string picture_;  // wanted of the next frame
  ImGuiTestEngine* engine_ = nullptr;
};

}  // namespace lanescope
