// A window with OpenGL 3.3 and Dear ImGui, on a screen or offscreen. Method: GLFW makes the window and the
// context; offscreen it uses its null platform and EGL, and frames are drawn into a framebuffer that can be
// read back. One at a time in a process: GLFW and Dear ImGui have global state. Tests: tests/gui/*, which run
// on it.

#pragma once

#include "base/error.h"
#include "plot/color.h"

#include <cstdint>
#include <string>
#include <vector>

struct GLFWwindow;

namespace lanescope::shell {

enum class Platform {
  Desktop,   // a window on the screen
  Offscreen  // no screen, no X server
};

struct WindowRequest {
  std::string title = "Lanescope";
  int width = 1600, height = 900;
  Platform platform = Platform::Desktop;
};

/// Pixels from the top left corner, row by row.
struct Image {
  int width = 0, height = 0;
  std::vector<uint8_t> rgba;
};

class GlWindow {
 public:
  /// The error names what is missing: a display, a driver, a version of OpenGL.
  static Result<GlWindow> open(const WindowRequest& request);
  ~GlWindow();
  GlWindow(GlWindow&& other) noexcept;
  GlWindow& operator=(GlWindow&&) = delete;

  bool wants_to_close() const;
  /// Pixels per point, from the screen's settings.
  float scale() const;
  /// Handles pending events; if there are none, waits up to `seconds` for one.
  void wait_for_events(double seconds);
  /// May be called from any thread.
  static void wake();

  void begin_frame();
  void end_frame(plot::Rgba background);
  /// The frame drawn last.
  Image read_back() const;

 private:
  GlWindow(GLFWwindow* window, Platform platform) : window_(window), platform_(platform) {}
  Result<void> prepare(const WindowRequest& request);

  GLFWwindow* window_ = nullptr;
  Platform platform_ = Platform::Desktop;
  uint32_t framebuffer_ = 0, color_ = 0;  // offscreen
  bool has_context_ = false;              // of Dear ImGui
};

}  // namespace lanescope::shell
